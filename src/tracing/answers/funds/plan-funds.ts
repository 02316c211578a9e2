import { paragraph } from '../../../../words/figures.ts';
import type { Language } from '../../../../words/language.ts';
import { WORDS } from '../../../../words/words.ts';
import { type FundsRow, TERMINAL_CATEGORIES } from '../../../domain/tracing/answers.ts';
import type { Plan } from '../../../plans.ts';
import { type Funds, withoutArrivals } from './funds-of.ts';
import { sumRows } from './sum-rows.ts';

const TERMINALS: readonly string[] = Object.values(TERMINAL_CATEGORIES).flat();

type FundsPlan = Pick<Plan, 'heldWallets' | 'terminals'>;

/** The account as a plan has it; the rows still add up. */
export function fundsOnPlan<Answer extends Funds>(
  answer: Answer,
  { heldWallets, terminals }: FundsPlan,
  lang: Language,
): Answer {
  const rows = rowsOnPlan(answer.rows, { heldWallets, terminals });
  if (heldWallets) return { ...answer, rows };
  const isCut = rows.some(isHeld) || answer.flows.length > 0;
  const note = paragraph([answer.note, isCut && WORDS[lang].funds.wallets_of_pro], lang);
  return { ...answer, rows, flows: [], note };
}

/** The rows of an account as a plan has them. */
export function rowsOnPlan(all: readonly FundsRow[], { heldWallets, terminals }: FundsPlan): FundsRow[] {
  const withWays = terminals ? [...all] : all.map(withoutPath);
  if (heldWallets) return withWays;
  const held = withWays.filter(isHeld);
  const rows = [
    ...withWays.filter((row) => !isHeld(row)).map(withoutArrivals),
    ...(held.length > 0 ? [sumRows(held)] : []),
  ];
  return rows.sort((a, b) => b.usd - a.usd);
}

function isHeld({ kind }: FundsRow): boolean {
  return kind === 'held';
}

/** The ways to ends of the categories of terminals; their last transfers are among the flows. */
function withoutPath(row: FundsRow): FundsRow {
  return row.category !== null && TERMINALS.includes(row.category) ? { ...row, path: [] } : row;
}
