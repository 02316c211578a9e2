import type { Chain } from '../../../domain/chain.ts';

/** A contract of a bridge that the operator added; empty texts where a column does not apply. */
export interface BridgeContractRow {
  protocol: string;
  chain: Chain;
  role: string;
  address: string;
  /** `coin` for the chain's own. */
  token: string;
  peer: string;
  family: string;
}

/** A likely match of a bridge, on which an account decides. */
export interface DecidedMatch {
  account_id: string;
  crossing_id: string;
  /** Id of the transfer that arrived. */
  receipt_id: string;
}

/** One decision on such a match. Of several on one match the newest counts; none is deleted. */
export interface MatchDecisionRow extends DecidedMatch {
  created_at: number;
  chain_out: Chain;
  tx_out: string;
  chain_in: Chain;
  tx_in: string;
  /** `withdrawn`: as if none had been made. */
  decision: 'confirmed' | 'rejected' | 'withdrawn';
  reason: string;
  /** Name of the key. */
  author: string;
  key_id: string;
}
