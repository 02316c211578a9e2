import type { Chain } from '../domain/chain.ts';
import type { HistoryList, OfferedSource } from '../domain/chains.ts';
import type { Category } from '../domain/label.ts';
import type { FrozenToken } from '../domain/tokens/issuer-freeze.ts';
import type { PaidFee, TokenBalance, UnexplainedBalance } from '../domain/transfers/explained-balance.ts';
import type { Transfer } from '../domain/transfers/transfer.ts';
import type { UtxoParty } from '../domain/transfers/utxo.ts';
import type { Unprovable } from '../proofs/proof.ts';
import type { AnyProof } from '../proofs/verify.ts';

export type AddressType = 'wallet' | 'contract' | 'multisig' | 'token_account' | 'program' | 'unknown';

/** How much of an address's history was read, and why not all. */
interface Coverage {
  complete: boolean;
  /** Names of what was asked: `esplora`, `explorer`, `rpc`, … */
  sources: string[];
  /** Machine-readable reasons for an incomplete picture: `page_limit`, `native_not_listed`, `pruned_history`, … */
  reasons: string[];
  /** Epoch ms, closed: left out between the oldest transfers, which were read to the first one, and the newest. */
  gap?: { from: number; to: number };
  /** Balances that the transfers of a whole history do not add up to (explained-balance.ts). */
  unexplained?: UnexplainedBalance[];
  /**
   * Transfers of the last hour that its source gave earlier and gives no longer, where its lists were read whole. They are
   * not among the transfers and are not graded.
   */
  unconfirmed?: Transfer[];
}

/** A span of time (epoch ms, closed) over which one list was read whole. */
export interface ListSpan {
  list: HistoryList;
  /** 0: from the first entry. */
  from: number;
  /** Null: up to the moment of reading. */
  to: number | null;
}

/** The holding of one asset that the chain states of an address, in all forms that count as the asset (asset-id.ts). */
export interface StatedBalance {
  /** As in transfers: null for the chain's own coin. */
  token: string | null;
  /** Epoch ms: just before this moment. Null: at the end of all that was read. */
  at: number | null;
  /** Decimal string, in whole coins. */
  amount: string;
}

/** A name that a public block explorer shows for an address at scan time. */
export interface ExplorerTag {
  address: string;
  label: string;
  category: Category;
}

/** A public key that a transaction reveals. */
export interface RevealedKey {
  /** Hex. */
  publicKey: string;
  txHash: string;
  /** Epoch ms. */
  at: number;
}

/** Freezes by issuers, as a source states them; both are absent where it was not asked. */
export interface StatedFreezes {
  /** Known tokens that their issuers froze at the address, as of now. */
  frozen?: FrozenToken[];
  /** Known tokens that are stated not to be frozen; `others`: each that is not in `frozen`. */
  unfrozen?: readonly string[] | 'others';
}

/** Balances of an address as a source states them now. */
export type StatedBalances = Required<Pick<AddressHistory, 'balance' | 'beside' | 'tokenBalances'>>;

export interface AddressHistory extends StatedFreezes {
  /** False when the source answered and knows neither history nor balance. */
  found: boolean;
  addressType: AddressType;
  /** The owner of a token account: the transfers are between the owner and others, never of the account's own name. */
  owner?: string;
  /** Balance of the chain's own coin, decimal string; null where the source does not say. */
  balance: string | null;
  /**
   * Coin of the address that `balance` leaves out, signed decimal string (explained-balance.ts); absent where the part
   * that was read does not say it.
   */
  beside?: string;
  /** Transactions of the address as the source counts them (at least those read). */
  transactionCount: number;
  /** Transactions that the address itself sent, as the chain counts them; absent where it does not. */
  sent?: number;
  /**
   * Every transfer that touches the address, failed and zero-value ones included, in no particular order; on Bitcoin also
   * what others put into a transaction that it paid in.
   */
  transfers: readonly Transfer[];
  tags: ExplorerTag[];
  coverage: Coverage;
  /** The part of each list that is certainly among the transfers: one span a list, two where there is a gap. */
  read: ListSpan[];
  /** Balances at the beginnings and ends of `read`; absent where the source states none. */
  balances?: StatedBalance[];
  /** Balances of tokens that the source states now, each form by itself; those left out are not checked. */
  tokenBalances?: TokenBalance[];
  /** The key of the address alone, of the earliest transaction that reveals it; absent where none was read. */
  revealed?: RevealedKey;
  /** Keys beside the signatures of other addresses in its transactions, the earliest of each, unproven: it may be another's key. */
  shown?: Map<string, RevealedKey>;
  /** Fees that the address paid in transactions of which it has no transfer. */
  otherFees?: PaidFee[];
}

/** A payment or receipt of the address that is read, and which way its history is read from there. */
export interface Around {
  direction: 'backward' | 'forward';
  txHash: string;
  /** Null where the graph does not know it. */
  block: number | null;
  /** Epoch ms. */
  at: number;
  /** Pages of each list at most. */
  pages: number;
  /**
   * Set where a known history is read on, forward: all that follows is listed. Transactions that the address had sent then;
   * null where they are not counted.
   */
  sentBefore?: number | null;
  /** Then also the tokens that it dealt in before: what their contracts state of it is asked again. */
  tokens?: readonly string[];
}

/** An address as of the newest block. */
export interface AccountState {
  /** Balance of the chain's own coin, decimal string; null where the source does not say. */
  balance: string | null;
  /** Transactions sent, or all where the chain counts these; null where it counts none. */
  nonce: number | null;
  /** Null where the source does not say. */
  isContract: boolean | null;
}

export interface ChainTransaction {
  txHash: string;
  block: number | null;
  at: number | null;
  status: 'success' | 'failed' | 'pending';
  /** In order; the first is the main one. */
  transfers: Transfer[];
  /** Accounts that took part without a transfer (other XRP transaction types). */
  accounts: string[];
  /** The chain's name of the kind of transaction, where it has one. */
  type: string | null;
  /** XRP: distinguishes the recipient's customers. */
  destinationTag?: number;
  /** XRP: what the sender of a payment across currencies gave up in other assets than the delivered one. */
  spent?: AssetAmount[];
  /** XRP: the amount that a partial payment names as the most to deliver. */
  stated?: AssetAmount;
}

interface AssetAmount {
  asset: string;
  token: string | null;
  /** Decimal string. */
  amount: string;
}

export interface TokenQuery {
  /** Contract, mint, `CURRENCY.issuer`, or `native` (with an address only). */
  token: string;
  /** Left out: contract-wide. */
  address?: string;
  /** Epoch ms, inclusive. */
  from: number;
  to: number;
  /** The most recent ones are kept. */
  limit: number;
}

export interface TokenTransfers {
  symbol: string | null;
  /** Newest first, at most `limit`. */
  transfers: Transfer[];
  /** Why some of the span may be missing, as in `Coverage`; `transfer_limit` where more than `limit` were found. */
  reasons: string[];
}

/** An event log of a contract, in hex of lower case. */
export interface EvidenceLog {
  address: string;
  topics: string[];
  data: string;
  /** Place among the logs of the block, or of the transaction where the source counts so. */
  index: number;
}

/** One transaction with all that its contracts logged and its sender wrote: messages of bridges are read from it. */
export interface TransactionEvidence {
  transaction: ChainTransaction;
  /** The chain that the transaction was signed for (EIP-155), where the source states it. */
  chainId: number | null;
  /** The call of the transaction itself; null on chains without contracts of Ethereum's kind. */
  call: { from: string; to: string | null; input: string; value: bigint } | null;
  /** Empty where the chain has none, and for failed transactions. */
  logs: EvidenceLog[];
  /** Texts that the sender attached: OP_RETURN outputs, memo fields. */
  memos: string[];
  /** Bitcoin: what it spends and pays, before any netting; no inputs of newly mined coins. */
  coins?: Record<'inputs' | 'outputs', readonly UtxoParty[]>;
}

/** Logs of one contract by their indexed arguments. */
export interface LogQuery {
  contract: string;
  /** First topics, of which one fits. */
  events: string[];
  /** The topics behind the first; null matches anything. */
  topics: (string | null)[];
  /** Epoch ms, inclusive. */
  from: number;
  to: number;
  /** The end of the time that is read first: a limit may keep the other one from being read. */
  order: 'oldest' | 'newest';
}

export interface FoundLogs {
  /** Transactions with such a log, oldest first, at most 20. */
  txHashes: string[];
  /** False where a limit kept a part of the time from being read. */
  complete: boolean;
}

/** Features that a source may lack and others of its kind offer. */
export type SourceLack = 'traces' | 'archive' | 'batches' | 'internal_lists' | 'nft_lists' | 'account_lists';

/** The answer of one source that was asked for its newest block. */
export interface SourceFacts {
  height: number;
  /** Epoch ms: the time of that block. */
  heightAt: number;
  /** Id of an EVM chain; null where the source does not state it. */
  chainId: number | null;
  lacks: SourceLack[];
}

/** One configured source of a chain. */
export interface ChainEndpoint {
  /** As in the name of its setting: `<CHAIN>_<kind>_URL`. */
  kind: OfferedSource['kind'];
  /** May contain a key. */
  baseUrl: string;
  /** Requests a second, as set or published. */
  perSecond?: number;
  /** Left out before the source has a pace (guarded-source.ts). */
  seen?(): SeenLimits;
  /** Asks for the newest block and for what the source may lack. SourceError where it fails or serves another chain. */
  check(options?: RequestOptions): Promise<SourceFacts>;
}

/** Limits that a source showed in its answers. */
export interface SeenLimits {
  /** As its headers state it. */
  stated: string | null;
  /** Epoch ms: when it last refused to answer so often. */
  refusedAt: number | null;
}

export interface RequestOptions {
  /** Ends the work; the adapter throws what the signal carries. */
  signal?: AbortSignal;
  /** Accounts share the requests to a source (pace.ts). */
  account?: string;
  /** True for what a job asks and no caller waits for. */
  isJob?: boolean;
  /** True for reading that may wait: its requests come behind those of scans, at half the rate. */
  inBackground?: boolean;
  /** Called with the rows of each page of a history as it is read; about as many transfers. */
  onRows?: (rows: number) => void;
  /** The paces of the process's sources; default: requests are made at once. */
  paces?: SourcePaces;
}

/** Gives each request its turn at its source, by base URL; `perSecond` is its rate limit where one is known. */
export interface SourcePaces {
  of(
    baseUrl: string,
    perSecond?: number,
  ): {
    /** Waits for the turn of one request. Returns what gives its place back. */
    enter(options: RequestOptions): Promise<() => void>;
    /** After a rate-limit error of the source. */
    slowDown(): void;
    /** Keeps the limit that the headers of an answer state. */
    noteLimit(stated: string): void;
    readonly seen: SeenLimits;
  };
}

/** A proof as its source gives it: without what follows from its bytes. */
export type BuiltProof<Proof extends AnyProof = AnyProof> =
  | { reason: Unprovable }
  | (Proof extends AnyProof ? Pick<Proof, 'block_hash' | 'height' | 'kind' | 'data'> : never);

/**
 * The port of every chain adapter. Each method throws SourceError when the source is down, slow,
 * rate-limiting beyond patience, or answers nonsense; it never returns half a page as the whole.
 */
export interface ChainSource {
  readonly chain: Chain;
  readonly endpoints: readonly ChainEndpoint[];
  /** As few requests as it takes to learn if the address is in use; one that the chain does not know holds nothing. */
  account(address: string, options?: RequestOptions): Promise<AccountState>;
  /** Reads at most `SCAN_PAGE_LIMIT` pages of each list and says so when there was more. */
  history(address: string, options?: RequestOptions): Promise<AddressHistory>;
  /** Reads a few pages that begin at one transfer, its transaction included; `read` says how far they reached. */
  historyAround(address: string, around: Around, options?: RequestOptions): Promise<AddressHistory>;
  /** The lists that this source offers of an address: an asset in another list cannot be traced with it. */
  readonly lists: readonly HistoryList[];
  /** True where `historyAround` can begin at the first entry of each list (block 0, time 0, forward). */
  readonly readsOldestFirst: boolean;
  /** Null when the source answers and does not know the hash. */
  transaction(hash: string, options?: RequestOptions): Promise<ChainTransaction | null>;
  /** The same with logs, call and memos. Null for an unknown hash. */
  evidence(hash: string, options?: RequestOptions): Promise<TransactionEvidence | null>;
  /** Searches logs in 20 ranges or 3 pages at most. Null where the chain has no logs that can be searched. */
  findLogs(query: LogQuery, options?: RequestOptions): Promise<FoundLogs | null>;
  tokenTransfers(query: TokenQuery, options?: RequestOptions): Promise<TokenTransfers>;
  /** Reads the bytes that show that a block holds the transaction; null for an unknown hash. Left out on chains without a proof. */
  prove?(hash: string, options?: RequestOptions): Promise<BuiltProof | null>;
}
