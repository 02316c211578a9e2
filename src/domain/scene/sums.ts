import { addAmounts } from '../amount.ts';
import type { FundsRange } from '../tracing/answers.ts';
import { sumOfRanges } from '../tracing/funds-row.ts';
import type { SceneFilters, SceneFlow, SceneTransfer } from './scene.ts';

/** The money that a flow moved, as far as the filters let through. */
export interface Sum {
  usd: number | null;
  /** Exact decimals by asset; null where they are not known. */
  assets: Record<string, string> | null;
  count: number;
  /** True where transfers are not listed one by one: it may be less. */
  isAtMost: boolean;
}

type Span = Pick<SceneFilters, 'from' | 'to' | 'assets'>;

/** True where the filters let a transfer through. */
export function isLetThrough({ at, asset }: SceneTransfer, { from, to, assets }: Span): boolean {
  return (from === null || at >= from) && (to === null || at <= to) && (assets.length === 0 || assets.includes(asset));
}

/** The sum of a flow within the span and of the assets; null where nothing of it is. */
export function sumOf(flow: SceneFlow, span: Span): Sum | null {
  const { from, to, assets } = span;
  const { transfers, tx_count, usd, first_at, last_at } = flow;
  const isWhole = (from === null || first_at >= from) && (to === null || last_at <= to) && assets.length === 0;
  if (isWhole) return { usd, assets: flow.assets ?? listedAssets(flow), count: tx_count, isAtMost: false };
  if ((from !== null && last_at < from) || (to !== null && first_at > to)) return null;
  const kept = transfers.filter((transfer) => isLetThrough(transfer, span));
  const unlisted = tx_count - transfers.length;
  const isOther = flow.assets !== null && assets.length > 0 && !assets.some((one) => flow.assets?.[one] !== undefined);
  if (unlisted <= 0 || isOther) return kept.length === 0 ? null : sumOfTransfers(kept, flow.part !== undefined);
  const rest = Math.max(0, (usd ?? 0) - (usdOf(transfers) ?? 0));
  return { usd: (usdOf(kept) ?? 0) + rest, assets: null, count: kept.length + unlisted, isAtMost: true };
}

function sumOfTransfers(transfers: SceneFlow['transfers'], isOpened: boolean): Sum {
  const usd = isOpened ? sumOfAll(transfers.map((one) => one.usd)) : usdOf(transfers);
  return { usd, assets: assetsOf(transfers), count: transfers.length, isAtMost: false };
}

/** The sum of several flows. */
export function added(sums: readonly Sum[]): Sum {
  const priced = sums.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  const isListed = sums.every(({ assets }) => assets !== null);
  const amounts = sums.flatMap(({ assets }) => Object.entries(assets ?? {}));
  return {
    usd: priced.length === 0 ? null : priced.reduce((sum, usd) => sum + usd, 0),
    assets: isListed ? totals(amounts) : null,
    count: sums.reduce((sum, { count }) => sum + count, 0),
    isAtMost: sums.some(({ isAtMost }) => isAtMost),
  };
}

interface End {
  kind: string;
  chain: string | null;
  address: string | null;
  usd: number;
  share: number;
  count: number;
  assets: Record<string, string>;
  range?: FundsRange | undefined;
}

/** The rows of an account with the fees of all its wallets as one, at the end. */
export function feesTogether<Row extends End>(rows: readonly Row[]): Row[] {
  const [fee, ...fees] = rows.filter(({ kind }) => kind === 'fees');
  if (!fee || fees.length === 0) return [...rows];
  const all = [fee, ...fees];
  const ranges = all.flatMap(({ range }) => range ?? []);
  const sumBy = (of: (row: Row) => number) => all.reduce((sum, row) => sum + of(row), 0);
  const sum: Row = {
    ...fee,
    chain: null,
    address: null,
    usd: sumBy(({ usd }) => usd),
    share: sumBy(({ share }) => share),
    count: sumBy(({ count }) => count),
    assets: totals(all.flatMap(({ assets }) => Object.entries(assets))),
    ...(ranges.length === all.length ? { range: sumOfRanges(ranges) } : {}),
  };
  return [...rows.filter(({ kind }) => kind !== 'fees'), sum];
}

/** Every asset that a scene moves, for choosing. */
export function assetsIn(flows: readonly SceneFlow[]): string[] {
  const named = flows.flatMap(({ assets, transfers }) => [
    ...Object.keys(assets ?? {}),
    ...transfers.map(({ asset }) => asset),
  ]);
  return [...new Set(named)].sort();
}

function listedAssets({ transfers, tx_count }: SceneFlow): Record<string, string> | null {
  return transfers.length === tx_count ? assetsOf(transfers) : null;
}

function assetsOf(transfers: SceneFlow['transfers']): Record<string, string> {
  return totals(transfers.map(({ asset, amount }) => [asset, amount]));
}

/** Sums by asset; of an imported file, amounts that are not plain decimals are left out. */
function totals(amounts: readonly (readonly [asset: string, amount: string])[]): Record<string, string> {
  const sums = new Map<string, string>();
  for (const [asset, amount] of amounts) {
    if (/^\d+(\.\d+)?$/.test(amount)) sums.set(asset, addAmounts(sums.get(asset) ?? '0', amount));
  }
  return Object.fromEntries(sums);
}

/** The dollars of parts that must all be known: null where one has no price, and without any. */
export function sumOfAll(parts: readonly (number | null)[]): number | null {
  if (parts.length === 0) return null;
  return parts.reduce((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0);
}

/** The dollars of those that have a price; null where none has. */
export function usdOf(transfers: SceneFlow['transfers']): number | null {
  const priced = transfers.filter(({ usd }) => usd !== null);
  return priced.length === 0 ? null : priced.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}
