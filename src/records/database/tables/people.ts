/** A member of an account. What they wrote keeps the name, so a row stays when they are removed. */
export interface PeopleTable {
  id: string;
  account_id: string;
  name: string;
  /** In lower case. */
  email: string;
  /** Separated by blanks. */
  roles: string;
  state: 'invited' | 'active' | 'removed';
  /** Who the provider says it is, and which provider; null before the first sign-in. */
  issuer: string | null;
  subject: string | null;
  /** Name of the person or key, or `operator`; `system` where the provider's claim said so. */
  invited_by: string;
  invited_at: number;
  joined_at: number | null;
  last_seen_at: number | null;
  removed_at: number | null;
}
