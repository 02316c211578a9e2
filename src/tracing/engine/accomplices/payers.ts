import type { AddressLabel } from '../../../domain/label.ts';
import { comparePlaces } from '../../../domain/tracing/traced-transfer.ts';
import { ofSeveral } from '../../../risk/exposure/share-of-flow.ts';
import { POOL } from '../../../risk/rules.ts';
import type { GraphAddress } from '../walk/findings.ts';

/** The addresses that were opened, and what is known of all that were met. */
export interface Opened {
  opened: ReadonlyMap<string, GraphAddress>;
  labels: ReadonlyMap<string, AddressLabel>;
}

/** Computes once for each trace and address what follows its payers back. */
export function perAddress<T>(compute: (key: string, traces: Opened) => T): (key: string, traces: Opened) => T {
  const known = new WeakMap<Opened, Map<string, { value: T }>>();
  return (key, traces) => {
    const ofTraces = known.get(traces) ?? new Map<string, { value: T }>();
    known.set(traces, ofTraces);
    const kept = ofTraces.get(key) ?? { value: compute(key, traces) };
    ofTraces.set(key, kept);
    return kept.value;
  };
}

/** How many must have funded an address, and which part (0-1) must be of others than the two largest. */
export interface LeastPayers {
  payers?: number;
  othersShare?: number;
}

/** True where several funded an address, whatever it is. */
export function isOfSeveral(
  key: string,
  traces: Opened,
  { payers = POOL.payers, othersShare = POOL.others_share }: LeastPayers = {},
): boolean {
  return ofSeveral(fundersOf(key, traces).values(), payers, othersShare);
}

/** Sums the US dollars that the payers of an address brought, by who funded them. */
const fundersOf = perAddress((key, traces): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const [payer, usd] of paidBy(key, traces)) {
    const key = funderOf(payer, traces);
    // The wallets of one exchange are one payer.
    const funder = traces.labels.get(key)?.label ?? key;
    sums.set(funder, (sums.get(funder) ?? 0) + usd);
  }
  return sums;
});

/** Follows a payer back over wallets without a name, each of which gave most of what the next one got: they are one. */
function funderOf(key: string, traces: Opened): string {
  let funder = key;
  for (let step = 0; step < POOL.funder_steps; step++) {
    const main = mainFunderOf(funder, traces);
    const label = main === undefined ? undefined : traces.labels.get(main);
    if (main === undefined || label?.isContract || (label?.category ?? 'unknown') !== 'unknown') break;
    funder = main;
  }
  return funder;
}

/** Names the party that gave more than half of what an address got; undefined where none did. */
const mainFunderOf = perAddress((key, traces): string | undefined => {
  const paid = paidBy(key, traces);
  const all = [...paid.values()].reduce((sum, usd) => sum + usd, 0);
  return [...paid].find(([, usd]) => usd > 0.5 * all)?.[0];
});

/** Sums the US dollars that each party had in the address at most, beyond what it took out: what circles counts once. */
export const paidBy = perAddress((key, { opened }): ReadonlyMap<string, number> => {
  const { received = [], sent = [] } = opened.get(key) ?? {};
  const payers = new Set(received.map(({ from }) => from));
  const moves = [
    ...received.map((one) => ({ ...one, party: one.from, put: one.usd })),
    ...sent.flatMap((one) => (payers.has(one.to) ? [{ ...one, party: one.to, put: -one.usd }] : [])),
  ].sort((a, b) => comparePlaces(a, b) || a.seq - b.seq);
  const [inside, most] = [new Map<string, number>(), new Map<string, number>()];
  for (const { party, put } of moves) {
    const now = Math.max(0, (inside.get(party) ?? 0) + put);
    inside.set(party, now);
    most.set(party, Math.max(most.get(party) ?? 0, now));
  }
  return most;
});
