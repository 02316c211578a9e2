/**
 * The rights of an API key. `read`: answers from what is there. `scan`: new verdicts, which may cost scans. `cases`: work
 * of investigators. `monitor`: watched addresses. `admin`: keys, settings and webhooks of the account.
 */
export const RIGHTS = ['read', 'scan', 'cases', 'monitor', 'admin'] as const;
export type Right = (typeof RIGHTS)[number];

/** The refusal of a key without a right. */
export const lacksRight = (right: Right) => `This key lacks the right: ${right}`;
