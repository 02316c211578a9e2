/**
 * The rights of an API key. `read`: answers from what is there. `scan`: new verdicts, which may cost scans. `cases`: work
 * of investigators. `monitor`: watched addresses. `admin`: keys, settings and webhooks of the account.
 */
export const RIGHTS = ['read', 'scan', 'cases', 'monitor', 'admin'] as const;
export type KeyRight = (typeof RIGHTS)[number];

/** Beside those of keys `approve`, which only people have: a program must not give the second pair of eyes. */
export type Right = KeyRight | 'approve';

/** Sets of rights that people have; a person has all those of its roles. */
const ROLES = {
  viewer: ['read'],
  analyst: ['read', 'scan', 'cases', 'monitor'],
  reviewer: ['read', 'scan', 'cases', 'monitor', 'approve'],
  admin: [...RIGHTS, 'approve'],
} as const satisfies Record<string, readonly Right[]>;
export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];

/** Each right of the roles once. */
export function rightsOf(roles: readonly Role[]): Right[] {
  return [...new Set(roles.flatMap((role) => ROLES[role]))];
}

/** Returns the rights that a key may have too, in their order. */
export function keyRights(rights: readonly Right[]): KeyRight[] {
  return RIGHTS.filter((right) => rights.includes(right));
}

/** The refusal of a key, or of a person's roles, without a right. */
export const lacksRight = (right: Right, holder = 'This key lacks') => `${holder} the right: ${right}`;
