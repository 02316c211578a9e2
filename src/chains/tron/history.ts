import { z } from 'zod';
import type { AskedTransfers } from '../../domain/calldata/asked-transfers.ts';
import type { HistoryList } from '../../domain/chains.ts';
import { type FrozenToken, freezeTerms } from '../../domain/tokens/issuer-freeze.ts';
import type { PaidFee } from '../../domain/transfers/explained-balance.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { numberEquals } from '../../domain/transfers/transfer-id.ts';
import { SourceError } from '../../errors.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import type { AddressHistory, AddressType, Around, ListSpan, RequestOptions, StatedFreezes } from '../port.ts';
import { inParallel } from '../reply.ts';
import { readTronAddress, tronHex } from './address.ts';
import type { TronApi, TronList } from './api.ts';
import { statedBy, withStateExplained } from './explain-balance.ts';
import {
  type ListedEvent,
  type ListedInternal,
  type ListedToken,
  listedEvent,
  listedInternal,
  listedToken,
  listedTransaction,
  type TronAccount,
} from './shapes.ts';
import type { TronTokens } from './tokens.ts';
import {
  contractTransfers,
  internalTransfers,
  isAsked,
  listedFrame,
  rewardTransfers,
  type TronFrame,
  takesRewards,
  tokenTransfer,
} from './transfers.ts';

/** Withdrawals of rewards whose amount is asked for, each by a request: one a day for half a year. */
const REWARDS_MAX = 180;
const WIDTH = 4;

/** Read as its page arrives, item by item: call data is not kept, and others never wait for a whole list. */
const transactionTransfers = listedTransaction.transform((entry) => {
  const frame = listedFrame(entry);
  const isReward = takesRewards(entry);
  const stated = isReward && entry.withdraw_amount !== undefined ? rewardTransfers(frame, entry.withdraw_amount) : [];
  return {
    block_timestamp: entry.block_timestamp,
    frame,
    transfers: [...contractTransfers(entry, frame), ...stated],
    /** True for rewards of which the list does not say how much. */
    asksReward: isReward && entry.withdraw_amount === undefined,
  };
});
/** The list of transactions may hold internal ones between the others. */
const listedAny = z.union([listedInternal, transactionTransfers]);

/** Fields by which lists are bounded. */
export interface TronItem {
  block_timestamp: number;
  type?: string;
}

/** Optional bounds, epoch ms, inclusive. */
export interface TronRange {
  from?: number;
  to?: number;
  enough?: (items: TronItem[]) => boolean;
  /** Which end is read first; the newest by default. */
  order?: 'newest' | 'oldest';
}

export interface TronRead {
  transfers: Transfer[];
  /** Hashes of all that was read, transfers or not. */
  hashes: Set<string>;
  /** Transfers that the signer asked for, by hash; absent where no calls were read. */
  asked?: ReadonlyMap<string, AskedTransfers>;
  /** Fees of all transactions that were read, and who paid each. */
  fees?: (PaidFee & { payer: string | null })[];
  reasons: string[];
  read: ListSpan[];
}

/** Transactions from the time of a transfer back to the beginning, or on to the newest. */
export function rangeAround({ direction, at }: Around): TronRange {
  return direction === 'backward' ? { to: at } : { from: at, order: 'oldest' };
}

/** Balance, transactions, internal transfers and TRC-20 transfers of an address; all of its history by default. */
export async function tronHistory(
  api: TronApi,
  tokens: TronTokens,
  address: string,
  { pageLimit, range, before }: { pageLimit: number; range?: TronRange; before?: readonly string[] },
  options?: RequestOptions,
): Promise<AddressHistory> {
  const [account, own, trc20] = await Promise.all([
    api.account(address, options),
    readTransactions(api, address, pageLimit, range ?? {}, options),
    readTrc20(api, tokens, address, pageLimit, range ?? {}, options),
  ]);
  const frames = new Map(own.transfers.map((transfer) => [transfer.txHash, transfer]));
  const blocks = new Map(own.transfers.map(({ at, block }) => [at, block]));
  await eachInSlices(trc20.transfers, (transfer) => {
    const frame = frames.get(transfer.txHash);
    // The list names no block, but blocks and their times are one to one.
    transfer.block = frame?.block ?? blocks.get(transfer.at) ?? null;
    transfer.txSender = frame?.txSender ?? null;
    transfer.method = frame?.method ?? null;
    transfer.asked = isAsked(own.asked?.get(transfer.txHash) ?? null, transfer);
    transfer.fee = frame?.fee ?? null;
  });
  const transfers = [...own.transfers, ...trc20.transfers].filter(({ from, to }) => from === address || to === address);
  const complete = await tokens.complete(transfers, options);
  const moved = new Set(transfers.map(({ txHash }) => txHash));
  const otherFees = (own.fees ?? []).filter(({ txHash, payer }) => payer === address && !moved.has(txHash));
  const hashes = new Set([...own.hashes, ...trc20.hashes]);
  const reasons = [...new Set([...own.reasons, ...trc20.reasons])];
  const history: AddressHistory = {
    found: account !== null || hashes.size > 0,
    addressType: addressType(account),
    ...statedBy(account, complete),
    transactionCount: hashes.size,
    transfers: complete,
    tags: [],
    coverage: { complete: !range && reasons.length === 0, sources: ['trongrid'], reasons },
    read: [...own.read, ...trc20.read],
    otherFees: otherFees.map(({ txHash, amount }) => ({ txHash, amount })),
    ...(range && !before
      ? {}
      : await frozenTokens(
          api,
          address,
          [...complete.flatMap(({ token }) => token ?? []), ...(before ?? [])],
          options,
        )),
  };
  return withStateExplained({ api, tokens }, address, history, options);
}

/** The part of a list that was read whole: where pages are left, up to the last row's own time. */
function spanOf(list: HistoryList, listed: TronList<TronItem> | null, { from, to, order }: TronRange): ListSpan[] {
  if (listed === null) return [];
  const last = listed.items.at(-1)?.block_timestamp;
  if (listed.truncated && last === undefined) return [];
  const cut = listed.truncated ? last! : null;
  if (order === 'oldest') return [{ list, from: from ?? 0, to: cut === null ? (to ?? null) : cut - 1 }];
  return [{ list, from: cut === null ? (from ?? 0) : cut + 1, to: to ?? null }];
}

function addressType(account: TronAccount | null): AddressType {
  if (!account) return 'unknown';
  if (isContract(account)) return 'contract';
  const permissions = [...(account.owner_permission ? [account.owner_permission] : []), ...account.active_permission];
  return permissions.some(({ threshold, keys }) => threshold > 1 || keys.length > 1) ? 'multisig' : 'wallet';
}

/** True for an account that runs a contract; TronGrid writes the kind of account as a word, a full node as a number. */
export function isContract({ type }: TronAccount): boolean {
  return type === 'Contract' || type === '2';
}

/** TRX and TRC-10, sent directly or by contracts. */
export async function readTransactions(
  api: TronApi,
  address: string,
  pageLimit: number,
  range: TronRange,
  options?: RequestOptions,
): Promise<TronRead> {
  const base = `/v1/accounts/${address}`;
  const query = listQuery(range);
  const listed = await api.list(
    {
      path: `${base}/transactions`,
      query: { ...query, search_internal: 'false' },
      shape: listedAny,
      pageLimit,
      enough: range.enough,
    },
    options,
  );
  const inner = await api.list(
    { path: `${base}/internal-transactions`, query, shape: listedInternal, pageLimit, enough: range.enough },
    options,
  );
  const reasons: string[] = [];
  if (listed === null) reasons.push('native_not_listed');
  if (inner === null) reasons.push('internal_not_listed');
  if (listed?.truncated || inner?.truncated) reasons.push('page_limit');

  /** Pages may repeat a transaction. */
  const transfers = new Map<string, Transfer>();
  const frames = new Map<string, TronFrame>();
  const internals: ListedInternal[] = [...(inner?.items ?? [])];
  const rewards: TronFrame[] = [];
  await eachInSlices(listed?.items ?? [], (entry) => {
    if ('internal_tx_id' in entry) {
      internals.push(entry);
      return;
    }
    frames.set(entry.frame.txHash, entry.frame);
    if (entry.asksReward) rewards.push(entry.frame);
    for (const transfer of entry.transfers) transfers.set(`${transfer.txHash} ${transfer.index}`, transfer);
  });
  const taken = await inParallel(rewards.slice(0, REWARDS_MAX), WIDTH, async (frame) => {
    const info = await api.info(frame.txHash, options);
    return rewardTransfers(frame, info?.withdraw_amount ?? 0n);
  });
  // None takes nothing: a node that states no amount does not keep it.
  if (rewards.length > REWARDS_MAX || taken.some((own) => own.length === 0)) reasons.push('rewards_not_listed');
  for (const transfer of taken.flat()) transfers.set(`${transfer.txHash} ${transfer.index}`, transfer);
  const blocks = new Map([...frames.values()].map(({ at, block }) => [at, block]));
  await eachInSlices(internals, (entry) => {
    const frame = frames.get(entry.tx_id) ?? bareFrame(entry.tx_id, entry.block_timestamp, blocks);
    // Of a failed transaction nothing moved, rejected by name or not.
    for (const transfer of frame.failed ? [] : internalTransfers(entry, frame)) {
      transfers.set(`${transfer.txHash} ${transfer.index}`, transfer);
    }
  });
  const hashes = new Set([...frames.keys(), ...internals.map(({ tx_id }) => tx_id)]);
  const read = [...spanOf('coin', listed, range), ...spanOf('internal', inner, range)];
  const distinct = [...transfers.values()];
  numberEquals(distinct);
  const asked = new Map(
    [...frames].flatMap(([hash, frame]) => (frame.asked?.moves.length ? [[hash, frame.asked]] : [])),
  );
  const fees = [...frames].map(([txHash, { txSender, fee }]) => ({ txHash, payer: txSender, amount: fee ?? '0' }));
  return { transfers: distinct, hashes, asked, fees, reasons, read };
}

/** TRC-20 transfers by Transfer events, of one contract or of all. */
export async function readTrc20(
  api: TronApi,
  tokens: TronTokens,
  address: string,
  pageLimit: number,
  range: TronRange & { contract?: string },
  options?: RequestOptions,
): Promise<TronRead> {
  const path = `/v1/accounts/${address}/transactions/trc20`;
  const query = { ...listQuery(range), contract_address: range.contract };
  const listed = await api.list({ path, query, shape: listedToken, pageLimit, enough: range.enough }, options);
  const moved = (listed?.items ?? []).filter(({ type }) => type === 'Transfer');
  const named = moved.filter(
    (entry): entry is ListedToken & { token_info: { address: string } } => !!entry.token_info.address,
  );
  const reasons: string[] = [];
  if (listed === null) reasons.push('tokens_not_listed');
  if (listed?.truncated) reasons.push('page_limit');
  if (named.length < moved.length) reasons.push('unnamed_tokens');
  for (const { token_info } of named) {
    const decimals = token_info.decimals;
    if (typeof decimals === 'number' && decimals <= 77)
      tokens.learn(token_info.address, { symbol: token_info.symbol ?? '', decimals });
  }
  // The list shows collectibles too, with an id where others have an amount: their contracts distinguish them.
  const indivisible = named.flatMap(({ token_info: { address, decimals } }) => (decimals ? [] : [address]));
  const collectibles = await tokens.collectibles(indivisible, options);
  const transfers: Transfer[] = [];
  await eachInSlices(named, ({ token_info: { address: token }, transaction_id, block_timestamp, from, to, value }) => {
    const frame = bareFrame(transaction_id, block_timestamp);
    transfers.push(tokenTransfer({ token, from, to, value, frame, nft: collectibles.has(token) }));
  });
  numberEquals(transfers);
  const hashes = new Set(moved.map((entry) => entry.transaction_id));
  return { transfers, hashes, reasons, read: spanOf('tokens', listed, range) };
}

function listQuery({ from, to, order }: TronRange) {
  const order_by = order === 'oldest' ? 'block_timestamp,asc' : 'block_timestamp,desc';
  return { only_confirmed: 'true', order_by, min_timestamp: from, max_timestamp: to };
}

function bareFrame(txHash: string, at: number, blocks?: Map<number, number | null>): TronFrame {
  const block = blocks?.get(at) ?? null;
  return { txHash, block, at, failed: false, txSender: null, method: null, asked: null, fee: null };
}

/** Pages of 200 events, newest first: Tether froze some thousands of addresses. */
const EVENT_PAGES = 20;

/**
 * Known tokens among these that their contracts call frozen at the address, and those that they call free: one call each, and its
 * events where it is frozen. Neither where the server does not say: a scan does not fail for it.
 */
async function frozenTokens(
  api: TronApi,
  address: string,
  tokens: readonly string[],
  options?: RequestOptions,
): Promise<StatedFreezes> {
  try {
    return await readFrozen(api, address, [...new Set(tokens)], options);
  } catch (error) {
    if (error instanceof SourceError) return {};
    throw error;
  }
}

async function readFrozen(
  api: TronApi,
  address: string,
  tokens: string[],
  options?: RequestOptions,
): Promise<StatedFreezes> {
  const unfrozen: string[] = [];
  const found = await inParallel(tokens, WIDTH, async (token): Promise<FrozenToken[]> => {
    const terms = freezeTerms('tron', token);
    if (terms === null) return [];
    const parameter = tronHex(address).slice(2).padStart(64, '0');
    const answer = await api.constant(token, { selector: terms.view, parameter }, options);
    if (answer !== null && /^0{64}$/.test(answer)) unfrozen.push(token);
    if (answer === null || !/^0{63}1$/.test(answer)) return [];
    const dates = await inParallel([...terms.names], 1, (name) => frozenAt(api, { token, name, address }, options));
    return [{ token, since: dates.find((at) => at !== null) ?? null }];
  });
  return { frozen: found.flat(), unfrozen };
}

/** When the newest event of the name froze the address, epoch ms; null where it is not among those that were read. */
async function frozenAt(
  api: TronApi,
  { token, name, address }: { token: string; name: string; address: string },
  options?: RequestOptions,
): Promise<number | null> {
  const isOwn = ({ result }: ListedEvent) =>
    [result[0], result._user, result._account].some((who) => readTronAddress(who ?? '') === address);
  const listed = await api.list(
    {
      path: `/v1/contracts/${token}/events`,
      query: { event_name: name, only_confirmed: 'true', order_by: 'block_timestamp,desc' },
      shape: listedEvent,
      pageLimit: EVENT_PAGES,
      enough: (items) => items.some(isOwn),
    },
    options,
  );
  return listed?.items.find(isOwn)?.block_timestamp ?? null;
}
