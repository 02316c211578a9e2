import { addAmounts, plainDecimal, rounded, roundUsd } from '../../amount.ts';
import { bridgeFacts } from '../../bridges/bridge-facts.ts';
import { compare } from '../../compare.ts';
import { groupBy } from '../../group-by.ts';
import type { Category } from '../../label.ts';
import { iso } from '../../time.ts';
import { type Carried, type Direction, endedBridge } from '../carried.ts';
import { addressOf, chainOf, hopsOf } from '../hop.ts';
import type { EndedBridge } from '../traced-transfer.ts';
import type { EndReason } from '../walk/ends.ts';
import { assetsOf, evidencePath, mergeTiers } from '../walk/evidence.ts';
import type { Trace } from '../walk/findings.ts';
import { exactly } from './exactly.ts';
import { FUND_KINDS, type FundKind, type FundsRow } from './row.ts';

/** Rows that are shown one by one. */
const ROWS_MAX = 200;
const QUANTITY_DIGITS = 12;

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
  bridge: EndedBridge | null;
}

export interface FundsRows {
  totalUsd: number;
  /** Largest first; their US dollars add up to the total. */
  rows: FundsRow[];
}

/** Where all of a trace's money ended, one row for each end, those beyond 200 summed by kind and category. */
export function fundsRows(
  trace: Pick<Trace, 'parties' | 'ends' | 'totalUsd'>,
  direction: Direction,
  /** The balance that the chain stated at the last reading of an address: decimal strings by asset symbol. */
  balanceOf: (key: string, assets: Record<string, string>) => Record<string, string> | null,
): FundsRows {
  const ends = [...partyEnds(trace, direction), ...otherEnds(trace)].sort(
    (a, b) => b.usd - a.usd || compare(a.key, b.key) || compare(a.kind, b.kind),
  );
  const { total, parts } = exactly(
    trace.totalUsd,
    ends.map(({ usd }) => usd),
  );
  const rows = ends.map((end, i): FundsRow => {
    const usd = parts[i] as number;
    const share = total > 0 ? Math.min(1, rounded(usd / total)) : 0;
    return { ...rowOf(end, direction, i < ROWS_MAX), usd, share };
  });
  const shown = rows.slice(0, ROWS_MAX).map((row, i) => {
    const { key } = ends[i] as End;
    return row.kind === 'held' ? { ...row, balance: balanceOf(key, row.assets) } : row;
  });
  const summed = [...groupBy(rows.slice(ROWS_MAX), ({ kind, category }) => `${kind} ${category}`).values()].map(
    sumRows,
  );
  return { totalUsd: total, rows: [...shown, ...summed].sort((a, b) => b.usd - a.usd) };
}

/** Labelled parties, each once; what ended at a bridge stands apart, a row for each crossing. */
function partyEnds({ parties }: Pick<Trace, 'parties'>, direction: Direction): End[] {
  return mergeTiers(parties).flatMap(({ address: key, category, label, arrivals }) => {
    const ended = new Map<string, { bridge: EndedBridge | null; carried: Carried[] }>();
    for (const one of arrivals) {
      if (one.usd <= 0) continue;
      const bridge = endedBridge(one, direction);
      const name = bridge === null ? '' : bridge.end === 'cross_chain_off' ? 'off' : bridge.crossing.id;
      const known = ended.get(name) ?? { bridge, carried: [] };
      known.carried.push(one);
      ended.set(name, known);
    }
    return [...ended.values()].map(({ bridge, carried }): End => {
      const usd = carried.reduce((sum, one) => sum + one.usd, 0);
      const hops = carried.reduce((least, one) => Math.min(least, one.hops), Number.POSITIVE_INFINITY);
      const kind = bridge === null ? 'party' : 'bridge';
      return { kind, key, category, label, usd, hops, arrivals: carried, quantities: null, bridge };
    });
  });
}

function otherEnds({ ends }: Pick<Trace, 'ends'>): End[] {
  return ends
    .filter(({ usd }) => usd > 0)
    .map(({ address: key, reason, ...end }) => ({
      ...end,
      key,
      kind: kindOf(reason),
      category: null,
      label: null,
      bridge: null,
    }));
}

function kindOf(reason: EndReason): FundKind {
  // The others are reasons of bridges.
  return FUND_KINDS.find((kind) => kind === reason) ?? 'bridge';
}

function rowOf(end: End, direction: Direction, withPath: boolean): Omit<FundsRow, 'usd' | 'share'> {
  const { kind, key, category, label, hops, arrivals, bridge } = end;
  return {
    kind,
    category,
    address: addressOf(key),
    chain: chainOf(key),
    label,
    entity: null,
    assets: quantitiesOf(end, direction),
    balance: null,
    hops,
    ...spanOf(arrivals),
    count: 1,
    path: withPath && arrivals.length > 0 ? hopsOf(direction, evidencePath(end, direction)) : [],
    ...(bridge && bridge.end !== 'cross_chain_off' ? { bridge: bridgeFacts(bridge.crossing, bridge.end) } : {}),
  };
}

/** One row for rows of one kind and category. */
export function sumRows(rows: readonly FundsRow[]): FundsRow {
  const assets = new Map<string, string>();
  for (const row of rows) {
    for (const [asset, amount] of Object.entries(row.assets)) {
      assets.set(asset, addAmounts(assets.get(asset) ?? '0', amount));
    }
  }
  const first = rows.map(({ first_at }) => first_at ?? '').filter(Boolean);
  const last = rows.map(({ last_at }) => last_at ?? '').filter(Boolean);
  const sum = (of: (row: FundsRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    kind: (rows[0] as FundsRow).kind,
    category: (rows[0] as FundsRow).category,
    address: null,
    chain: null,
    label: null,
    entity: null,
    usd: roundUsd(sum(({ usd }) => usd)),
    share: rounded(sum(({ share }) => share)),
    assets: Object.fromEntries([...assets].sort(([a], [b]) => compare(a, b))),
    balance: null,
    hops: rows.reduce((least, { hops }) => Math.min(least, hops), Number.POSITIVE_INFINITY),
    first_at: first.reduce<string | null>((least, at) => (least === null || at < least ? at : least), null),
    last_at: last.reduce<string | null>((most, at) => (most === null || at > most ? at : most), null),
    transfers: sum(({ transfers }) => transfers),
    count: sum(({ count }) => count),
    path: [],
  };
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

function spanOf(arrivals: readonly Carried[]): Pick<FundsRow, 'first_at' | 'last_at' | 'transfers'> {
  const carrying = arrivals.filter(({ usd }) => usd > 0).map(({ transfer }) => transfer);
  if (carrying.length === 0) return { first_at: null, last_at: null, transfers: 0 };
  const first = carrying.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const last = carrying.reduce((most, { at }) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  return { first_at: iso(first), last_at: iso(last), transfers: new Set(carrying.map(({ id }) => id)).size };
}
