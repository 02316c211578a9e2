import type { ChainSettings } from '../../config.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { formatUnits } from '../../domain/amount.ts';
import { listsOfChain } from '../../domain/chain.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import { numberEquals } from '../../domain/transfers/transfer-id.ts';
import { InvalidInputError, PipelineError } from '../../errors.ts';
import { proveTron, type TronProof } from '../../proofs/tron.ts';
import type { Endpoint } from '../http.ts';
import type {
  BuiltProof,
  ChainSource,
  ChainTransaction,
  EvidenceLog,
  RequestOptions,
  TokenQuery,
  TokenTransfers,
  TransactionEvidence,
} from '../port.ts';
import { publishedRate } from '../public-sources.ts';
import { type TronApi, tronApi } from './api.ts';
import { checkTron } from './check.ts';
import { listedTokenEvent, logEvents } from './events.ts';
import {
  isContract,
  rangeAround,
  readTransactions,
  readTrc20,
  type TronItem,
  type TronRange,
  tronHistory,
} from './history.ts';
import { listedEvent, type TransactionInfo, type TronNodeTransaction } from './shapes.ts';
import { type TronTokens, tronTokens } from './tokens.ts';
import {
  contractFailed,
  contractTransfers,
  frameOf,
  internalTransfers,
  rewardTransfers,
  takesRewards,
  tokenTransfer,
} from './transfers.ts';

/** TRON over TronGrid v1 (lists) and a full node's HTTP methods behind the same URL. Throws where none is configured. */
export function openTron(settings: ChainSettings, options: { pageLimit: number }): ChainSource {
  if (!settings.apiUrl) throw new PipelineError('No data source configured for tron');
  const endpoint: Endpoint = {
    chain: 'tron',
    name: 'trongrid',
    baseUrl: settings.apiUrl,
    perSecond: settings.apiRps ?? publishedRate(settings.apiUrl),
    headers: settings.apiKey ? { 'TRON-PRO-API-KEY': settings.apiKey } : undefined,
  };
  const api = tronApi(endpoint);
  const tokens = tronTokens(api);
  return {
    chain: 'tron',
    endpoints: [{ ...endpoint, kind: 'API', check: (request) => checkTron(api, request) }],
    lists: listsOfChain('tron'),
    readsOldestFirst: true,
    account: async (address, request) => {
      const found = await api.account(address, request);
      const balance = formatUnits(found?.balance ?? 0n, 6);
      return { balance, nonce: null, isContract: found !== null && isContract(found) };
    },
    history: (address, request) => tronHistory(api, tokens, address, options, request),
    historyAround: (address, around, request) =>
      tronHistory(
        api,
        tokens,
        address,
        { pageLimit: around.pages, range: rangeAround(around), before: around.tokens },
        request,
      ),
    transaction: async (hash, request) => (await evidence(api, tokens, hash, request))?.transaction ?? null,
    evidence: (hash, request) => evidence(api, tokens, hash, request),
    findLogs: async () => null,
    prove: (hash, request) => prove(api, hash, request),
    tokenTransfers: (query, request) => tokenList(api, tokens, query, options.pageLimit, request),
  };
}

/** The block as the full node states it; three requests. Null for an unknown hash. */
async function prove(api: TronApi, hash: string, options?: RequestOptions): Promise<BuiltProof<TronProof> | null> {
  const found = await api.transaction(hash, options);
  if (!found) return null;
  const info = await api.info(hash, options);
  if (!info) return { reason: 'unconfirmed' };
  const block = await api.provenBlock(info.blockNumber, options);
  if (!block) return { reason: 'not_stated' };
  const { blockID: blockId, header, transactions } = block;
  const built = proveTron(header, transactions, { hash, blockId });
  return typeof built === 'string' ? { reason: built } : { block_hash: blockId, kind: 'transaction_tree', ...built };
}

async function evidence(
  api: TronApi,
  tokens: TronTokens,
  hash: string,
  options?: RequestOptions,
): Promise<TransactionEvidence | null> {
  const found = await api.transaction(hash, options);
  if (!found) return null;
  const info = await api.info(hash, options);
  const failed = contractFailed(found) || (info !== null && infoFailed(info));
  const transfers = info ? allTransfers(found, info, failed) : [];
  const transaction: ChainTransaction = {
    txHash: found.txID,
    block: info?.blockNumber ?? null,
    at: info?.blockTimeStamp ?? null,
    status: info ? (failed ? 'failed' : 'success') : 'pending',
    transfers: await tokens.complete(transfers, options),
    accounts: accountsOf(found),
    type: found.raw_data.contract[0]!.type,
  };
  return {
    transaction,
    chainId: null,
    call: null,
    logs: failed || !info ? [] : evidenceLogs(info),
    memos: memosOf(found),
  };
}

function evidenceLogs({ log }: TransactionInfo): EvidenceLog[] {
  return log.map(({ address, topics, data }, index) => ({
    address,
    topics: topics.map((topic) => `0x${topic.toLowerCase()}`),
    data: `0x${data.toLowerCase()}`,
    index,
  }));
}

function memosOf({ raw_data: { data } }: TronNodeTransaction): string[] {
  return data === undefined ? [] : [Buffer.from(data, 'hex').toString('utf8')];
}

function infoFailed({ result, receipt }: TransactionInfo): boolean {
  return result === 'FAILED' || (receipt.result !== undefined && receipt.result !== 'SUCCESS');
}

/** Returns what was paid first: a call that carries no TRX is not what a token transfer is about. */
function allTransfers(found: TronNodeTransaction, info: TransactionInfo, failed: boolean): Transfer[] {
  const frame = frameOf(found, { block: info.blockNumber, at: info.blockTimeStamp, failed, fee: info.fee });
  const rewards = takesRewards(found) ? rewardTransfers(frame, info.withdraw_amount) : [];
  const direct = [...contractTransfers(found, frame), ...rewards];
  if (failed) return direct;
  const inner = info.internal_transactions.flatMap((entry) =>
    internalTransfers(
      {
        internal_tx_id: entry.hash,
        from_address: entry.caller_address,
        to_address: entry.transferTo_address,
        data: {
          note: entry.note,
          rejected: entry.rejected,
          call_value: Object.fromEntries(
            entry.callValueInfo.map(({ callValue, tokenId }) => [tokenId ?? '_', callValue]),
          ),
        },
      },
      frame,
    ),
  );
  const events = logEvents(info.log, frame).map(tokenTransfer);
  const [paying, empty] = [direct.filter((t) => t.amountRaw !== '0'), direct.filter((t) => t.amountRaw === '0')];
  const all = [...paying, ...events, ...inner, ...empty];
  numberEquals(all);
  return all;
}

function accountsOf(found: TronNodeTransaction): string[] {
  const { owner_address, to_address, contract_address, receiver_address, account_address } =
    found.raw_data.contract[0]!.parameter.value;
  const named = [owner_address, to_address, receiver_address, account_address, contract_address];
  return [...new Set(named.filter((address) => address !== undefined))];
}

async function tokenList(
  api: TronApi,
  tokens: TronTokens,
  query: TokenQuery,
  pageLimit: number,
  options?: RequestOptions,
): Promise<TokenTransfers> {
  const token = query.token === 'native' ? null : query.token;
  const ofContract = token !== null && canonicalAddress('tron', token) !== null;
  if (!ofContract && query.address === undefined) {
    throw new InvalidInputError('token_contract must be a contract; TRC-10 tokens are for /tx-query');
  }
  const counts = ({ block_timestamp: at, type = 'Transfer' }: TronItem) =>
    type === 'Transfer' && at >= query.from && at <= query.to;
  const enough = (items: TronItem[]) => items.filter(counts).length > query.limit;
  const range = { from: query.from, to: query.to, enough };
  const read = !ofContract
    ? await readTransactions(api, query.address!, pageLimit, { from: query.from, to: query.to }, options)
    : query.address !== undefined
      ? await readTrc20(api, tokens, query.address, pageLimit, { ...range, contract: token! }, options)
      : await readEvents(api, token!, pageLimit, range, options);
  const matching = read.transfers.filter(
    (transfer) =>
      transfer.token === token &&
      !transfer.failed &&
      transfer.at >= query.from &&
      transfer.at <= query.to &&
      (query.address === undefined || transfer.from === query.address || transfer.to === query.address),
  );
  const newest = matching.sort((a, b) => compareTransfers(b, a));
  const transfers = await tokens.complete(newest.slice(0, query.limit), options);
  return {
    symbol: transfers[0]?.asset ?? (token === null ? 'TRX' : null),
    transfers,
    reasons: newest.length > query.limit ? [...read.reasons, 'transfer_limit'] : read.reasons,
  };
}

async function readEvents(
  api: TronApi,
  contract: string,
  pageLimit: number,
  range: TronRange,
  options?: RequestOptions,
) {
  const listed = await api.list(
    {
      path: `/v1/contracts/${contract}/events`,
      query: {
        event_name: 'Transfer',
        only_confirmed: 'true',
        order_by: 'block_timestamp,desc',
        min_block_timestamp: range.from,
        max_block_timestamp: range.to,
      },
      shape: listedEvent,
      pageLimit,
      enough: range.enough,
    },
    options,
  );
  const once = new Map(
    (listed?.items ?? []).map((event, n) => [`${event.transaction_id} ${event.event_index ?? -n}`, event]),
  );
  const events = [...once.values()].filter(({ event_name }) => event_name === 'Transfer').map(listedTokenEvent);
  const reasons = listed === null ? ['tokens_not_listed'] : listed.truncated ? ['page_limit'] : [];
  const transfers = events.map(tokenTransfer);
  numberEquals(transfers);
  return { transfers, reasons };
}
