import type { Language } from '../../words/language.ts';
import type { Chain } from '../domain/chain.ts';
import type { Category, Label, ListGap } from '../domain/label.ts';
import type { PlaceInChain } from '../domain/tracing/traced-transfer.ts';
import type { Transfer } from '../domain/transfers/transfer.ts';
import type { Detection, LevelBasis, RiskLevel, ScoreTerm, Severity, SuppressedDetection, Way } from './detection.ts';

export interface Subject {
  chain: Chain;
  address: string;
  /** Best first; ended ones too. */
  labels: Label[];
  addressType: string;
}

/** Before a designation, by what its programme names: conduct (or no programme is known), or a country or sector. */
export type BeforeDesignation = 'before' | 'before_country';

/** An amount of an asset without a price. */
export interface UnvaluedAmount {
  /** Symbol. */
  asset: string;
  /** Contract, mint or `CURRENCY.issuer`; null for the chain's own coin. */
  token: string | null;
  /** Exact decimal. */
  amount: string;
}

/** A part of what the subject received, or sent, of such an asset. */
export interface UnpricedPart extends UnvaluedAmount {
  /** 0-1 of all of the asset that went in that direction. */
  share: number;
}

/** Findings of a trace through the graph behind unlabelled addresses, per category and direction. */
export interface IndirectExposure {
  direction: 'received' | 'sent';
  category: Category;
  /** Of sanctions: the money passed before the party's designation. */
  standing?: BeforeDesignation;
  /** 0-1 of everything that went in that direction. */
  share: number;
  usd: number;
  /** The same of the 90 days before the subject's last transfer; absent where they are not known. */
  recentUsd?: number;
  recentShare?: number;
  /** Money held before, US dollars, where the recent share is of that. */
  heldUsd?: number;
  /** Amounts at the far ends, such as `1.5 ETH`; the most valuable first. Left out where it crossed a bridge. */
  amounts?: string[];
  minHops: number;
  /** Set where it is of assets without a price, which have no dollars and no share of them. */
  unpriced?: UnpricedPart[];
  /** `<tx_hash>#<index>` of the last hop to the subject. */
  evidence: string[];
  /** Addresses at the far ends. */
  addresses?: number;
  /** Direct counterparties through which it came. */
  counterparties: string[];
  /** The ways that carried most, one for each address at their far ends. */
  ways: Way[];
  /** Set where most of it came out of contracts of several payers, or of many, that mostly paid other money: an upper bound. */
  pooled?: 'several' | 'many';
  /** The part that the subject paid a fair price for in the same transaction, to a named contract of several payers that mostly got other money. */
  bought?: BoughtMoney;
  /** Of what was sent: set where the subject put it into contracts of several payers, all of it before they first paid any of it on. */
  isDeposited?: boolean;
  /** Epoch ms of the first and the last transfer on all ways that were found; absent where they are not known. */
  span?: { from: number; to: number };
}

/** The part of what was received that was paid for. */
export interface BoughtMoney {
  usd: number;
  recentUsd: number;
}

/** A deposit of a listed taker in a contract that paid the subject, less what he took out again. */
export interface TakerDeposit extends PlaceInChain {
  txHash: string;
  usd: number;
  contract: string;
}

/** The holder of a Bitcoin address by joint spending, some members of which are listed. */
export interface ListedCluster {
  /** Number of members. */
  size: number;
  /** Listed members, without the subject. */
  listed: string[];
  /** The transaction that makes the subject a member. */
  txHash: string | null;
}

/** Two addresses that look alike: characters that they share at either end, and the chance that this is an accident. */
export interface Likeness {
  genuine: string;
  prefix: number;
  suffix: number;
  /** 0-1, of all pairs that were compared. */
  chance: number;
}

/** A party whose history the subject poisons, and whom it imitates to do so. */
export interface Mimicry extends Likeness {
  victim: string;
  /** How the transfers are worthless. */
  kind: string;
  /** Of the subject's own transfers. */
  transfers: Transfer[];
}

/** A pattern of several addresses that a trace found around the subject, with the subject at its origin or in its middle. */
export interface PatternAround {
  pattern_id: string;
  severity: Severity;
  usd: number;
  /** Oldest first; addresses as the subject's chain writes them. */
  flows: {
    /** As evidence names it. */
    id: string;
    /** Ids of the transfers that it stands for. */
    transfers: string[];
    from: string;
    to: string;
    at: number;
    usd: number;
  }[];
}

/** All money that the subject received, as far as the graph knows it. */
export interface ReceivedMoney {
  usd: number;
  /** Part (0-1) that no limit of ours left without a known origin; null where nothing was received. */
  explained: number | null;
  /** US dollars of it whose origin rests on what anybody could have stated; absent where none does. */
  openUsd?: number;
}

/** More than half of 1,000 US dollars or more of one direction, the trace of which ended at a limit of hops or time. */
export interface MoneyBeyond {
  direction: 'received' | 'sent';
  usd: number;
  /** 0-1 of everything that went in that direction. */
  share: number;
  /** True where most of it came, or went, by a chain of relays or past an address that is reported as adverse. */
  isSuspect: boolean;
  /** Steps of the longest way. */
  hops: number;
  /** `<tx_hash>#<index>` of the subject's own transfers. */
  evidence: string[];
  counterparties: string[];
  /** Epoch ms of the first and the last transfer on all ways. */
  span: { from: number; to: number };
}

/** Money of the subject that crossed a bridge, with both sides known by one message. */
export interface BridgedDeposit {
  /** Id of the subject's transfer. */
  transfer: string;
  protocol: string;
  /** Where it arrived. */
  chain: Chain;
  arrivedTx: string;
}

/** The subject's receipts in transactions in which others lost money to listed takers. */
export interface SharedTakings {
  /** Hashes of them. */
  transactions: ReadonlySet<string>;
  /** Names of the transfers to the takers. */
  taken: string[];
  takers: string[];
  /** How many lost. */
  victims: number;
  /** It took the money out of contracts of several, most of what they had there; or takers alone sign for it, a contract; or it sold their tokens. */
  variant?: 'robbed' | 'owned' | 'sold';
  /** US dollars that it got for tokens of takers, where it got others in these transactions too. */
  usd?: number;
  /** True where it is not known who signed for these tokens. */
  isUnsure?: boolean | undefined;
}

/** Wallets behind the subject that listed takers of money feed too. */
export interface SharedLayer {
  /** US dollars of the subject's that reached them. */
  usd: number;
  wallets: string[];
  takers: string[];
  /** `<tx_hash>#<index>` of the subject's own transfers, and of those of the takers. */
  evidence: string[];
  /** Epoch ms of the first and the last of them. */
  span: { from: number; to: number };
}

/** Wallets that live on listed takers, whose first coins for fees the subject paid. */
export interface PaidFees {
  /** US dollars of the coins. */
  usd: number;
  /** US dollars from the takers to the wallets, directly or over each other. */
  fedUsd: number;
  wallets: string[];
  takers: string[];
  /** `<tx_hash>#<index>` of the coins, and of what came from the takers. */
  evidence: string[];
  /** Epoch ms of the first and the last coins. */
  span: { from: number; to: number };
}

export interface AssessInput {
  subject: Subject;
  /** Everything that was read, failed and zero-value transfers too, in any order, repeated ones allowed. */
  transfers: readonly Transfer[];
  /** Labels of a counterparty, best first, ended ones too; empty when none. */
  labelsOf: (address: string) => Label[];
  coverage: {
    complete: boolean;
    sources: string[];
    reasons: string[];
    historyRead: boolean;
    /** Epoch ms: not read, while everything before it was. */
    gap?: { from: number; to: number };
  };
  /** Why the lists that the address was compared with are wanting; absent or null: they are not. */
  listGap?: ListGap | null;
  /** Epoch ms; labels and ages are judged at this moment. */
  asOf: number;
  lang: Language;
  /** Other addresses of the subject's key, or of its owner by lists: what it pays them and gets from them is not a flow. */
  ownAddresses?: ReadonlySet<string>;
  indirect?: IndirectExposure[];
  /** By transfer id, the part (0-1) that brought back what the subject had lost to its sender. */
  returned?: ReadonlyMap<string, number>;
  /** By transfer id, the part (0-1) that went in a circle: the subject's own money, which other wallets only passed. */
  circled?: ReadonlyMap<string, number>;
  /**
   * Rests of amounts, by transfer id, of what went round inside its transaction over other parties, as a loan does that another one
   * pays back; null: nothing is left.
   */
  rounds?: ReadonlyMap<string, string | null>;
  mimicry?: Mimicry[];
  patterns?: PatternAround[];
  accomplice?: SharedTakings;
  /** Ids of what the subject took out of contracts of several payers, most of what these had there, and nothing of its own. */
  loot?: ReadonlySet<string>;
  takerDeposits?: readonly TakerDeposit[];
  sharedLayer?: SharedLayer;
  paidFees?: PaidFees;
  cluster?: ListedCluster;
  bridged?: BridgedDeposit[];
  /** Left out: the level speaks for the address's own history alone. */
  received?: ReceivedMoney;
  beyond?: MoneyBeyond[];
  /** Counterparties whose first coins for fees the subject paid; only of those whose own history was read in full. */
  fundedFirst?: ReadonlySet<string>;
  /** US dollars for one yen on the day of `at`; absent or null: yen thresholds are off. */
  usdPerYen?: (at: number) => number | null;
}

export interface Anomaly {
  /** 0-1: how unusual, never how guilty. */
  score: number;
  method: 'isolation_forest';
  model_sha256: string;
  /** Data that the model was fitted on. */
  population: string;
  top_features: { name: string; value: number; z: number }[];
  /** Null, or why no score could be given. */
  reason: 'too_few_transfers' | null;
}

export interface Assessment {
  /** 0-100. */
  risk_score: number;
  risk_level: RiskLevel;
  /** Basis of the level. */
  level_basis: LevelBasis;
  /** Adverse dealings in assets without a price, which no detection can weigh. */
  unvalued: UnvaluedAmount[];
  detections: Detection[];
  suppressed: SuppressedDetection[];
  score_terms: ScoreTerm[];
  rule_set_version: string;
  is_sanctioned: boolean;
  ml_anomaly_score: number;
  anomaly: Anomaly;
}
