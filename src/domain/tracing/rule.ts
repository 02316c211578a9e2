/** Rules by which a payment draws on the receipts of a mixed balance: a convention of law as much as of fact. */
const RULES = ['pro_rata', 'fifo', 'lifo', 'lowest_balance', 'poison'] as const;
export type Rule = (typeof RULES)[number];

/** The rules that say amounts. By `poison` all that touched the money is reached, and it has no amount of its own. */
export const MEASURED_RULES = ['pro_rata', 'fifo', 'lifo', 'lowest_balance'] as const satisfies readonly Rule[];
export type MeasuredRule = (typeof MEASURED_RULES)[number];

/** How an account attributes mixed money: by one rule, or by all of them side by side. */
export const METHODS = [...RULES, 'range'] as const;
export type Method = (typeof METHODS)[number];

/** The rules that an account by a method needs beside pro rata. */
export function rulesOf(method: Method): Rule[] {
  if (method === 'range') return RULES.filter((rule) => rule !== 'pro_rata');
  return method === 'pro_rata' ? [] : [method];
}
