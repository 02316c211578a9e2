import { addressKey, addressOf, chainOf } from '../../../domain/address/address-key.ts';
import { plainDecimal, rounded, roundUsd } from '../../../domain/amount.ts';
import type { Chain } from '../../../domain/chain.ts';
import { isCoinJoin } from '../../../domain/coinjoin/transaction.ts';
import { INFERENCE, type Label } from '../../../domain/label.ts';
import type { TraceCoverage } from '../../../domain/tracing/answers.ts';
import { COIN } from '../../../domain/tracing/asset-id.ts';
import {
  BEYOND_REACH,
  CUT_SHORT,
  type Direction,
  type FlowPortion,
  farEnd,
} from '../../../domain/tracing/flow-portion.ts';
import { heldIds, type TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { transferName } from '../../../domain/transfers/transfer.ts';
import type {
  BridgedDeposit,
  IndirectExposure,
  MoneyBeyond,
  PaidFees,
  PatternAround,
  ReceivedMoney,
  SharedLayer,
  SharedTakings,
  TakerDeposit,
  UnpricedPart,
} from '../../../risk/assessment.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import { FULL_BASIS } from '../../../risk/rules.ts';
import { type Accomplice, certaintyOf, isSource, takerOf } from '../../engine/accomplices/accomplices.ts';
import { lootOf } from '../../engine/accomplices/loot.ts';
import { type Overspent, overspentOf, replayOf } from '../../engine/replay.ts';
import { stepsWithin } from '../../engine/walk/distances.ts';
import { assetsOf, atTheParty, evidencePath, ownTransfers } from '../../engine/walk/evidence.ts';
import type { GraphAddress, Trace, TracedParty } from '../../engine/walk/findings.ts';
import { ONE_TRACE, SCAN_MAX_HOPS, SCAN_TRACE } from '../../read/expansion/expand-scan.ts';
import { countdown } from '../../read/inquiry.ts';
import { type MoneyTraces, type TraceContext, type TraceRequest, traceMoney } from '../../read/trace-money.ts';
import { explainedShare, traceCoverage } from '../coverage.ts';
import { scanPatterns } from '../exposure-patterns.ts';
import { paidFees } from './fee-funder.ts';
import { type MoneyKind, moneyKinds } from './money-kinds.ts';
import { isDeposited, pooledBy, purchases, takerDeposits } from './pooled.ts';
import { sharedLayer } from './shared-layer.ts';

/** Parties whose way is shown. */
const WAYS = 5;
const FRONTIER_MAX = 5;
/** Assets named in a finding. */
const AMOUNTS_MAX = 3;

type BeyondReach = Pick<MoneyBeyond, 'direction' | 'usd' | 'share'>;

/** `metadata.coverage.trace` of a scan: the coverage of the money behind the address. */
export interface ScanTrace extends Pick<TraceCoverage, 'attributed' | 'through_unread' | 'frontier' | 'reasons'> {
  max_hops: number;
  /** Steps of one way at most: wallets with one way in and one way out cost no hop. */
  max_steps: number;
  /** Directions of which more than half of 1,000 US dollars or more ended at these limits, or for want of time. */
  beyond: BeyondReach[];
  /** Addresses behind the subject that were read from their chain and that the caller may know of. */
  addresses_read: number;
  /** Part (0-1) of the money that no limit of ours left without a known end; null where there is no money. */
  explained: Record<Direction, number | null>;
}

/** Findings of a trace about an address's money, for its score. */
export interface MoneyBehind {
  indirect: IndirectExposure[];
  patterns: PatternAround[];
  bridged: BridgedDeposit[];
  trace: ScanTrace;
  /** Received money and the part of it that is explained, for the basis of the level. */
  received: ReceivedMoney;
  beyond: MoneyBeyond[];
  /** Part (0-1) of a received transfer that brought back what the address had lost to its sender, by id. */
  returned: ReadonlyMap<string, number>;
  /** Part (0-1) of a transfer that is the address's own money, come back or gone to come back, by id. */
  circled: ReadonlyMap<string, number>;
  /** Rests of amounts, by transfer id, of what went round inside its transaction over other parties; null: nothing is left. */
  rounds: ReadonlyMap<string, string | null>;
  /** Wallets behind it that listed takers feed too; absent without any. */
  sharedLayer?: SharedLayer;
  /** Wallets living on listed takers whose fees it paid first; absent without any. */
  paidFees?: PaidFees;
  /** Receipts in transactions in which others lost money to listed takers; absent without any. */
  accomplice?: SharedTakings;
  /** Ids of what it took out of contracts of several payers, most of what these had there. */
  loot: ReadonlySet<string>;
  takerDeposits: readonly TakerDeposit[];
}

/**
 * Returns what the graph knows of an address's money beyond its direct counterparties, per direction and category, for its
 * score. `traces` are those that an expansion ended with; left out, the money is traced. `timedOut` where the small
 * budget of time or transfers ended first; what it left is not counted. Throws GraphError.
 */
export async function findIndirectExposure(
  stores: TraceContext,
  chain: Chain,
  address: string,
  {
    follows,
    ownKeys = new Set(),
    ...expanded
  }: { follows?: TraceRequest['follows']; ownKeys?: ReadonlySet<string>; traces?: MoneyTraces } = {},
): Promise<
  MoneyBehind & {
    timedOut: boolean;
    /** Keys of all addresses whose labels took part. */
    met: Iterable<string>;
    /** True where money was followed over, or ended at, a crossing that anybody could have stated. */
    hasOpen: boolean;
    /** CoinJoin transactions that do not hide their payers, as the chain's addresses. */
    transparent: ReadonlySet<string>;
    /** Inferred labels of addresses behind it that have such receipts, by address. */
    accomplices: ReadonlyMap<string, Label>;
    /** Payments of its own beyond all that is known to have come in, by asset. */
    overspent: ReadonlyMap<string, Overspent>;
    /** The address as the trace read it; absent where the graph does not know it or had no time. */
    subject: GraphAddress | undefined;
  }
> {
  const ctx = { ...stores, remainingMs: countdown(stores.config.SCAN_TRACE_MS * ONE_TRACE) };
  const directions = ['received', 'sent'] as const;
  const key = addressKey(chain, address);
  const request = { directions, maxHops: SCAN_MAX_HOPS, follows, ...SCAN_TRACE };
  const traces = expanded.traces ?? (await traceMoney(ctx, [key], request));
  const { attributed, through_unread, frontier, reasons } = traceCoverage([key], {
    traces,
    directions,
    unattributedUsd: 0,
    listGap: null,
    ofSubject: false,
  });
  const subject = traces.opened.get(key);
  const labels = ctx.ownLabels.over(ctx.labels);
  const kinds = await moneyKinds(labels, traces, ctx.now());
  const unpricedKinds = await moneyKinds(labels, traces.unpriced, ctx.now());
  const explained = {
    received: explainedShare(traces.received, traces),
    sent: explainedShare(traces.sent, traces),
  };
  const beyond = directions.flatMap((direction) => beyondReach(traces[direction], direction));
  const coinJoins = [...traces.labels].filter(([party, { category }]) => category === null && isCoinJoin(party));
  const boughtOf = purchases(key, traces);
  const poolsOf = (parties: readonly TracedParty[]) => {
    const pooled = pooledBy(parties, traces);
    return pooled && { pooled };
  };
  const { patterns, timedOut } = await scanPatterns(ctx, key, traces, ownKeys);
  return {
    met: traces.labels.keys(),
    subject,
    overspent: overspentBy(subject),
    beyond,
    transparent: new Set(coinJoins.map(([party]) => addressOf(party))),
    sharedLayer: sharedLayer(key, traces),
    paidFees: paidFees(key, traces),
    accomplice: sharedTakings(traces.accomplices.get(key)),
    accomplices: inferredLabels(key, traces),
    loot: new Set(lootOf(key, traces).keys()),
    takerDeposits: takerDeposits(key, traces),
    returned: returnedParts(subject),
    circled: new Map(
      directions.flatMap((direction) => [...circledParts(subject?.[direction] ?? [], traces[direction], direction)]),
    ),
    rounds: new Map([...traces.rounds].map(([id, left]) => [id, left?.amount ?? null])),
    received: {
      usd: traces.received.totalUsd,
      explained: explained.received,
      ...(traces.received.openUsd > 0 && { openUsd: traces.received.openUsd }),
    },
    hasOpen: directions.some((direction) => traces[direction].openUsd + traces[direction].claimedUsd > 0),
    indirect: [
      ...kinds.map((kind) => ({
        ...toIndirect(chain, kind, traces[kind.direction]),
        ...(kind.direction === 'received' && poolsOf(kind.parties)),
        ...(kind.direction === 'received' && { bought: boughtOf(kind.parties) }),
        ...(kind.direction === 'sent' && isDeposited(key, kind.parties, traces) && { isDeposited: true }),
      })),
      ...unpricedKinds.map((kind) => withoutPrice(chain, kind, traces.unpriced[kind.direction])),
    ],
    patterns,
    bridged: bridgedDeposits(subject?.sent ?? []),
    timedOut: timedOut || directions.some((direction) => traces[direction].unattributed.has('time_budget')),
    trace: {
      max_hops: SCAN_MAX_HOPS,
      max_steps: stepsWithin(SCAN_MAX_HOPS),
      beyond: beyond.map(({ direction, usd, share }) => ({ direction, usd: roundUsd(usd), share: rounded(share) })),
      addresses_read: traces.readAddresses.size,
      attributed,
      explained,
      through_unread,
      frontier: frontier.slice(0, FRONTIER_MAX),
      reasons,
    },
  };
}

/** Empty where not all of its transfers are listed. */
function overspentBy(subject: GraphAddress | undefined): ReadonlyMap<string, Overspent> {
  if (!subject || subject.unlisted.received + subject.unlisted.sent > 0) return new Map();
  const replay = replayOf(
    subject,
    () => 'none',
    () => false,
  );
  return overspentOf(replay.steps).assets;
}

function toIndirect(
  chain: Chain,
  { direction, category, standing, parties }: MoneyKind,
  traced: Trace,
): IndirectExposure {
  const usd = parties.reduce((sum, party) => sum + party.usd, 0);
  const recentUsd = parties.reduce((sum, party) => sum + party.recentUsd, 0);
  const paths = parties.map((party) => evidencePath(party, direction).map(({ transfer }) => transfer));
  const times = paths.flatMap((path) => path.map(({ at }) => at));
  // Of what a market passed on within the transaction the address's own transfer is with the market.
  const counterparties = ownTransfers(traced, parties).map(([{ transfer }]) => {
    const { paidOut } = transfer;
    const own = paidOut ? (direction === 'sent' ? paidOut.given : paidOut.got) : transfer;
    return addressOf(farEnd(own, direction));
  });
  return {
    direction,
    category,
    ...(standing && { standing }),
    share: traced.totalUsd > 0 ? Math.min(1, usd / traced.totalUsd) : 0,
    usd,
    recentUsd,
    recentShare: traced.recentUsd > 0 ? Math.min(1, recentUsd / traced.recentUsd) : 0,
    // Beyond a bridge, its fee is still in what the far end paid or not yet in what it got.
    ...(paths.flat().some(({ bridge }) => bridge?.end === null) ? {} : { amounts: amountsOf(parties, direction) }),
    addresses: parties.length,
    minHops: Math.min(...parties.map((party) => party.hops)),
    evidence: [...new Set(paths.flatMap((path) => path.slice(0, 1).map(transferName)))],
    counterparties: [...new Set(counterparties)],
    span: {
      from: times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      to: times.reduce((a, b) => Math.max(a, b), 0),
    },
    // Largest first.
    ways: parties.slice(0, WAYS).map((party, i) => ({
      address: addressOf(party.address),
      usd: party.usd,
      hops: party.hops,
      ...(chainOf(party.address) === chain ? {} : { chain: chainOf(party.address) }),
      path: (paths[i] ?? []).flatMap((transfer) => transferIds(transfer, direction)),
    })),
  };
}

/** The same of assets without a price: no dollars, but the largest share of one asset, and the quantities at the subject. */
function withoutPrice(chain: Chain, kind: MoneyKind, traced: Trace): IndirectExposure {
  const fact = toIndirect(chain, kind, traced);
  const own = new Map<string, Omit<UnpricedPart, 'amount'> & { amount: number }>();
  for (const portion of kind.parties.flatMap(({ arrivals }) => arrivals)) {
    const { transfer } = firstOf(portion);
    const token = transfer.assetId === COIN ? null : transfer.assetId.replace(/^symbol:/, '');
    const known = own.get(transfer.assetId) ?? { asset: transfer.asset, token, share: 0, amount: 0 };
    // Each asset is worth one dollar.
    known.share += portion.usd;
    known.amount += (portion.usd / transfer.usd) * Number(transfer.amount);
    own.set(transfer.assetId, known);
  }
  const unpriced = [...own.values()]
    .map(({ amount, ...part }) => ({ ...part, share: rounded(Math.min(1, part.share)), amount: decimalOf(amount) }))
    .sort((a, b) => b.share - a.share);
  const amounts = unpriced.slice(0, AMOUNTS_MAX).map(({ amount, asset }) => `${amount} ${asset}`);
  const ways = fact.ways.map((way) => ({ ...way, usd: 0 }));
  return { ...fact, usd: 0, share: 0, recentUsd: 0, recentShare: 0, amounts, ways, unpriced };
}

function decimalOf(amount: number): string {
  return plainDecimal(String(Number(amount.toPrecision(12)))) ?? '0';
}

function amountsOf(parties: readonly TracedParty[], direction: Direction): string[] {
  const arrivals = parties.flatMap((party) => party.arrivals);
  const usd = new Map<string, number>();
  for (const { transfer, usd: part } of arrivals) {
    const { asset } = atTheParty(transfer, direction);
    usd.set(asset, (usd.get(asset) ?? 0) + part);
  }
  const ranked = Object.entries(assetsOf({ arrivals }, direction)).sort(([a], [b]) => usd.get(b)! - usd.get(a)!);
  return ranked.slice(0, AMOUNTS_MAX).map(([asset, amount]) => `${amount} ${asset}`);
}

/** Returns the money whose trace ended at a limit of ours, where the level rests on a part because of it; else nothing. */
function beyondReach({ unattributed, ends, suspectUsd, totalUsd }: Trace, direction: Direction): MoneyBeyond[] {
  const whole = totalUsd - (unattributed.get('own_money') ?? 0);
  const leastUsd = (1 - FULL_BASIS.explained_share) * whole;
  const isSuspect = suspectUsd > leastUsd;
  const reasons = isSuspect ? CUT_SHORT : BEYOND_REACH;
  const usd = reasons.reduce((sum, reason) => sum + (unattributed.get(reason) ?? 0), 0);
  if (whole < FULL_BASIS.from_usd || usd <= leastUsd) return [];
  const arrivals = ends.flatMap((end) => (reasons.includes(end.reason) ? end.arrivals : []));
  return [
    {
      ...{ direction, usd, share: Math.min(1, usd / whole) },
      isSuspect,
      hops: arrivals.reduce((most, { hops }) => Math.max(most, hops), 0),
      evidence: [...new Set(arrivals.map(firstOf).map(({ transfer }) => transferName(transfer)))],
      counterparties: [...new Set(arrivals.map(firstOf).map(({ transfer }) => addressOf(farEnd(transfer, direction))))],
      span: spanOf(arrivals),
    },
  ];
}

/** The subject's own transfer on a way. */
function firstOf(portion: FlowPortion): FlowPortion {
  let first = portion;
  while (first.onto) first = first.onto;
  return first;
}

/** Epoch ms of the first and the last transfer on the ways. */
function spanOf(arrivals: readonly FlowPortion[]): { from: number; to: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const arrival of arrivals) {
    for (let one: FlowPortion | null = arrival; one; one = one.onto) {
      [from, to] = [Math.min(from, one.transfer.at), Math.max(to, one.transfer.at)];
    }
  }
  return { from, to };
}

function sharedTakings(own: Accomplice | undefined): SharedTakings | undefined {
  // A collector is graded by its own dealings with the taker, and who was paid by order by what it was paid.
  if (!own || own.kind === 'collector' || own.kind === 'ordered') return undefined;
  return {
    transactions: new Set(own.received.map(({ txHash }) => txHash)),
    taken: [...new Set(own.taken.map(transferName))],
    takers: [...own.takers].map(addressOf).sort(),
    victims: own.victims.size,
    ...(own.kind === 'robber' && { variant: 'robbed' }),
    ...(own.kind === 'owned' && { variant: 'owned' }),
    ...(own.kind === 'seller' && { variant: 'sold', usd: usdOf(own.received), isUnsure: own.isUnsure }),
  };
}

const SAID: Record<Accomplice['kind'], string> = {
  beside: 'paid together with',
  collector: 'collects for',
  robber: 'robbed together with',
  owned: 'is a contract of',
  seller: 'sold what came of',
  ordered: 'is paid by order of',
};

/** Labels of this engine itself: they taint as any report does, and who lives of takings as a source that is sure. */
function inferredLabels(subject: string, { accomplices, labels, opened }: MoneyTraces): Map<string, Label> {
  const found = new Map<string, Label>();
  for (const [key, accomplice] of accomplices) {
    const history = opened.get(key);
    const taker = takerOf(accomplice);
    const category = labels.get(taker)?.category;
    if (key === subject || !category || !history || !isSource(accomplice, history)) continue;
    const { label } = labels.get(taker)!;
    found.set(addressOf(key), {
      chain: chainOf(key),
      address: addressOf(key),
      category,
      label: `${SAID[accomplice.kind]} ${label ?? addressOf(taker)}`,
      source: INFERENCE,
      confidence: certaintyOf(accomplice, history),
      entity: null,
      validFrom: null,
      validTo: null,
      maliciousContract: false,
    });
  }
  return found;
}

function returnedParts(subject: GraphAddress | undefined): Map<string, number> {
  const parts = (subject?.received ?? []).flatMap(({ id }): [string, number][] => {
    const sides = subject?.restitution?.sides.get(id) ?? [];
    return sides.length > 0 ? [[id, sides.reduce((sum, { part }) => sum + part, 0)]] : [];
  });
  return new Map(parts);
}

/**
 * The parts of an address's own transfers that a trace found to be its own money. What passes a wallet is mixed there, so
 * each counterparty's is spread over all transfers with it, the recent ones apart.
 */
function circledParts(
  own: readonly TracedTransfer[],
  { ends, recentSince }: Trace,
  direction: Direction,
): Map<string, number> {
  const groupOf = (transfer: TracedTransfer) => `${farEnd(transfer, direction)} ${transfer.at >= recentSince}`;
  const circled = new Map<string, number>();
  for (const arrival of ends.flatMap(({ reason, arrivals }) => (reason === 'own_money' ? arrivals : []))) {
    const group = groupOf(firstOf(arrival).transfer);
    circled.set(group, (circled.get(group) ?? 0) + arrival.usd);
  }
  if (circled.size === 0) return new Map();
  const moved = new Map<string, number>();
  for (const transfer of own) moved.set(groupOf(transfer), (moved.get(groupOf(transfer)) ?? 0) + transfer.usd);
  return new Map(
    own.flatMap((transfer) => {
      const [part, whole] = [circled.get(groupOf(transfer)) ?? 0, moved.get(groupOf(transfer)) ?? 0];
      return part > 0 && whole > 0 ? heldIds(transfer).map((id) => [id, Math.min(1, part / whole)] as const) : [];
    }),
  );
}

/** Lists the crossings of money that an address sent, as far as a trace goes over them. */
function bridgedDeposits(sent: readonly TracedTransfer[]): BridgedDeposit[] {
  return sent.flatMap((transfer) => {
    const { crossing, end } = transfer.bridge ?? {};
    if (!crossing?.destination || crossing.match === 'likely' || end !== null) return [];
    const { protocol, destination } = crossing;
    return heldIds(transfer).map((id) => ({
      transfer: id,
      protocol,
      chain: destination.chain,
      arrivedTx: destination.tx,
    }));
  });
}

/** Both sides of a crossing, the one nearer to the subject first. */
function transferIds(transfer: TracedTransfer, direction: Direction): string[] {
  const { bridge } = transfer;
  if (!bridge || bridge.end !== null) return [transferName(transfer)];
  const { source, destination } = bridge.crossing;
  const far = direction === 'received' ? source : destination;
  return [transferName(transfer), ...(far ? [`${far.tx}#log:${far.position}`] : [])];
}
