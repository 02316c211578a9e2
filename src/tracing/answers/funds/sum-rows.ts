import { AmountSum, rounded, roundUsd } from '../../../domain/amount.ts';
import { compare } from '../../../domain/compare.ts';
import type { FundsRow } from '../../../domain/tracing/answers.ts';
import { sumOfRanges } from '../../../domain/tracing/funds-row.ts';

/** The parts of a row that a sum of several has. */
export type SummedEnd = Pick<FundsRow, 'usd' | 'assets' | 'hops' | 'first_at' | 'last_at' | 'transfers' | 'count'>;

type RowKind = Pick<FundsRow, 'kind' | 'category'>;

/** Adds up ends of one kind and category. */
export class EndsSum {
  usd = 0;
  /** US dollars of the followed money, whatever its price became. */
  followedUsd = 0;
  private readonly of: RowKind;
  private readonly assets = new Map<string, AmountSum>();
  private hops = Number.POSITIVE_INFINITY;
  private firstAt: string | null = null;
  private lastAt: string | null = null;
  private transfers = 0;
  private count = 0;

  constructor(of: RowKind) {
    this.of = of;
  }

  add({ usd, assets, hops, first_at, last_at, transfers, count }: SummedEnd, followedUsd = usd): void {
    this.usd += usd;
    this.followedUsd += followedUsd;
    for (const [asset, amount] of Object.entries(assets)) {
      const sum = this.assets.get(asset) ?? new AmountSum();
      this.assets.set(asset, sum.add(amount));
    }
    this.hops = Math.min(this.hops, hops);
    if (first_at !== null && (this.firstAt === null || first_at < this.firstAt)) this.firstAt = first_at;
    if (last_at !== null && (this.lastAt === null || last_at > this.lastAt)) this.lastAt = last_at;
    this.transfers += transfers;
    this.count += count;
  }

  row(figures: Pick<FundsRow, 'usd' | 'followed_usd' | 'share'>): FundsRow {
    const assets = [...this.assets].map(([asset, sum]) => [asset, sum.toString()] as const);
    return {
      kind: this.of.kind,
      category: this.of.category,
      address: null,
      chain: null,
      label: null,
      entity: null,
      ...figures,
      assets: Object.fromEntries(assets.sort(([a], [b]) => compare(a, b))),
      balance: null,
      hops: this.hops,
      first_at: this.firstAt,
      last_at: this.lastAt,
      transfers: this.transfers,
      count: this.count,
      path: [],
      arrivals: [],
    };
  }
}

/** One row for rows of one kind and category. */
export function sumRows(rows: readonly FundsRow[]): FundsRow {
  const sum = new EndsSum(rows[0] as FundsRow);
  for (const row of rows) sum.add(row, row.followed_usd);
  const share = rounded(rows.reduce((total, row) => total + row.share, 0));
  const row = sum.row({ usd: roundUsd(sum.usd), followed_usd: roundUsd(sum.followedUsd), share });
  const ranges = rows.flatMap(({ range }) => range ?? []);
  return ranges.length === rows.length ? { ...row, range: sumOfRanges(ranges) } : row;
}
