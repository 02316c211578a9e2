/** By which part of a mixed balance a payment draws on each receipt: a convention of law as much as of fact. */
export const RULES = ['pro_rata', 'fifo', 'lifo', 'lowest_balance', 'poison'] as const;
export type Rule = (typeof RULES)[number];

/** The rules that say amounts. By `poison` all that touched the money is reached, and it has no amount of its own. */
export const MEASURED_RULES = ['pro_rata', 'fifo', 'lifo', 'lowest_balance'] as const satisfies readonly Rule[];
