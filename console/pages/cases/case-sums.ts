import { sumByAsset } from '../../../src/domain/amount.ts';
import { PAIR_LIST } from '../../../src/domain/scene/bounds.ts';
import { isUnseen } from '../../../src/domain/tracing/funds-row.ts';
import type { CaseAddress } from '../../service/answers.ts';
import type { CaseFundsAnswer, PairTransfers } from '../../service/tracing-answers.ts';

type Row = CaseFundsAnswer['rows'][number];

/** Adds up what became of the money that the subjects sent: what was followed and what is unknown are all of it. */
export function caseSums({ rows, total_usd: sent }: CaseFundsAnswer) {
  const sumOf = (usdOf: (row: Row) => number) => rows.reduce((sum, row) => sum + usdOf(row), 0);
  const unknown = sumOf((row) => (isUnseen(row) ? row.usd : 0));
  return {
    sent,
    followed: sent - unknown,
    arrived: sumOf(({ kind, usd }) => (kind === 'party' ? usd : 0)),
    returned: sumOf(({ kind, usd }) => (kind === 'returned' ? usd : 0)),
    frozen: sumOf(frozenUsd),
    unknown,
  };
}

/** The part of a row that consists of tokens which their issuers froze there. */
function frozenUsd({ usd, assets, arrivals, frozen = [] }: Row): number {
  const tokens = new Set(frozen.map(({ asset }) => asset));
  const names = Object.keys(assets);
  if (names.every((asset) => tokens.has(asset))) return tokens.size > 0 ? usd : 0;
  const sumOf = (all: Row['arrivals']) => all.reduce((sum, one) => sum + one.usd, 0);
  const [all, part] = [sumOf(arrivals), sumOf(arrivals.filter(({ asset }) => tokens.has(asset)))];
  return all > 0 ? (usd * part) / all : 0;
}

/** Returns the request for what each victim of a case paid each subject on its chain, as far as one goes; null without any. */
export function victimPayments(addresses: readonly CaseAddress[]) {
  const subjects = addresses.filter(({ role }) => role === 'subject');
  const pairs = addresses
    .filter(({ role }) => role === 'victim')
    .flatMap((victim) =>
      subjects
        .filter(({ chain }) => chain === victim.chain)
        .map(({ chain, address }) => ({ chain, from: victim.address, to: address })),
    )
    .slice(0, PAIR_LIST.pairs);
  if (pairs.length === 0) return null;
  const limit = Math.min(PAIR_LIST.ofEach, Math.floor(PAIR_LIST.ofAll / pairs.length));
  return { method: 'POST', body: { pairs, limit } } as const;
}

export interface Stolen {
  usd: number;
  /** True where there are more transfers than are listed. */
  isLeast: boolean;
  /** Quantities of what has no price, by asset. */
  unpriced: Record<string, string>;
}

/**
 * Adds up what victims paid subjects, each transfer at the price of its time, and what has none by quantity. A counterfeit, which is named
 * by its contract, is nothing that was lost.
 */
export function stolenIn({ pairs }: PairTransfers): Stolen {
  const transfers = pairs.flatMap((pair) => pair.transfers);
  const isWorthless = ({ asset }: { asset: string }) => asset.includes(':');
  return {
    usd: transfers.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    isLeast: pairs.length === PAIR_LIST.pairs || pairs.some(({ truncated }) => truncated),
    unpriced: sumByAsset(
      transfers
        .filter((one) => one.usd === null && !isWorthless(one))
        .map(({ asset, amount }) => ({ [asset]: amount })),
    ),
  };
}
