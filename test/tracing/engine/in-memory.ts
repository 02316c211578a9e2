import { type Crossing, type CrossingPolicy, FOLLOW_MATCHED } from '../../../src/domain/bridges/crossing.ts';
import type { Chain } from '../../../src/domain/chain.ts';
import { groupBy } from '../../../src/domain/group-by.ts';
import type { AddressLabel, Category } from '../../../src/domain/label.ts';
import { assetId } from '../../../src/domain/tracing/asset-id.ts';
import type { Direction, FlowPortion } from '../../../src/domain/tracing/flow-portion.ts';
import { type Reading, readUntil } from '../../../src/domain/tracing/reading.ts';
import type { Rule } from '../../../src/domain/tracing/rule.ts';
import type { TracedTransfer } from '../../../src/domain/tracing/traced-transfer.ts';
import { poolsStrangers } from '../../../src/tracing/engine/contract-account.ts';
import { withCrossings } from '../../../src/tracing/engine/cross-chains.ts';
import { netInTransactions } from '../../../src/tracing/engine/net-in-transaction.ts';
import { partsOf, payoutsInOrder, withPaidOut } from '../../../src/tracing/engine/payouts.ts';
import { replayOf } from '../../../src/tracing/engine/replay.ts';
import { type Restitution, restitutionOf } from '../../../src/tracing/engine/restitution.ts';
import { traderKind } from '../../../src/tracing/engine/swaps.ts';
import type { OpenedAddress, Trace } from '../../../src/tracing/engine/walk/findings.ts';
import { Search } from '../../../src/tracing/engine/walk/trace.ts';

/**
 * When, from whom, to whom, how many dollars (null: no price), and what else is said of it. Names are of Ethereum where they
 * do not begin with another chain.
 */
export type Edge = [
  at: number,
  from: string,
  to: string,
  usd: number | null,
  more?: { symbol?: string; amount?: string; txHash?: string; index?: string; seq?: number; token?: string },
];

const LABELS: Record<string, Category> = {
  HACK: 'sanctioned',
  CEX: 'exchange',
  MIX: 'mixer',
  DEX: 'dex',
  DEXTER: 'dex',
  THIEF: 'theft',
};

export const NOW = 1_000;

export interface Run {
  /** `S` where left out; several are one party. */
  subject?: string | readonly string[];
  /** Only transfers of the subject up to this time are traced. */
  until?: number;
  direction?: Direction;
  hopsMax?: number;
  limit?: number;
  stepsMax?: number;
  /** As the account of the money counts it: what the subject exchanged itself is left out. */
  leavesOutExchanges?: boolean;
  withPaths?: boolean;
  rule?: Rule;
  readings?: Record<string, Reading>;
  isReadKnown?: boolean;
  recentSince?: number;
  heldSince?: number;
  fees?: Record<string, Record<string, string>>;
  /** Only this transfer of the subject is traced. */
  only?: string;
  crossings?: readonly Crossing[];
  policy?: CrossingPolicy;
}

export function keyOf(name: string): string {
  return name.includes(':') ? name : `ethereum:${name}`;
}

export function transfersOf(edges: readonly Edge[]): TracedTransfer[] {
  return edges.map(([at, from, to, usd, more = {}], i) => {
    const { symbol = 'USDC', amount = String(usd), txHash = `tx${i}`, token = null } = more;
    return {
      id: `t${i}`,
      from: keyOf(from),
      to: keyOf(to),
      txHash,
      index: more.index ?? 'native',
      seq: more.seq ?? 0,
      at,
      block: null,
      position: null,
      asset: symbol,
      assetId: assetId(keyOf(from).split(':')[0] as Chain, { token, tokenId: null, symbol }),
      amount,
      usd: usd ?? 0,
      priced: usd !== null,
    };
  });
}

function labelOf(key: string): AddressLabel {
  const category = LABELS[/:([A-Z]+)/.exec(key)?.[1] ?? ''] ?? null;
  return { category, label: null, isContract: key.includes(':vault') };
}

function bridgeOf(key: string): string | null {
  return key.includes(':span') ? 'across' : null;
}

/** Runs the trace of the subject over a graph that is wholly in memory. */
export function run(edges: readonly Edge[], options: Run = {}): Trace {
  const direction = options.direction ?? 'received';
  const transfers = transfersOf(edges);
  const { subject = 'S', until = Number.POSITIVE_INFINITY } = options;
  const keys = new Set([subject].flat().map(keyOf));
  const kindOf = (key: string) => (keys.has(key) || bridgeOf(key) ? 'none' : traderKind(key, labelOf(key)));
  const byHash = groupBy(transfers, ({ txHash }) => txHash);
  const paidOut = partsOf(payoutsInOrder([...byHash.values()], kindOf));
  const opened = (key: string): OpenedAddress => {
    const name = key.replace('ethereum:', '');
    const own = {
      received: transfers.filter(({ from, to }) => to === key && from !== key),
      sent: transfers.filter(({ from, to }) => from === key && to !== key),
    };
    return {
      ...netInTransactions(
        withPaidOut(withCrossings(key, own, options.crossings ?? [], options.policy ?? FOLLOW_MATCHED), paidOut),
      ),
      fees: new Map(Object.entries(options.fees?.[name] ?? {})),
      reading: options.readings?.[name] ?? readUntil(NOW, true),
      isHub: false,
      isPool: key.includes(':vault') && poolsStrangers(own.received),
      isReadKnown: options.isReadKnown ?? true,
    };
  };
  /** What came back to the address from those who took from it, and from wallets between them. */
  const restitution = (key: string): Restitution => {
    const { received, sent } = opened(key);
    const takers = [...new Set(sent.map(({ to }) => to))].filter((to) => labelOf(to).category === 'theft');
    const payers = [...new Set(received.map(({ from }) => from))].filter((from) => labelOf(from).category === null);
    const known = takers.map((taker) => {
      const history = opened(taker);
      const helpers = payers.filter((payer) => history.sent.some(({ to }) => to === payer));
      const replay = replayOf(history, kindOf, (one) => labelOf(one).category === 'dex');
      return [taker, { replay, helpers: new Map(helpers.map((one) => [one, opened(one)])) }] as const;
    });
    return restitutionOf({ key, kin: new Set(), hands: new Set(), received, sent }, new Map(known));
  };
  const withRestitution = (key: string) => ({ ...opened(key), restitution: restitution(key) });
  const own = [...keys]
    .flatMap((key) => opened(key)[direction])
    .filter(({ from, to }) => !(keys.has(from) && keys.has(to)))
    .filter(({ id, at, paidOut }) => at <= until && [id, paidOut?.replaces].includes(options.only ?? id));
  const search = new Search(new Map([...keys].map((key) => [key, withRestitution(key)])), own, {
    direction,
    hopsMax: options.hopsMax ?? 5,
    limit: options.limit ?? 200,
    leavesOutExchanges: options.leavesOutExchanges ?? false,
    ...(options.stepsMax === undefined ? {} : { stepsMax: options.stepsMax }),
    labelOf,
    bridgeOf,
    heldSince: options.heldSince ?? NOW,
    recentSince: options.recentSince ?? Number.POSITIVE_INFINITY,
    withPaths: options.withPaths ?? false,
    rule: options.rule ?? 'pro_rata',
    replays: new Map(),
  });
  for (let keys = search.wanted(); keys.length > 0; keys = search.wanted()) {
    search.advance(new Map(keys.map((key) => [key, withRestitution(key)])));
    while (search.visit(1_000));
  }
  return search.result();
}

/** `HACK: 40 at 2` for each party, largest first. */
export function amounts({ parties }: Trace): string[] {
  return parties.map(
    ({ address, usd, hops }) => `${address.replace('ethereum:', '')}: ${Number(usd.toFixed(9))} at ${hops}`,
  );
}

export function left(traced: Trace): Record<string, number> {
  return Object.fromEntries([...traced.unattributed].map(([reason, usd]) => [reason, Number(usd.toFixed(9))]));
}

/** US dollars that have an end, known or not: all of the money. */
export function endedUsd({ parties, unattributed }: Trace): number {
  return [...parties.map(({ usd }) => usd), ...unattributed.values()].reduce((sum, usd) => sum + usd, 0);
}

/** Returns the part of each transfer that the money of the subject was, over all hops. */
export function takenParts({ passes, parties }: Trace): Map<string, number> {
  const all = new Set<FlowPortion>([
    ...passes.flat().flatMap(({ arrived, gone }) => (gone ? [gone] : arrived)),
    ...parties.flatMap(({ arrivals }) => arrivals),
  ]);
  const parts = new Map<string, number>();
  for (const { transfer, fraction } of all) parts.set(transfer.id, (parts.get(transfer.id) ?? 0) + fraction);
  return parts;
}
