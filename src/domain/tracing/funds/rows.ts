import { addressOf, chainOf } from '../../address/address-key.ts';
import { plainDecimal, rounded, roundUsd } from '../../amount.ts';
import { bridgeFacts } from '../../bridges/bridge-facts.ts';
import { compare } from '../../compare.ts';
import { groupBy } from '../../group-by.ts';
import { type Category, KNOW_CUSTOMERS } from '../../label.ts';
import { iso } from '../../time.ts';
import { type Carried, type Direction, endedBridge } from '../carried.ts';
import { hopsOf } from '../hop.ts';
import type { EndedBridge, TracedTransfer } from '../traced-transfer.ts';
import type { EndReason } from '../walk/ends.ts';
import { assetsOf, atTheParty, evidencePath, mergeTiers, pricedUsd } from '../walk/evidence.ts';
import type { Trace } from '../walk/findings.ts';
import { arrivalsOf, type Deposits, depositParts } from './arrivals.ts';
import { exactly } from './exactly.ts';
import { FUND_KINDS, type FundKind, type FundsRow } from './row.ts';
import { EndsSum, type SummedEnd } from './sum-rows.ts';
import { tagParts } from './tag-parts.ts';

/** Rows that are shown one by one. */
const ROWS_MAX = 200;
const QUANTITY_DIGITS = 12;
/** Dollars of sums differ by less. */
const ROUNDING = 1e-9;
const HALF_CENT = 0.005;
/** Part of a value by which two ways of reckoning it differ. */
const VALUE_ROUNDING = 1e-7;
/** Transfers of one end that are listed. */
const ARRIVALS_MAX = 50;

interface End {
  kind: FundKind;
  /** Graph key. */
  key: string;
  category: Category | null;
  label: string | null;
  usd: number;
  hops: number;
  arrivals: Carried[];
  /** Whole coins by asset symbol; null: what the arrivals carried. */
  quantities: ReadonlyMap<string, number> | null;
  /** Null as its reason: it is known where it went on. */
  bridge: NonNullable<TracedTransfer['bridge']> | null;
}

export interface FundsRows {
  totalUsd: number;
  /** Largest first; their US dollars add up to the total. */
  rows: FundsRow[];
}

export interface RowsRequest {
  direction: Direction;
  /** Awaited after each end, so that other work of the process goes on. */
  pause: () => Promise<void> | undefined;
  /** The balance that the chain stated at the last reading of an address: decimal strings by asset symbol; left out: none. */
  balanceOf?: (key: string, assets: Record<string, string>) => Record<string, string> | null;
  /** US dollars that an address had paid to the subject: money that went back to it is not held by a stranger. Left out: none. */
  paidBy?: (key: string) => number;
  /** Rows for one end each; left out: 200. */
  rowsMax?: number;
  /** Transfers that are listed of one end; left out: 50. */
  arrivalsMax?: number;
  /** Finds the deposit addresses of services that know their customers; left out: none. */
  deposits?: Deposits;
}

/** Returns where all of a trace's money ended, one row for each of the largest ends, the others summed by kind and category. */
export async function fundsRows(
  trace: Pick<Trace, 'parties' | 'ends' | 'totalUsd'> & Partial<Pick<Trace, 'unpricedBridged'>>,
  request: RowsRequest,
): Promise<FundsRows> {
  const { direction, pause, rowsMax = ROWS_MAX } = request;
  const ends = [...partyEnds(trace, direction), ...otherEnds(trace, request), ...unpricedEnds(trace)].sort(
    (a, b) => b.usd - a.usd || compare(a.key, b.key) || compare(a.kind, b.kind),
  );
  const shown = ends.slice(0, rowsMax);
  const sums = new Map<string, EndsSum>();
  for (const end of ends.slice(rowsMax)) {
    const name = `${end.kind} ${end.category}`;
    const sum = sums.get(name) ?? new EndsSum(end);
    sums.set(name, sum);
    sum.add({ ...amountsOf(end, direction), usd: valueAt(end, direction), count: 1 }, end.usd);
    const paused = pause();
    if (paused) await paused;
  }
  const all = [...shown, ...sums.values()];
  const { total, parts } = exactly(
    trace.totalUsd,
    all.map((one) => (one instanceof EndsSum ? one.followedUsd : one.usd)),
  );
  const rows: FundsRow[] = [];
  for (const [i, one] of all.entries()) {
    const followedUsd = parts[i] as number;
    const share = total > 0 ? Math.min(1, rounded(followedUsd / total)) : 0;
    const value = one instanceof EndsSum ? one.usd : valueAt(one, direction);
    const usd = Math.abs(value - followedUsd) < VALUE_ROUNDING * Math.max(1, value) ? followedUsd : roundUsd(value);
    const figures = { usd, followed_usd: followedUsd, share };
    rows.push(one instanceof EndsSum ? one.row(figures) : { ...rowOf(one, request), ...figures });
    await pause();
  }
  rows.sort((a, b) => b.usd - a.usd);
  const change = roundUsd(rows.reduce((rest, { usd }) => rest - usd, total));
  if (Math.abs(change) >= HALF_CENT) return { totalUsd: total, rows: [...rows, priceChange(change)] };
  if (rows[0]) rows[0].usd = roundUsd(rows[0].usd + change);
  return { totalUsd: total, rows };
}

/** Adds up US dollars of what ended: its quantities at the prices of their time; the followed money where these have none. */
function valueAt(end: End, direction: Direction): number {
  const { arrivals, quantities, usd } = end;
  if (arrivals.length === 0) return usd;
  if (quantities === null) return pricedUsd(end, direction) ?? usd;
  let value = 0;
  for (const [asset, quantity] of quantities) {
    const brought = arrivals.filter(({ transfer }) => atTheParty(transfer, direction).asset === asset);
    const [worth, amount] = [pricedUsd({ arrivals: brought }, direction), quantityOf(brought, direction)];
    if (worth === null || amount <= 0) return usd;
    value += (worth * quantity) / amount;
  }
  return value;
}

function quantityOf(arrivals: readonly Carried[], direction: Direction): number {
  const amounts = arrivals.map((one) => Number(atTheParty(one.transfer, direction).amount) * Math.min(1, one.fraction));
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Returns the row of what the money lost in price on its way, exchanges included; below 0 what it gained. */
function priceChange(usd: number): FundsRow {
  return {
    ...new EndsSum({ kind: 'price_change', category: null }).row({ usd, followed_usd: 0, share: 0 }),
    hops: 0,
    count: 1,
  };
}

/** Labelled parties, each once; apart from it what ended at a bridge, a row for each crossing, and deposits at exchanges of tokens. */
function partyEnds({ parties }: Pick<Trace, 'parties'>, direction: Direction): End[] {
  return mergeTiers(parties).flatMap(({ address: key, category, label, arrivals, isUnlabelledBridge }) => {
    const ended = new Map<string, { bridge: EndedBridge | null; kind: FundKind; carried: Carried[] }>();
    for (const one of arrivals) {
      if (one.usd <= 0) continue;
      const bridge = endedBridge(one, direction);
      const kind = one.isDeposit ? 'contract' : bridge || isUnlabelledBridge ? 'bridge' : 'party';
      const name = bridge === null ? kind : bridge.end === 'cross_chain_off' ? 'off' : bridge.crossing.id;
      const known = ended.get(name) ?? { bridge, kind, carried: [] };
      known.carried.push(one);
      ended.set(name, known);
    }
    return [...ended.values()].map(({ bridge, kind, carried }): End => {
      const usd = carried.reduce((sum, one) => sum + one.usd, 0);
      const hops = carried.reduce((least, one) => Math.min(least, one.hops), Number.POSITIVE_INFINITY);
      return { kind, key, category, label, usd, hops, arrivals: carried, quantities: null, bridge };
    });
  });
}

/** Lists what went over bridges without a price: a row for each crossing, or for each contract where none is known. */
function unpricedEnds({ unpricedBridged = [] }: Partial<Pick<Trace, 'unpricedBridged'>>): End[] {
  const nameOf = ({ address, carried }: (typeof unpricedBridged)[number]) =>
    carried.transfer.bridge?.crossing.id ?? address;
  return [...groupBy(unpricedBridged, nameOf).values()].flatMap(([first, ...others]): End[] => {
    if (!first) return [];
    const { address: key, label, carried } = first;
    const arrivals = [carried, ...others.map((one) => one.carried)];
    const none = { usd: 0, hops: 1, quantities: null };
    return [
      { kind: 'bridge', key, category: 'bridge', label, ...none, arrivals, bridge: carried.transfer.bridge ?? null },
    ];
  });
}

/** Ends at a wallet of which the trace does not see that it paid the money on. */
const STAYED: readonly FundKind[] = ['held', 'not_read', 'not_read_since', 'partial_history'];

function otherEnds({ ends }: Pick<Trace, 'ends'>, { direction, paidBy = () => 0 }: RowsRequest): End[] {
  const kindAt = (key: string, reason: EndReason, usd: number): FundKind => {
    const kind = kindOf(reason);
    const wentBack = direction === 'sent' && STAYED.includes(kind) && usd <= paidBy(key) * (1 + ROUNDING);
    return wentBack ? 'returned' : kind;
  };

  return ends
    .filter(({ usd }) => usd > 0)
    .map(({ address: key, reason, ...end }) => ({
      ...end,
      key,
      kind: kindAt(key, reason, end.usd),
      category: null,
      label: null,
      bridge: null,
    }));
}

function kindOf(reason: EndReason): FundKind {
  // The others are reasons of bridges.
  return FUND_KINDS.find((kind) => kind === reason) ?? 'bridge';
}

function rowOf(
  end: End,
  { direction, balanceOf = () => null, arrivalsMax = ARRIVALS_MAX, deposits }: RowsRequest,
): Omit<FundsRow, 'usd' | 'followed_usd' | 'share'> {
  const { kind, key, category, label, arrivals, bridge } = end;
  const isAsked = direction === 'sent' && kind === 'party' && category !== null && KNOW_CUSTOMERS.includes(category);
  const byDeposit = isAsked && deposits ? depositParts(key, arrivals, deposits, arrivalsMax) : [];
  const amounts = amountsOf(end, direction);
  return {
    kind,
    category,
    address: addressOf(key),
    chain: chainOf(key),
    label,
    entity: null,
    ...amounts,
    balance: kind === 'held' ? balanceOf(key, amounts.assets) : null,
    count: 1,
    path: arrivals.length > 0 ? hopsOf(direction, evidencePath(end, direction)) : [],
    arrivals: arrivalsOf(arrivals, direction, arrivalsMax),
    ...(byDeposit.length > 0 ? { deposits: byDeposit } : {}),
    ...tagParts(arrivals, direction),
    ...(bridge && bridge.end !== 'cross_chain_off' ? { bridge: bridgeFacts(bridge.crossing, bridge.end) } : {}),
  };
}

function amountsOf(end: End, direction: Direction): Omit<SummedEnd, 'usd' | 'count'> {
  return { assets: quantitiesOf(end, direction), hops: end.hops, ...spanOf(end) };
}

/** Of one address exactly where all that arrived is still there, else to twelve digits. */
function quantitiesOf({ arrivals, quantities }: End, direction: Direction): Record<string, string> {
  const arrived = assetsOf({ arrivals }, direction);
  if (quantities === null) return arrived;
  const amounts = [...quantities].flatMap(([asset, quantity]) => {
    const whole = arrived[asset];
    if (whole !== undefined && quantity > Number(whole) * (1 - 1e-12)) return [[asset, whole] as const];
    const amount = plainDecimal(quantity.toPrecision(QUANTITY_DIGITS)) ?? '0';
    return amount === '0' ? [] : [[asset, amount] as const];
  });
  return Object.fromEntries(amounts.sort(([a], [b]) => compare(a, b)));
}

function spanOf({ arrivals, usd: all }: End): Pick<FundsRow, 'first_at' | 'last_at' | 'transfers'> {
  const carrying = arrivals.filter(({ usd }) => usd > 0 || all === 0).map(({ transfer }) => transfer);
  if (carrying.length === 0) return { first_at: null, last_at: null, transfers: 0 };
  const first = carrying.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const last = carrying.reduce((most, { at }) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  return { first_at: iso(first), last_at: iso(last), transfers: new Set(carrying.map(({ id }) => id)).size };
}
