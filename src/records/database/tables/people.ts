import type { ApprovalState, ApprovedAction } from '../../../domain/account/approvals.ts';

/** A member of an account. What they wrote keeps the name, so a row stays when they are removed. */
export interface PersonRow {
  id: string;
  account_id: string;
  name: string;
  /** In lower case. */
  email: string;
  /** Separated by blanks. */
  roles: string;
  state: 'invited' | 'active' | 'removed';
  /** The provider and its name for the person; null before the first sign-in. */
  issuer: string | null;
  subject: string | null;
  /** Name of the person or key, or `operator`; `system` where the provider's claim said so. */
  invited_by: string;
  invited_at: number;
  joined_at: number | null;
  last_seen_at: number | null;
  removed_at: number | null;
}

/** A person who is signed in, in one browser. Only a hash of its token is kept. */
export interface SessionRow {
  token_hash: string;
  person_id: string;
  /** The provider's own session, where it names one. */
  provider_sid: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}

/** A sign-in that was sent to the provider; it is taken once. */
export interface SignInRow {
  state_hash: string;
  /** SHA-256 of the cookie of the browser that began it. */
  browser_hash: string;
  nonce: string;
  /** Verifier of the code challenge (PKCE). */
  verifier: string;
  return_to: string;
  /** Where the person chose one of several. */
  account_id: string | null;
  expires_at: number;
}

/** A request that another person decides. */
export interface ApprovalRow {
  id: string;
  account_id: string;
  case_id: string;
  action: ApprovedAction;
  /** Part of the case that it is about; empty for the whole. One request about the same is open at once. */
  subject: string;
  /** JSON of an `ApprovalRequest`. */
  request: string;
  state: ApprovalState;
  /** People; the store refuses that both are the same. */
  asked_by: string;
  asked_at: number;
  decided_by: string | null;
  decided_at: number | null;
  reason: string;
}
