import type { Chain } from '../../../domain/chain.ts';
import type { Category } from '../../../domain/label.ts';
import type { TransferDirection, TransferReason, TransferState } from '../../../domain/screened-transfer.ts';

/** A deposit or withdrawal whose other side is screened once it is confirmed. Its job has the same id. */
export interface ScreenedTransferRow {
  id: string;
  account_id: string;
  chain: Chain;
  tx_hash: string;
  direction: TransferDirection;
  /** Symbol, contract or `native`; null, as the two below, where the account did not narrow by it. */
  asset: string | null;
  /** Decimal string. */
  amount: string | null;
  /** Canonical. */
  address: string | null;
  customer_ref: string | null;
  reference: string;
  lang: string;
  state: TransferState;
  reason: TransferReason | null;
  /** 1 once a source has shown it unconfirmed. */
  seen: number;
  wait_until: number;
  /** JSON of what was found; null until it is screened. */
  result: string | null;
  risk_level: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'UNKNOWN' | null;
  risk_score: number | null;
  /** Category of the best label of the worst counterparty. */
  category: Category | null;
  usd: number | null;
  created_at: number;
  ended_at: number | null;
}

/** A counterparty of a screened transfer that is watched for labels. */
export interface TransferPartyRow {
  transfer_id: string;
  chain: Chain;
  address: string;
  /** JSON list: the adverse statements that are known. */
  adverse: string;
  watched_until: number;
}
