import { addressOf, chainOf } from '../../../domain/address/address-key.ts';
import { plainDecimal, roundUsd, shareOfMoney, sumByAsset } from '../../../domain/amount.ts';
import { append } from '../../../domain/append.ts';
import { bridgeFacts } from '../../../domain/bridges/bridge-facts.ts';
import { compare } from '../../../domain/compare.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type Category, KNOW_CUSTOMERS } from '../../../domain/label.ts';
import { iso } from '../../../domain/time.ts';
import { FUND_KINDS, type FundKind, type FundsRow } from '../../../domain/tracing/answers.ts';
import { isNullAddress } from '../../../domain/tracing/asset-id.ts';
import { type Direction, type EndReason, endedBridge, type FlowPortion } from '../../../domain/tracing/flow-portion.ts';
import { byRule, rangeOf } from '../../../domain/tracing/funds-row.ts';
import { hopsOf } from '../../../domain/tracing/hop.ts';
import type { MeasuredRule } from '../../../domain/tracing/rule.ts';
import type { EndedBridge, TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { assetsOf, atTheParty, evidencePath, mergeTiers, pricedUsd } from '../../engine/walk/evidence.ts';
import type { Trace } from '../../engine/walk/findings.ts';
import { arrivalsOf, type Deposits, depositParts, exactly, tagParts } from '../arrivals.ts';
import { EndsSum, type SummedEnd } from './sum-rows.ts';

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
  /** Unique name of the end, the same by every rule of attribution. */
  name: string;
  kind: FundKind;
  /** Graph key. */
  key: string;
  category: Category | null;
  label: string | null;
  usd: number;
  hops: number;
  arrivals: FlowPortion[];
  /** Whole coins by asset symbol; null: what the arrivals carried. */
  quantities: ReadonlyMap<string, number> | null;
  /** Null as its reason: it is known where it went on. */
  bridge: NonNullable<TracedTransfer['bridge']> | null;
  /** The ends at the addresses of one holder that this one joins, largest first; empty for a single one. */
  parts: readonly End[];
}

/** The holder of an address. */
interface Holder {
  id: string;
  /** Null without a sure label. */
  name: string | null;
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
  /** The balance that the chain stated at the last reading of an address: decimal strings by asset symbol; default: none. */
  balanceOf?: (key: string, assets: Record<string, string>) => Record<string, string> | null;
  /** Finds what an address paid to the subject: money that goes back to it is not held by a stranger. Default: nothing. */
  paymentsOf?: (key: string) => readonly TracedTransfer[];
  /** Rows for one end each; default: 200. */
  rowsMax?: number;
  /** Transfers that are listed of one end; default: 50. */
  arrivalsMax?: number;
  /** Finds the deposit addresses of services that know their customers; default: none. */
  deposits?: Deposits;
  /** The same money by the other rules that say amounts: each row gets what it is by every rule. Left out: rows have no range. */
  byRule?: ReadonlyMap<MeasuredRule, Ended>;
  /** The same money where all that it touched is reached: adds the parties that no amount leads to. Left out: none. */
  touched?: Ended | undefined;
  /** Finds the holder of an address (graph key): its ends of one kind, category and chain are one row. Left out: each end is one. */
  holderOf?: (key: string) => Holder | undefined;
}

/** The part of a trace that says where its money ended. */
type Ended = Pick<Trace, 'parties' | 'ends' | 'totalUsd' | 'unpricedBridged'>;

/** Returns where all of a trace's money ended, one row for each of the largest ends, the others summed by kind and category. */
export async function fundsRows(trace: Ended, request: RowsRequest): Promise<FundsRows> {
  const { rowsMax = ROWS_MAX, touched } = request;
  const single = endsOf(trace, request);
  const ends = byHolder(single, request);
  const isAll = ends.length <= rowsMax;
  const names = new Set(ends.slice(0, rowsMax).map(({ name }) => name));
  // It is known why new and destroyed units have another side without a holder: a sum would say that nothing explains them.
  // Crossings, of which there may be thousands, say where theirs come from.
  const isIssued = ({ key, bridge }: End) => bridge === null && isNullAddress(key);
  const isShown = (end: End) => isAll || names.has(end.name) || isIssued(end);
  const { total, change, figured } = await figuresOf(trace.totalUsd, ends.filter(isShown), { ends, isShown, request });
  const rows: FundsRow[] = [];
  for (const { one, figures } of figured) {
    rows.push(one instanceof EndsSum ? one.row(figures) : { ...rowOf(one, request), ...figures });
    await request.pause();
  }
  if (change !== 0) rows.push(priceChange(change));
  if (request.byRule) await addRanges(rows, { single, isShown, total, figured, change, request });
  if (touched) append(rows, touchedRows(touched, new Set(single.map(({ key }) => key)), request));
  return { totalUsd: total, rows };
}

interface Figured {
  name: string;
  one: End | EndsSum;
  figures: { usd: number; followed_usd: number; share: number };
}

interface Figures {
  total: number;
  /** US dollars of the row that makes the others add up; 0 for none. */
  change: number;
  /** Largest first. */
  figured: Figured[];
}

/** The amounts of the ends that are shown, and of sums of the others. */
async function figuresOf(
  totalUsd: number,
  shown: readonly End[],
  { ends, isShown, request }: { ends: readonly End[]; isShown: (end: End) => boolean; request: RowsRequest },
): Promise<Figures> {
  const { direction, pause } = request;
  const sums = new Map<string, EndsSum>();
  for (const end of ends) {
    if (isShown(end)) continue;
    const name = `${end.kind} ${end.category}`;
    const sum = sums.get(name) ?? new EndsSum(end);
    sums.set(name, sum);
    sum.add({ ...amountsOf(end, direction), usd: valueAt(end, direction), count: countOf(end) }, end.usd);
    const paused = pause();
    if (paused) await paused;
  }
  const all = [...shown.map((end) => [end.name, end] as const), ...sums];
  const { total, parts } = exactly(
    totalUsd,
    all.map(([, one]) => (one instanceof EndsSum ? one.followedUsd : one.usd)),
  );
  const figured = all.map(([name, one], i): Figured => {
    const followedUsd = parts[i] as number;
    const share = shareOfMoney(followedUsd, total);
    const value = one instanceof EndsSum ? one.usd : valueAt(one, direction);
    const usd = Math.abs(value - followedUsd) < VALUE_ROUNDING * Math.max(1, value) ? followedUsd : roundUsd(value);
    return { name, one, figures: { usd, followed_usd: followedUsd, share } };
  });
  figured.sort((a, b) => b.figures.usd - a.figures.usd);
  const change = roundUsd(figured.reduce((rest, { figures }) => rest - figures.usd, total));
  const [first] = figured;
  const isRounding = Math.abs(change) < HALF_CENT;
  if (isRounding && first) first.figures.usd = roundUsd(first.figures.usd + change);
  return { total, change: isRounding ? 0 : change, figured };
}

/** Gives each row what it is by every rule, and adds rows for ends that other rules alone reach. */
async function addRanges(
  rows: FundsRow[],
  {
    single,
    isShown,
    request,
    ...usual
  }: { single: readonly End[]; isShown: (end: End) => boolean; request: RowsRequest } & Figures,
): Promise<void> {
  const kinds = new Map(single.map(({ name, kind }) => [name, kind]));
  const ruled = new Map<MeasuredRule, Figures>([['pro_rata', usual]]);
  for (const [rule, trace] of request.byRule ?? []) {
    const known = endsOf(trace, request).map((end) => ({ ...end, kind: kinds.get(end.name) ?? end.kind }));
    const own = byHolder(known, request);
    ruled.set(rule, await figuresOf(trace.totalUsd, own.filter(isShown), { ends: own, isShown, request }));
  }
  const amounts = new Map(
    [...ruled].map(([rule, { figured }]) => [rule, new Map(figured.map((one) => [one.name, one]))]),
  );
  const rangeAt = (name: string) =>
    rangeOf(
      byRule((rule) => {
        const found = amounts.get(rule)?.get(name);
        if (!found) return { usd: 0, assets: {} };
        const { one, figures } = found;
        const assets = one instanceof EndsSum ? one.row(figures).assets : quantitiesOf(one, request.direction);
        return { usd: figures.usd, assets };
      }),
    );
  for (const [i, { name }] of usual.figured.entries()) (rows[i] as FundsRow).range = rangeAt(name);
  const known = new Set(usual.figured.map(({ name }) => name));
  const none = { usd: 0, followed_usd: 0, share: 0 };
  for (const { name, one } of [...ruled.values()].flatMap(({ figured }) => figured)) {
    if (known.has(name)) continue;
    known.add(name);
    const row = one instanceof EndsSum ? one.row(none) : { ...rowOf(one, request), ...none };
    rows.push({ ...row, assets: {}, range: rangeAt(name) });
  }
  const changes = byRule((rule) => ({ usd: ruled.get(rule)?.change ?? 0, assets: {} }));
  if (Object.values(changes).every(({ usd }) => usd === 0)) return;
  const row = rows.find(({ kind }) => kind === 'price_change') ?? priceChange(0);
  row.range = rangeOf(changes);
  if (!rows.includes(row)) rows.push(row);
}

/** Labelled parties that touched money reaches, and none of the amounts: nearest first, beyond those shown summed. */
function touchedRows({ parties }: Ended, known: ReadonlySet<string>, request: RowsRequest): FundsRow[] {
  const reached = mergeTiers(parties).filter(({ address, usd }) => usd <= 0 && !known.has(address));
  const single = reached.map(({ address: key, category, label, hops, arrivals, isUnlabelledBridge }): End => {
    const kind = isUnlabelledBridge ? 'bridge' : 'party';
    return { name: '', kind, key, category, label, usd: 0, hops, arrivals, quantities: null, bridge: null, parts: [] };
  });
  const ends = byHolder(single, request).sort((a, b) => a.hops - b.hops || compare(a.key, b.key));
  const { rowsMax = ROWS_MAX, direction, byRule: rules } = request;
  const sums = new Map<string, EndsSum>();
  for (const end of ends.slice(rowsMax)) {
    const name = `${end.kind} ${end.category}`;
    const sum = sums.get(name) ?? new EndsSum(end);
    sums.set(name, sum);
    sum.add({ ...amountsOf(end, direction), usd: 0, count: countOf(end) });
  }
  const none = { usd: 0, followed_usd: 0, share: 0 };
  const rows = [
    ...ends.slice(0, rowsMax).map((end) => ({ ...rowOf(end, request), ...none })),
    ...[...sums.values()].map((sum) => sum.row(none)),
  ];
  const range = rules ? { range: rangeOf(byRule(() => ({ usd: 0, assets: {} }))) } : {};
  return rows.map((row): FundsRow => ({ ...row, assets: {}, reached: 'path', ...range }));
}

/** All ends of the money, largest first. */
function endsOf(trace: Ended, request: RowsRequest): End[] {
  const ends = [...partyEnds(trace, request.direction), ...otherEnds(trace, request), ...unpricedEnds(trace)];
  return ends.sort(byUsd);
}

function byUsd(a: End, b: End): number {
  return b.usd - a.usd || compare(a.key, b.key) || compare(a.kind, b.kind);
}

/** The ends with one for the addresses of each holder on a chain, largest first. What ended at a crossing stays by itself. */
function byHolder(ends: readonly End[], { holderOf }: RowsRequest): End[] {
  if (!holderOf) return [...ends];
  const nameOf = ({ name, kind, category, key, bridge }: End) => {
    const holder = bridge === null ? holderOf(key) : undefined;
    return holder ? `${kind} ${category} ${chainOf(key)} held by ${holder.id}` : `${name} ${key}`;
  };
  const joined = [...groupBy(ends, nameOf)].map(([name, parts]): End => {
    const [main] = parts.sort(byUsd) as [End];
    if (parts.length === 1) return main;
    const label = main.category === null ? main.label : (holderOf(main.key)?.name ?? main.label);
    const usd = parts.reduce((sum, part) => sum + part.usd, 0);
    const hops = Math.min(...parts.map((part) => part.hops));
    return { ...main, name, label, usd, hops, arrivals: parts.flatMap(({ arrivals }) => arrivals), parts };
  });
  return joined.sort(byUsd);
}

/** The addresses at which it ended. */
function countOf({ parts }: End): number {
  return Math.max(1, new Set(parts.map(({ key }) => key)).size);
}

/** Adds up US dollars of what ended: its quantities at the prices of their time; the followed money where these have none. */
function valueAt(end: End, direction: Direction): number {
  const { arrivals, quantities, usd, parts } = end;
  if (parts.length > 0) return parts.reduce((sum, part) => sum + valueAt(part, direction), 0);
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

function quantityOf(arrivals: readonly FlowPortion[], direction: Direction): number {
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
function partyEnds({ parties }: Ended, direction: Direction): End[] {
  return mergeTiers(parties).flatMap(({ address: key, category, label, arrivals, isUnlabelledBridge }) => {
    const ended = new Map<string, { bridge: EndedBridge | null; kind: FundKind; portions: FlowPortion[] }>();
    for (const one of arrivals) {
      if (one.usd <= 0) continue;
      const bridge = endedBridge(one, direction);
      const kind = one.isDeposit ? 'contract' : bridge || isUnlabelledBridge ? 'bridge' : 'party';
      const name = bridge === null ? kind : bridge.end === 'cross_chain_off' ? 'off' : bridge.crossing.id;
      const known = ended.get(name) ?? { bridge, kind, portions: [] };
      known.portions.push(one);
      ended.set(name, known);
    }
    return [...ended].map(([way, { bridge, kind, portions }]): End => {
      const usd = portions.reduce((sum, one) => sum + one.usd, 0);
      const hops = portions.reduce((least, one) => Math.min(least, one.hops), Number.POSITIVE_INFINITY);
      const name = `${kind} ${way} ${key}`;
      return { name, kind, key, category, label, usd, hops, arrivals: portions, quantities: null, bridge, parts: [] };
    });
  });
}

/** Lists what went over bridges without a price: a row for each crossing, or for each contract where none is known. */
function unpricedEnds({ unpricedBridged }: Ended): End[] {
  const nameOf = ({ address, portion }: (typeof unpricedBridged)[number]) =>
    portion.transfer.bridge?.crossing.id ?? address;
  return [...groupBy(unpricedBridged, nameOf)].flatMap(([id, [first, ...others]]): End[] => {
    if (!first) return [];
    const { address: key, label, portion } = first;
    const arrivals = [portion, ...others.map((one) => one.portion)];
    const none = { usd: 0, hops: 1, quantities: null };
    const name = `unpriced ${id}`;
    return [
      {
        name,
        kind: 'bridge',
        key,
        category: 'bridge',
        label,
        ...none,
        arrivals,
        bridge: portion.transfer.bridge ?? null,
        parts: [],
      },
    ];
  });
}

/** Ends at a wallet of which the trace does not see that it paid the money on. */
const STAYED: readonly FundKind[] = ['held', 'not_read', 'not_read_since', 'partial_history'];

function otherEnds({ ends }: Ended, { direction, paymentsOf = () => [] }: RowsRequest): End[] {
  const kindAt = ({ address, reason, usd, arrivals }: Ended['ends'][number]): FundKind => {
    const kind = kindOf(reason);
    const mayBeBack = direction === 'sent' && STAYED.includes(kind);
    return mayBeBack && isRefund(usd, { arrivals, payments: paymentsOf(address) }) ? 'returned' : kind;
  };
  return ends
    .filter(({ usd }) => usd > 0)
    .map((end) => ({
      ...end,
      name: `${end.reason} ${end.address}`,
      key: end.address,
      kind: kindAt(end),
      category: null,
      label: null,
      bridge: null,
      parts: [],
    }));
}

/** True where an address had paid as much before, each time that a part of the US dollars came to it: later payments pass the money on. */
function isRefund(
  usd: number,
  { arrivals, payments }: { arrivals: readonly FlowPortion[]; payments: readonly TracedTransfer[] },
): boolean {
  if (arrivals.length === 0 || payments.length === 0) return false;
  const part = usd / arrivals.reduce((sum, one) => sum + one.usd, 0);
  const inTime = payments.toSorted((a, b) => a.at - b.at);
  let [next, paid, back] = [0, 0, 0];
  return arrivals
    .toSorted((a, b) => a.transfer.at - b.transfer.at)
    .every((one) => {
      for (; next < inTime.length && inTime[next]!.at < one.transfer.at; next++) paid += inTime[next]!.usd;
      back += part * one.usd;
      return back <= paid * (1 + ROUNDING);
    });
}

function kindOf(reason: EndReason): FundKind {
  // The others are reasons of bridges.
  return FUND_KINDS.find((kind) => kind === reason) ?? 'bridge';
}

function rowOf(
  end: End,
  { direction, balanceOf = () => null, arrivalsMax = ARRIVALS_MAX, deposits }: RowsRequest,
): Omit<FundsRow, 'usd' | 'followed_usd' | 'share'> {
  const { kind, key, category, label, arrivals, bridge, parts } = end;
  const isAsked = direction === 'sent' && kind === 'party' && category !== null && KNOW_CUSTOMERS.includes(category);
  const byDeposit = isAsked && deposits ? depositParts(key, arrivals, deposits, arrivalsMax) : [];
  const wallets = kind !== 'held' ? [] : parts.length > 0 ? parts : [end];
  const balances = wallets.map((one) => balanceOf(one.key, quantitiesOf(one, direction)));
  return {
    kind,
    category,
    address: addressOf(key),
    chain: chainOf(key),
    label,
    entity: null,
    ...amountsOf(end, direction),
    balance: balances.length > 0 && balances.every((one) => one !== null) ? sumByAsset(balances) : null,
    count: countOf(end),
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

/** Returns the quantities at an address: exact where all that arrived is still there, else to twelve digits. */
function quantitiesOf({ arrivals, quantities, parts }: End, direction: Direction): Record<string, string> {
  if (parts.length > 0) {
    const sums = Object.entries(sumByAsset(parts.map((part) => quantitiesOf(part, direction))));
    return Object.fromEntries(sums.sort(([a], [b]) => compare(a, b)));
  }
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
