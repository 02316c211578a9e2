import { chainOf } from '../../src/domain/address/address-key.ts';
import { sumByAsset } from '../../src/domain/amount.ts';
import { isChain } from '../../src/domain/chain.ts';
import { FLOW_TRANSFERS_MAX } from '../../src/domain/scene/bounds.ts';
import type { SceneFlow } from '../../src/domain/scene/scene.ts';
import type { PairTransfers } from '../service/tracing-answers.ts';
import { type Additions, nodeKey, ofTransfers } from './additions.ts';

/** The addresses that a row of a statement names: cells that are a key of the graph, and nodes that bear one. */
export function keysOfRow(values: readonly unknown[]): string[] {
  const keys = values.map((value) => (value as { key?: unknown } | null)?.key ?? value).filter(isKey);
  return [...new Set(keys)];
}

/** The first two addresses of each row, in both directions, where they lie on one chain; each pair once. */
export function pairsOfRows(rows: readonly (readonly unknown[])[]): { from: string; to: string }[] {
  const pairs = rows.flatMap((values) => {
    const [one, two] = keysOfRow(values);
    if (one === undefined || two === undefined || chainOf(one) !== chainOf(two)) return [];
    return [
      { from: one, to: two },
      { from: two, to: one },
    ];
  });
  return [...new Map(pairs.map((pair) => [`${pair.from}>${pair.to}`, pair])).values()];
}

/** Every two of these keys that lie on one chain, in both directions, those of the first key first. */
export function pairsAmong(keys: readonly string[]): ReturnType<typeof pairsOfRows> {
  return pairsOfRows(keys.flatMap((one, place) => keys.slice(place + 1).map((other) => [one, other])));
}

/** Returns what moved between pairs of addresses, summed over all that an answer lists, and who they are; of many transfers the largest are kept. */
export function ofPairs(answer: PairTransfers): Additions {
  const flows = answer.pairs.flatMap(({ chain, from, to, transfers }): SceneFlow[] => {
    const [first, last] = [transfers[0], transfers.at(-1)];
    if (!first || !last) return [];
    const [payer, payee] = [nodeKey(chain, from), nodeKey(chain, to)];
    const priced = transfers.flatMap(({ usd }) => (usd === null ? [] : [usd]));
    const largest = transfers.reduce((most, one) => ((one.usd ?? 0) > (most.usd ?? 0) ? one : most));
    return [
      {
        id: `${payer}>${payee}`,
        from: payer,
        to: payee,
        usd: priced.length === 0 ? null : priced.reduce((sum, usd) => sum + usd, 0),
        assets:
          transfers.length > FLOW_TRANSFERS_MAX
            ? sumByAsset(transfers.map(({ asset, amount }) => ({ [asset]: amount })))
            : null,
        tx_count: transfers.length,
        first_at: first.at,
        last_at: last.at,
        tx_hash: largest.tx_hash,
        transfers: largestOf(transfers),
        share: null,
        bridge: null,
      },
    ];
  });
  return { nodes: ofTransfers(answer), flows };
}

function largestOf(transfers: PairTransfers['pairs'][number]['transfers']): SceneFlow['transfers'] {
  if (transfers.length <= FLOW_TRANSFERS_MAX) return transfers;
  const kept = new Set(transfers.toSorted((a, b) => (b.usd ?? 0) - (a.usd ?? 0)).slice(0, FLOW_TRANSFERS_MAX));
  return transfers.filter((one) => kept.has(one));
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z]+:\S{20,128}$/.test(value) && isChain(chainOf(value));
}
