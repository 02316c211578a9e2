import type { PresignWords } from '../../../words/en/answers.ts';
import type { Calldata } from '../../domain/calldata/calldata.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Category, Label, ListGap } from '../../domain/label.ts';
import type { BeforeDesignation } from '../assessment.ts';
import type { RiskLevel } from '../detection.ts';
import type { ExposureSubject, GradedShare } from '../exposure/grade-exposure.ts';

/** Every signal of a verdict; all are in every answer, and no name ever changes its meaning. */
export const PRESIGN_SIGNALS = [
  'sanctioned',
  'delisted',
  'scamdb_hit',
  'drainer',
  'darknet',
  'mixer',
  'malicious_contract',
  'lookalike',
  'foreign_transfer',
  'payable_lure',
  'unlimited_approval',
  'operator_approval',
  'long_permit',
  'unknown_owner',
  'control_change',
  'revocation',
  'never_seen',
  'undecodable',
  'unsupported_chain',
  'stores_unreadable',
  'terrorism',
  'child_abuse',
  'theft',
  'ransomware',
  'high_risk_exchange',
  'scan_risk',
  'exposure',
  'sister_chain',
  'never_scanned',
  'no_lists',
  'lists_stale',
] as const;
export type PresignSignal = (typeof PRESIGN_SIGNALS)[number];

/** A reason before it has a language. */
export type Reason = (texts: PresignWords) => string;

/** One thing that speaks about a transaction. */
export interface PresignFinding {
  signals: PresignSignal[];
  /** 0-100; null says that something could not be known. */
  score: number | null;
  /** Makes the verdict `danger` whatever the score. */
  blocking: boolean;
  /** For a person, in the language of the texts; null where there is nothing to warn of. */
  reason: Reason | null;
  /** 0-1, of the label that decides; absent where none does. */
  confidence?: number;
}

/** An address that the signer dealt with before, or is. */
export interface EarlierRecipient {
  address: string;
  /** Epoch ms of the last payment; null for the signer itself. */
  lastAt: number | null;
}

/** A party that is to receive something and looks like an earlier one without being it. */
export interface Lookalike {
  address: string;
  /** With the transaction of the largest payment to it, where there was one and the graph still answered. */
  genuine: EarlierRecipient & { txHash: string | null };
}

/** A transaction that is about to be signed. */
export interface PresignTransaction {
  chain: Chain;
  to: string;
  spender: string | null;
  signer: string | null;
  /** Contract of the token, where the caller named one. */
  asset: string | null;
  /** True where the transaction carries some of the chain's own coin. */
  carriesValue: boolean;
  calldata: Calldata | null;
}

/** Facts of a transaction before it is signed; addresses are canonical. */
export interface PresignCase extends PresignTransaction {
  /** Best first. */
  labelsOf: (address: string) => readonly Label[];
  /** Of the same key on other chains; absent where it was not requested. */
  sisterLabelsOf?: (address: string) => readonly Label[];
  lookalikes: readonly Lookalike[];
  /** Parties on the account's whitelist. */
  trusted: ReadonlySet<string>;
  /** The account grades any dealing with sanctioned parties as grave. */
  strictSanctions?: boolean;
  /** True where the graph knows `to`. */
  seen: boolean;
  /** Returns the facts that graph and scans hold of a party; absent where none were asked. */
  historyOf?: (address: string) => PartyHistory | null;
  /** US dollars of the chain's coin that the transaction carries; null where it cannot be priced. */
  valueUsd?: number | null;
  /** Why the lists that parties are compared with are wanting; absent or null: they are not. */
  listGap?: ListGap | 'no_labels' | null;
  /** False when labels or graph could not be read. */
  storesRead: boolean;
  /** Epoch ms. */
  asOf: number;
}

/** The last score that a scan by the rule set in force gave an address. */
export interface LastScan {
  score: number;
  level: RiskLevel;
  /** Epoch ms. */
  at: number;
  /** Epoch ms of the asker's own scan with this result: the day that a reason may name; null where it is another's. */
  ownAt: number | null;
  /** It rests on a part of the history or of the received money. */
  isPartial: boolean;
}

/** Direct exposure of an address to one category, as roll-ups of the graph show it. */
export interface KnownExposure extends GradedShare {
  category: Category;
  direction: 'in' | 'out';
  /** Of sanctions: all of it moved before the designation; absent for all else. */
  before?: BeforeDesignation;
  /** True for what parties paid back to an address that had paid them as much before; absent for all else. */
  isReturned?: true;
}

/** Facts of graph and scans about one address. */
export interface PartyHistory {
  lastScan: LastScan | null;
  exposures: readonly KnownExposure[];
  subject: ExposureSubject;
  /** Somebody was baited with this address. */
  isBait: boolean;
}
