import { isUnseen } from '../../../src/domain/tracing/funds-row.ts';
import type { CaseFundsAnswer } from '../../service/tracing-answers.ts';

type Row = CaseFundsAnswer['rows'][number];

/**
 * Adds up what became of the money that the subjects sent: what was followed and what is unknown are all of it. What was returned is
 * what victims got back, also what the account follows beyond them; without a victim what went back to any payer.
 */
export function caseSums({ rows, total_usd: sent, victims }: CaseFundsAnswer) {
  const sumOf = (usdOf: (row: Row) => number) => rows.reduce((sum, row) => sum + usdOf(row), 0);
  const unknown = sumOf((row) => (isUnseen(row) ? row.usd : 0));
  return {
    sent,
    followed: sent - unknown,
    arrived: sumOf(({ kind, usd }) => (kind === 'party' ? usd : 0)),
    returned: victims ? victims.returned.usd : sumOf(({ kind, usd }) => (kind === 'returned' ? usd : 0)),
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
