import { formatUnits } from '../../../domain/amount.ts';
import { append } from '../../../domain/append.ts';
import { NATIVE_COIN } from '../../../domain/chain.ts';
import type { HistoryList } from '../../../domain/chains.ts';
import { addToGroup } from '../../../domain/group-by.ts';
import { assetIdOf, COIN } from '../../../domain/tracing/asset-id.ts';
import {
  type UnexplainedBalance,
  unexplainedBalances,
  withUnexplained,
} from '../../../domain/transfers/explained-balance.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { transferId } from '../../../domain/transfers/transfer-id.ts';
import { SourceError } from '../../../errors.ts';
import { eachInSlices } from '../../../fairness/time-slices.ts';
import type { AddressHistory, AddressType, RequestOptions, StatedBalance } from '../../port.ts';
import { type BlockArrivals, minedBlocks, validatorWithdrawals } from '../explorer/block-arrivals.ts';
import { blockscoutView } from '../explorer/blockscout.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { type ExplorerWindow, listRows, type RangeRead } from '../explorer/list.ts';
import { internalRows, tokenRows, transactionRows } from '../explorer/rows.ts';
import { quantity } from '../format/fields.ts';
import { type FoundMovement, ownPayment, type TxFacts } from '../format/transfer.ts';
import { fetchReceipts, headBlock, hex, transactionsOf, typeNumber } from '../node/chain-data.ts';
import { accountOf } from './account.ts';
import type { HistoryWindow } from './block-search.ts';
import { type EvmSources, rpcOf, sourceNames, toTransfers } from './sources.ts';
import { balanceCall, statedBalance, withDestroyed, withTokenStates } from './token-states.ts';

const TOKEN_LISTS = ['tokentx', 'tokennfttx', 'token1155tx'] as const;
/** Gaps of a result where the explorer does not offer a list. */
const NOT_LISTED = {
  txlist: 'native_not_listed',
  txlistinternal: 'internal_not_listed',
  tokentx: 'tokens_not_listed',
  tokennfttx: 'nft_not_listed',
  token1155tx: 'nft_not_listed',
} as const;

/** Why a history is not whole where the chain counts more transactions that the address sent than are listed. */
const SENT_NOT_LISTED = 'sent_not_listed';

/**
 * Transactions of a history whose signers are asked for, newest first: by which tokens left, and by which those came that it moved on:
 * who takes tokens for another gets them by what that one signs, and spam is not moved on.
 */
const SENDERS_MAX = { left: 50, came: 3 };

/** Rollups that make coin in transactions of their own. */
const MINTING = new Set(['optimism', 'base', 'arbitrum']);
/** Transactions that are looked up for one list, newest first: more than a wallet's deposits. */
const LOOKED_UP_MAX = 50;

/** The history as an explorer lists it; a node, where there is one, adds code, balance and unknown signers. */
export async function explorerHistory(
  sources: EvmSources,
  address: string,
  options?: RequestOptions,
  window?: HistoryWindow,
): Promise<AddressHistory> {
  const explorer = sources.explorer!;
  const { fromAt = 0, toAt = null, sentBefore, tokens, ...blocks } = window ?? {};
  const asked = { ...blocks, address };
  const reading = accountOf(sources, address, options);
  // NFTs are not money to follow: a whole history lists them, and one that is read on where there may be more of them.
  const tokenLists = reading.then(({ sent }) =>
    !window || (sentBefore !== undefined && sent !== null && sent > sentBefore) ? TOKEN_LISTS : (['tokentx'] as const),
  );
  const [native, tokenMoves, account] = await Promise.all([
    nativeRows(sources, asked, options),
    tokenLists.then((lists) => tokenMovements(sources, asked, lists, options)),
    reading,
  ]);
  const rows = native.rows.concat(tokenMoves.rows);
  // What one of the lists lacks of a transaction comes from the other.
  await shareFacts(rows);
  const reasons = [...new Set([...native.reasons, ...tokenMoves.reasons])];
  const read = { ...native.read, ...tokenMoves.read };
  const hashes = new Set<string>();
  const own = new Set<string>();
  await eachInSlices(rows, ({ movement, facts }) => {
    if (movement.from !== address && movement.to !== address)
      throw new SourceError(sources.chain, `${explorer.endpoint.name}: a transfer of another address was answered`);
    hashes.add(facts.txHash);
    if (movement.kind === 'native' && movement.from === address) own.add(facts.txHash);
  });
  const lacksSent = account.type === 'wallet' && !account.isDelegated && own.size < (account.sent ?? 0);
  // The list claims to be whole, and the chain knows of more.
  if (!window && reasons.length === 0 && lacksSent) {
    reasons.push(SENT_NOT_LISTED);
    read.coin = null;
  }
  if (!window || sentBefore !== undefined) await askSenders(sources, address, rows, options);
  const view =
    explorer.style === 'blockscout'
      ? await blockscoutView(explorer, address, window ? 0 : sources.pageLimit, options)
      : null;
  const empty = rows.length === 0 && !account.sent && (account.balance ?? '0') === '0';
  const inferred = inferredType(rows, address);
  const transfers = await toTransfers(sources, rows, options);
  const complete = !window && reasons.length === 0;
  const history: AddressHistory = {
    found: !empty || account.type === 'contract' || account.type === 'multisig',
    addressType: firstKnown(account.type, view?.type, inferred),
    balance: account.balance,
    transactionCount: Math.max(hashes.size, account.sent ?? 0),
    sent: account.sent ?? undefined,
    transfers,
    tags: view?.tags ?? [],
    coverage: { complete, sources: sourceNames(sources), reasons },
    read: Object.entries(read).flatMap(([list, part]) =>
      part ? [{ list: list as HistoryList, from: part.since ?? fromAt, to: part.until ?? toAt }] : [],
    ),
    balances: complete ? coinNow(account.balance, transfers) : [],
  };
  if (tokens) return withTokenStates(sources, address, history, { tokens, ...options });
  return window ? history : withBalancesExplained(sources, address, history, options);
}

/** Nothing where the address ever had the wrapped coin, of which the balance of the coin knows nothing. */
function coinNow(balance: string | null, transfers: readonly Transfer[]): StatedBalance[] {
  const isWrapped = (transfer: Transfer) => transfer.token !== null && assetIdOf(transfer) === COIN;
  return balance === null || transfers.some(isWrapped) ? [] : [{ token: null, at: null, amount: balance }];
}

interface Rows {
  rows: FoundMovement[];
  reasons: string[];
  /** The part of each list that was read whole. */
  read: Partial<Record<HistoryList, RangeRead | null>>;
}

/** Transactions and their inner moves, the latter failed where the transaction is. */
export async function nativeRows(sources: EvmSources, window: ExplorerWindow, options?: RequestOptions): Promise<Rows> {
  const explorer = sources.explorer!;
  const ask = { ...window, pageLimit: sources.pageLimit };
  const readOuter = (rows: unknown[]) => transactionRows(explorer, rows);
  const outer = await listRows(explorer, { ...ask, action: 'txlist' }, readOuter, options);
  if (outer.reasons.includes('unsupported')) throw new SourceError(sources.chain, 'explorer: no txlist');
  outer.rows = await withMints(sources, outer.rows, options);
  const readInner = (rows: unknown[]) => internalRows(explorer, rows);
  const inner = await listRows(explorer, { ...ask, action: 'txlistinternal' }, readInner, options);
  const byHash = new Map<string, FoundMovement>();
  if (inner.rows.length > 0) await eachInSlices(outer.rows, (row) => byHash.set(row.facts.txHash, row));
  await eachInSlices(inner.rows, (row) => {
    const parent = byHash.get(row.facts.txHash);
    if (!parent) return;
    row.movement.failed ||= parent.movement.failed;
    row.facts = parent.facts;
  });
  return {
    rows: [...outer.rows, ...inner.rows],
    reasons: [...reasonsOf('txlist', outer.reasons), ...reasonsOf('txlistinternal', inner.reasons)],
    read: { coin: outer.read, internal: inner.read },
  };
}

/** Lists do not say which payments a rollup made the coin for. Only transactions without a fee can be such, and are looked up. */
async function withMints(
  sources: EvmSources,
  rows: FoundMovement[],
  options?: RequestOptions,
): Promise<FoundMovement[]> {
  if (!MINTING.has(sources.chain)) return rows;
  const free = rows.filter(({ facts }) => facts.fee === 0n);
  const wanted = free.slice(-LOOKED_UP_MAX);
  if (wanted.length === 0) return rows;
  const found = await transactionsOf(
    rpcOf(sources),
    wanted.map(({ facts }) => facts.txHash),
    options,
  );
  const split = new Map(
    wanted.map((row, place): [FoundMovement, FoundMovement[]] => {
      const tx = found[place];
      const { from, to, amountRaw: value, failed } = row.movement;
      const paid = tx ? ownPayment({ ...tx, from, to, value, type: typeNumber(tx.type) }, failed) : [row.movement];
      return [row, paid.map((movement) => ({ ...row, movement }))];
    }),
  );
  return rows.flatMap((row) => split.get(row) ?? [row]);
}

/** Token rows; most explorers do not give the places of their logs. */
export async function tokenMovements(
  sources: EvmSources,
  window: ExplorerWindow,
  actions: readonly (keyof typeof NOT_LISTED)[],
  options?: RequestOptions,
): Promise<Rows> {
  const explorer = sources.explorer!;
  let rows: FoundMovement[] = [];
  const seen = new Set<string>();
  const reasons: string[] = [];
  const read: Rows['read'] = {};
  const unstated = new Set<string>();
  for (const action of actions) {
    const readRows = (listed: unknown[]) => tokenRows(explorer, listed, action, unstated);
    const list = await listRows(explorer, { ...window, action, pageLimit: sources.pageLimit }, readRows, options);
    rows = rows.concat(await unrepeated(list.rows, seen));
    append(reasons, reasonsOf(action, list.reasons));
    if (action === 'tokentx') read.tokens = list.read;
  }
  await setBatchPlaces(rows);
  return { rows, reasons: [...reasons, ...unstated], read };
}

/** Each list gives a part of a transaction's facts: what one row lacks comes from the others, first from its own payment. */
async function shareFacts(rows: readonly FoundMovement[]): Promise<void> {
  const shared = new Map<string, TxFacts>();
  await eachInSlices(rows, ({ movement, facts }) => {
    const known = shared.get(facts.txHash);
    if (!known) shared.set(facts.txHash, facts);
    else if (known !== facts) {
      const [best, other] = movement.kind === 'native' ? [facts, known] : [known, facts];
      known.blockHash = best.blockHash ?? other.blockHash;
      known.position = best.position ?? other.position;
      known.sender = best.sender ?? other.sender;
      known.asked = best.asked ?? other.asked;
      known.fee = best.fee ?? other.fee;
    }
  });
  await eachInSlices(rows, ({ facts }) => {
    const { blockHash, position, sender, asked, fee } = shared.get(facts.txHash)!;
    Object.assign(facts, { blockHash, position, sender, asked, fee });
  });
}

/** Rows of a list that no list before gave: some explorers give NFT moves in more than one. */
async function unrepeated(rows: readonly FoundMovement[], seen: Set<string>): Promise<FoundMovement[]> {
  const counted = new Map<string, number>();
  const unique: FoundMovement[] = [];
  await eachInSlices(rows, (row) => {
    const { movement, facts } = row;
    const { index, token, tokenId, from, to } = movement;
    const content = [facts.txHash, token, tokenId, from, to].join(':');
    const place = index ?? counted.get(content) ?? 0;
    if (typeof place === 'number') counted.set(content, place + 1);
    if (seen.size < seen.add(`${content}:${place}`).size) unique.push(row);
  });
  return unique;
}

/**
 * Asks the node who signed the transactions by which tokens left the address while its own list of transactions lacks
 * them: the tokens may have been taken.
 */
async function askSenders(
  { rpc }: EvmSources,
  address: string,
  rows: readonly FoundMovement[],
  options?: RequestOptions,
): Promise<void> {
  if (!rpc) return;
  const unsigned = { left: new Map<string, TxFacts[]>(), came: new Map<string, TxFacts[]>() };
  const isMoved = ({ movement: { kind, amountRaw } }: FoundMovement) => kind === 'token' && amountRaw > 0n;
  const movedOn = new Set<string | null>();
  await eachInSlices(rows, (row) => {
    if (isMoved(row) && row.movement.from === address) movedOn.add(row.movement.token);
  });
  await eachInSlices(rows, (row) => {
    const { movement, facts } = row;
    if (facts.sender !== null || !isMoved(row) || !movedOn.has(movement.token)) return;
    addToGroup(movement.from === address ? unsigned.left : unsigned.came, facts.txHash, facts);
  });
  const newest = (['left', 'came'] as const).flatMap((way) =>
    [...unsigned[way].values()].sort(([a], [b]) => b!.at - a!.at).slice(0, SENDERS_MAX[way]),
  );
  const receipts = await fetchReceipts(
    rpc,
    newest.map(([first]) => first!.txHash),
    options,
  );
  for (const [place, of] of newest.entries()) {
    for (const facts of of) facts.sender = receipts[place]?.from ?? null;
  }
}

/** One log that moves several token ids is several rows with one log index. */
async function setBatchPlaces(rows: readonly FoundMovement[]): Promise<void> {
  const byLog = new Map<string, FoundMovement['movement'][]>();
  await eachInSlices(rows, ({ movement, facts }) => {
    if (movement.index !== null) addToGroup(byLog, `${facts.txHash}:${movement.index}`, movement);
  });
  await eachInSlices(byLog.values(), (movements) => {
    if (movements.length === 1) return;
    for (const [place, movement] of movements.entries()) movement.index = `${movement.index}_${place}`;
  });
}

function reasonsOf(action: keyof typeof NOT_LISTED, reasons: string[]): string[] {
  return reasons.map((reason) =>
    reason === 'unsupported' ? NOT_LISTED[action] : reason === 'indexing' ? 'explorer_indexing' : reason,
  );
}

/** Only wallets send transactions; only contracts are created. */
function inferredType(rows: FoundMovement[], address: string): AddressType {
  return rows.some(({ facts, movement }) => movement.kind === 'native' && facts.sender === address)
    ? 'wallet'
    : 'unknown';
}

function firstKnown(...types: (AddressType | undefined)[]): AddressType {
  return types.find((type) => type !== undefined && type !== 'unknown') ?? 'unknown';
}

/** Blocks after which an explorer lists a transaction, and for which a node that keeps no archive still knows balances. */
const SETTLED_BLOCKS = 100;
/** Inner moves whose transactions are asked for, newest first. */
const INNER_MAX = 50;

/**
 * Compares a whole history with the stated balances. Where more coin is held than came, the explorer is asked for coin that
 * blocks gave, of which lists of transactions know nothing; where less is, whether the transactions of inner moves failed, which
 * some explorers leave out for a payee. What still differs may only be too new for a list, so that an
 * older balance decides.
 */
async function withBalancesExplained(
  sources: EvmSources,
  address: string,
  history: AddressHistory,
  options?: RequestOptions,
): Promise<AddressHistory> {
  const { chain } = sources;
  const isCut = history.coverage.reasons.includes('page_limit');
  if (!history.coverage.complete && !isCut) return history;
  let known = await withTokenStates(sources, address, history, { tokens: [], ...options });
  const left = () => coinOf(unexplainedBalances(chain, address, known));
  for (const given of chain === 'ethereum' ? [validatorWithdrawals, minedBlocks] : [minedBlocks]) {
    // Of a history that was cut nothing adds up: there only validators' money is worth a look.
    const isWanted = isCut ? given === validatorWithdrawals : isSurplus(left());
    if (isWanted) known = await withArrivals(sources, address, known, given, options);
  }
  if (!isCut && left()?.startsWith('-')) known = await withFailedInner(sources, known, options);
  // The blocks' own list may have been cut as well.
  if (known.coverage.reasons.includes('page_limit')) return known;
  known = await withDestroyed(sources, address, known, options);
  const found = unexplainedBalances(chain, address, known);
  return withUnexplained(known, await stillUnexplained(sources, address, { history: known, found }, options));
}

function coinOf(found: readonly UnexplainedBalance[]): string | null {
  return found.find(({ token }) => token === null)?.amount ?? null;
}

function isSurplus(amount: string | null): boolean {
  return amount !== null && !amount.startsWith('-');
}

type GivenByBlocks = (
  explorer: Explorer,
  address: string,
  pageLimit: number,
  options?: RequestOptions,
) => Promise<BlockArrivals>;

async function withArrivals(
  sources: EvmSources,
  address: string,
  history: AddressHistory,
  given: GivenByBlocks,
  options?: RequestOptions,
): Promise<AddressHistory> {
  const { rows, reasons } = await given(sources.explorer!, address, sources.pageLimit, options);
  const arrivals = await toTransfers(
    sources,
    rows.filter(({ movement }) => movement.to === address),
    options,
  );
  const isCut = reasons.includes('page_limit') && !history.coverage.reasons.includes('page_limit');
  const { coverage } = history;
  const cut = { ...coverage, complete: false, reasons: [...coverage.reasons, 'page_limit'] };
  return { ...history, transfers: [...history.transfers, ...arrivals], coverage: isCut ? cut : coverage };
}

/** Marks inner moves of transactions that failed and that the address did not send. */
async function withFailedInner(
  sources: EvmSources,
  history: AddressHistory,
  options?: RequestOptions,
): Promise<AddressHistory> {
  const isAsked = ({ kind, txSender, failed }: Transfer) => kind === 'internal' && txSender === null && !failed;
  const inner = history.transfers.filter(isAsked).sort((a, b) => b.at - a.at);
  const hashes = [...new Set(inner.map(({ txHash }) => txHash))].slice(0, INNER_MAX);
  const receipts = await fetchReceipts(rpcOf(sources), hashes, options).catch((error: unknown) => {
    // The history stays one that does not explain the balance.
    if (error instanceof SourceError && error.problem === 'unusable_answer') return [];
    throw error;
  });
  const failed = new Set(hashes.filter((_, place) => receipts[place]?.status === 0));
  const transfers = history.transfers.map((transfer) =>
    isAsked(transfer) && failed.has(transfer.txHash)
      ? { ...transfer, failed: true, id: transferId({ ...transfer, failed: true }) }
      : transfer,
  );
  return failed.size === 0 ? history : { ...history, transfers };
}

/** Returns the differing balances that differed at an older block too, or that no node states for it. */
async function stillUnexplained(
  { chain, rpc }: EvmSources,
  address: string,
  { history, found }: { history: AddressHistory; found: UnexplainedBalance[] },
  options?: RequestOptions,
): Promise<UnexplainedBalance[]> {
  if (!rpc || found.length === 0) return found;
  const block = (await headBlock(rpc, options)) - SETTLED_BLOCKS;
  if (block < 0) return found;
  const tokens = found.flatMap(({ token }) => token ?? []);
  const calls = [
    { method: 'eth_getBalance', params: [address, hex(block)] },
    ...tokens.map((token) => balanceCall(token, address, hex(block))),
  ];
  const [coin, ...others] = await rpc.attemptAll(calls, options);
  const stated = coin && 'result' in coin ? quantity.safeParse(coin.result) : null;
  const balance = stated?.success ? formatUnits(stated.data, NATIVE_COIN[chain].decimals) : null;
  const tokenBalances = tokens.flatMap((token, place) => statedBalance(chain, token, others[place]) ?? []);
  const transfers = history.transfers.filter((transfer) => transfer.block === null || transfer.block <= block);
  const older = unexplainedBalances(chain, address, { balance, tokenBalances, transfers });
  const isExplained = ({ token }: UnexplainedBalance) =>
    (token === null ? balance !== null : tokenBalances.some((one) => one.token === token)) &&
    !older.some((one) => one.token === token);
  return found.filter((one) => !isExplained(one));
}
