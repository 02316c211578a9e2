import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { formatUnits } from '../../domain/amount.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { verifiedToken } from '../../domain/tokens/token.ts';
import { arrival, blockTransaction } from '../../domain/transfers/arrival.ts';
import { explained, type TokenBalance, unexplainedBalances } from '../../domain/transfers/explained-balance.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { numberEquals } from '../../domain/transfers/transfer-id.ts';
import { SourceError } from '../../errors.ts';
import type { AddressHistory, RequestOptions, StatedBalances } from '../port.ts';
import { inParallel, units } from '../reply.ts';
import { tronAddress, tronHex } from './address.ts';
import type { TronApi } from './api.ts';
import { DESTROYED_EVENT, listedDestruction } from './events.ts';
import { listedEvent, type TronAccount } from './shapes.ts';
import type { TronTokens } from './tokens.ts';
import { innerIndex, tokenTransfer } from './transfers.ts';

const WIDTH = 4;
/** Inner moves whose transactions are asked for, newest first. */
const INNER_MAX = 50;
/** Pages of 200 events. */
const DESTROYED_PAGES = 20;
/** The first block has no time of its own: that of the second one. */
const GENESIS = { txHash: blockTransaction(0), index: null, seq: null, block: 0, at: Date.UTC(2018, 5, 25, 1, 51, 9) };

const genesisBlock = z.object({
  transactions: z
    .array(
      z.object({
        raw_data: z.object({
          contract: z.array(
            z.object({
              parameter: z.object({
                value: z.object({ to_address: tronAddress.optional(), amount: units.catch(0n) }),
              }),
            }),
          ),
        }),
      }),
    )
    .default([]),
});

/** The server and the facts of its tokens. */
interface TronReader {
  api: TronApi;
  tokens: TronTokens;
}

/** Returns coin and TRC-10 tokens as an account states them. Other TRX is frozen, delegated or being unfrozen. */
export function statedBy(account: TronAccount | null, transfers: readonly Transfer[]): StatedBalances {
  const decimalsOf = new Map(transfers.map(({ token, decimals }) => [token, decimals]));
  const assets = (account?.assetV2 ?? []).flatMap(({ key: token, value }): TokenBalance[] => {
    const decimals = decimalsOf.get(token) ?? null;
    return decimals === null ? [] : [{ token, amount: formatUnits(value, decimals) }];
  });
  return {
    balance: formatUnits(account?.balance ?? 0n, 6),
    beside: formatUnits(account === null ? 0n : frozenBy(account), 6),
    tokenBalances: assets,
  };
}

function frozenBy(account: TronAccount): bigint {
  const { frozen, frozenV2, unfrozenV2, tron_power, account_resource: resource } = account;
  const parts = [
    ...frozen.map(({ frozen_balance }) => frozen_balance),
    ...frozenV2.map(({ amount }) => amount),
    ...unfrozenV2.map(({ unfreeze_amount }) => unfreeze_amount),
    tron_power?.frozen_balance ?? 0n,
    account.delegated_frozen_balance_for_bandwidth,
    account.delegated_frozenV2_balance_for_bandwidth,
    resource?.frozen_balance_for_energy?.frozen_balance ?? 0n,
    resource?.delegated_frozen_balance_for_energy ?? 0n,
    resource?.delegated_frozenV2_balance_for_energy ?? 0n,
  ];
  return parts.reduce((sum, part) => sum + part, 0n);
}

/**
 * Compares a whole history with what the account and the contracts of known tokens state. Where they differ, the account is
 * asked again, the first block for coin that it gave, transactions of others for inner moves that did not happen, and the
 * contracts for what they destroyed.
 */
export async function withStateExplained(
  { api, tokens }: TronReader,
  address: string,
  history: AddressHistory,
  options?: RequestOptions,
): Promise<AddressHistory> {
  if (!history.coverage.complete) return history;
  const held = await knownTokensOf(api, address, history.transfers, options);
  const withTokens = { ...history, tokenBalances: [...(history.tokenBalances ?? []), ...held] };
  if (unexplainedBalances('tron', address, withTokens).length === 0) return withTokens;
  const now = statedBy(await api.account(address, options), history.transfers);
  let known = { ...withTokens, ...now, tokenBalances: [...now.tokenBalances, ...held] };
  for (const { token, amount } of unexplainedBalances('tron', address, known)) {
    const isSurplus = !amount.startsWith('-');
    if (token === null && !isSurplus)
      known = { ...known, transfers: await withoutRejected(api, known.transfers, options) };
    const more =
      token === null && isSurplus
        ? await genesisTransfers(api, address, options)
        : token !== null && !isSurplus && verifiedToken('tron', token)
          ? await destroyedOf({ api, tokens }, token, address, options)
          : [];
    known = { ...known, transfers: [...known.transfers, ...more] };
  }
  return explained('tron', address, known);
}

async function knownTokensOf(
  api: TronApi,
  address: string,
  transfers: readonly Transfer[],
  options?: RequestOptions,
): Promise<TokenBalance[]> {
  const tokens = [...new Set(transfers.flatMap(({ token }) => token ?? []))];
  const known = tokens.filter((token) => token !== address && token.startsWith('T') && verifiedToken('tron', token));
  const found = await inParallel(known, WIDTH, async (token): Promise<TokenBalance[]> => {
    const parameter = tronHex(address).slice(2).padStart(64, '0');
    const answer = await api.constant(token, { selector: 'balanceOf(address)', parameter }, options);
    const { decimals } = verifiedToken('tron', token)!;
    return answer?.length === 64 ? [{ token, amount: formatUnits(BigInt(`0x${answer}`), decimals) }] : [];
  });
  return found.flat();
}

/** Coin that the first block gave; none where the node does not show it. */
async function genesisTransfers(api: TronApi, address: string, options?: RequestOptions): Promise<Transfer[]> {
  const block = await api.block(0, options).catch((error: unknown) => {
    if (error instanceof SourceError) return {};
    throw error;
  });
  const read = genesisBlock.safeParse(block);
  const contracts = (read.data?.transactions ?? []).flatMap(({ raw_data }) => raw_data.contract);
  return contracts.flatMap(({ parameter: { value } }) =>
    value.to_address === address && value.amount > 0n ? [arrival('tron', address, value.amount, GENESIS)] : [],
  );
}

/** The transfers without inner ones that were rejected: TronGrid lists those to their payee as if they had moved. */
async function withoutRejected(
  api: TronApi,
  transfers: readonly Transfer[],
  options?: RequestOptions,
): Promise<Transfer[]> {
  // What the address called itself is known to have gone through.
  const inner = transfers.filter(({ index, txSender }) => index?.startsWith('internal:') && txSender === null);
  const newest = inner.toSorted((a, b) => b.at - a.at).map(({ txHash }) => txHash);
  const asked = [...new Set(newest)].slice(0, INNER_MAX);
  const undone = new Set((await inParallel(asked, WIDTH, (hash) => undoneIn(api, hash, options))).flat());
  const isUndone = ({ txHash, index }: Transfer) =>
    index?.startsWith('internal:') &&
    (undone.has(txHash) || undone.has(`${txHash} ${index.split(':').slice(0, 2).join(':')}`));
  return undone.size === 0 ? [...transfers] : transfers.filter((transfer) => !isUndone(transfer));
}

/** Facts of transactions of others, by server and hash: a shortage that stays asks for the same ones at each scan. */
const undoneKnown = new WeakMap<TronApi, LRUCache<string, string[]>>();
const UNDONE_KEPT = 10_000;
/** After this time no block is undone. */
const SETTLED_MS = 10 * MINUTE_MS;

/** Returns what a transaction of another did not do: `<hash>` for all, `<hash> <index>` for an inner move. */
async function undoneIn(api: TronApi, txHash: string, options?: RequestOptions): Promise<string[]> {
  const known = undoneKnown.get(api) ?? new LRUCache<string, string[]>({ max: UNDONE_KEPT });
  undoneKnown.set(api, known);
  const before = known.get(txHash);
  if (before) return before;
  const info = await api.info(txHash, options).catch((error: unknown) => {
    // The history stays one that does not explain the balance.
    if (error instanceof SourceError && error.problem === 'unusable_answer') return null;
    throw error;
  });
  if (info === null) return [];
  const isFailed = info.result === 'FAILED';
  const rejected = info.internal_transactions.filter((one) => isFailed || one.rejected);
  const undone = [...(isFailed ? [info.id] : []), ...rejected.map(({ hash }) => `${info.id} ${innerIndex(hash)}`)];
  if (info.blockTimeStamp < Date.now() - SETTLED_MS) known.set(txHash, undone);
  return undone;
}

/** Amounts of a token that its issuer destroyed at an address, of which lists of transfers know nothing. */
async function destroyedOf(
  { api, tokens }: TronReader,
  token: string,
  address: string,
  options?: RequestOptions,
): Promise<Transfer[]> {
  const query = { event_name: DESTROYED_EVENT, only_confirmed: 'true', order_by: 'block_timestamp,desc' };
  const path = `/v1/contracts/${token}/events`;
  const listed = await api.list({ path, query, shape: listedEvent, pageLimit: DESTROYED_PAGES }, options);
  const events = (listed?.items ?? []).flatMap((event) => listedDestruction(event) ?? []);
  const transfers = events.filter(({ from }) => from === address).map(tokenTransfer);
  numberEquals(transfers);
  return tokens.complete(transfers, options);
}
