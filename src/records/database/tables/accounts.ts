import type { Generated } from 'kysely';
import type { PlanId } from '../../../plans.ts';

export interface AccountsTable {
  id: string;
  name: string;
  plan_id: PlanId;
  topup_remaining: number;
  created_at: number;
  /** Bytes of all records of the account; triggers of the store count them (stored-bytes.ts). */
  stored_bytes: Generated<number>;
  /** Actions that need a second person, separated by blanks. */
  approvals: Generated<string>;
  /** Epoch ms from which its keys, people and jobs are refused; null: they are not. */
  suspended_at: number | null;
  /** When its erasure began; null where it is not erased. */
  erased_from: number | null;
}

/** Columns that limit what a key may do. */
export interface LimitColumns {
  /** Rights, separated by blanks. */
  scopes: string;
  expires_at: number | null;
  /** Addresses and networks, separated by blanks; empty: from anywhere. */
  allowed_ips: string;
}

/** A key is kept as the SHA-256 of its text; `prefix` is what lists show. */
export interface ApiKeyRow extends LimitColumns {
  id: string;
  account_id: string;
  name: string;
  prefix: string;
  hash: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  /** Name of the key or person that made it, or `operator`; null where it was made before this was kept. */
  created_by: string | null;
  /** The person who made it, or who made the key that made it; null: none did. */
  made_by_person: string | null;
}

/** One row: a text that the key of the records sealed. */
export interface SecretCanaryRow {
  id: number;
  sealed: string;
}

/** Scans of the plan used by an account in one UTC month (`2026-11`), reserved ones included. */
export interface QuotaMonthRow {
  account_id: string;
  period: string;
  used: number;
}

/** One reservation of scan units; whatever is not settled by `expires_at` is given back. */
export interface QuotaReservationRow {
  id: string;
  account_id: string;
  period: string;
  plan_units: number;
  topup_units: number;
  settled_units: number;
  state: 'reserved' | 'settled' | 'released';
  created_at: number;
  expires_at: number;
}

/** The first answer to a request that names an Idempotency-Key; null while it is being made. */
export interface IdempotencyKeyRow {
  account_id: string;
  key_hash: string;
  request_hash: string;
  holder: string;
  status_code: number | null;
  /** Encrypted with the client's key, which is not kept. */
  answer: string | null;
  expires_at: number;
  /** How many requests with the key were lost before the holder's. */
  lost: number;
}
