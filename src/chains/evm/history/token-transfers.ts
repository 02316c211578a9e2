import { z } from 'zod';
import { NATIVE_COIN } from '../../../domain/chain.ts';
import { compareTransfers, type Transfer } from '../../../domain/transfers/transfer.ts';
import { SourceError } from '../../../errors.ts';
import type { RequestOptions, TokenQuery, TokenTransfers } from '../../port.ts';
import { checked } from '../../reply.ts';
import type { Explorer } from '../explorer/explorer.ts';
import {
  addressField,
  bigDigits,
  digits,
  hashField,
  maybe,
  placeDigits,
  smallDigits,
  statedDecimals,
} from '../format/fields.ts';
import { AMOUNT_NOT_STATED, type FoundMovement, logSeq } from '../format/transfer.ts';
import { headBlock } from '../node/chain-data.ts';
import { CONTRACT_FILTERS, filtersFor, scanLogs } from '../node/log-scan.ts';
import { type BlockRange, blocksBetween } from './block-search.ts';
import { nativeRows, tokenMovements } from './explorer-history.ts';
import { movementsOfLogs } from './node-history.ts';
import { type EvmSources, toTransfers } from './sources.ts';

type MovementsFound = { found: FoundMovement[]; reasons: string[] };

/** Transfers of one token (or of the coin, for one address) in a span of time, the newest up to the limit. */
export async function evmTokenTransfers(
  sources: EvmSources,
  query: TokenQuery,
  options?: RequestOptions,
): Promise<TokenTransfers> {
  const token = query.token === 'native' ? 'native' : query.token.toLowerCase();
  const wanted = { ...query, token, address: query.address?.toLowerCase() };
  const { found, reasons } = await find(sources, wanted, options);
  const inSpan = found.filter(({ facts }) => facts.at >= query.from && facts.at <= query.to);
  const transfers = (await toTransfers(sources, inSpan, options)).sort((a, b) => compareTransfers(b, a));
  return {
    symbol: token === 'native' ? NATIVE_COIN[sources.chain].symbol : (transfers[0]?.asset ?? null),
    transfers: transfers.slice(0, query.limit),
    reasons: transfers.length > query.limit ? [...reasons, 'transfer_limit'] : reasons,
  };
}

async function find(sources: EvmSources, query: TokenQuery, options?: RequestOptions): Promise<MovementsFound> {
  const { explorer } = sources;
  if (explorer?.style === 'blockscout' && !query.address && query.token !== 'native') {
    const listed = await tokenContractTransfers(explorer, query.token, query, sources.pageLimit, options);
    if (listed) return listed;
  }
  const blocks = await blocksBetween(sources, query.from, query.to, options);
  if (!blocks) return { found: [], reasons: [] };
  if (explorer) return fromExplorer(sources, query, blocks, options);
  return fromNode(sources, query, blocks, options);
}

async function fromExplorer(
  sources: EvmSources,
  query: TokenQuery,
  blocks: BlockRange,
  options?: RequestOptions,
): Promise<MovementsFound> {
  const window = { ...blocks, address: query.address, rowsMax: query.limit + 1 };
  if (query.token === 'native') {
    const { rows, reasons } = await nativeRows(sources, window, options);
    return { found: rows, reasons };
  }
  // A contract keeps to one standard: the other lists are asked only where the first is empty.
  for (const action of ['tokentx', 'tokennfttx', 'token1155tx'] as const) {
    const { rows, reasons } = await tokenMovements(sources, { ...window, contract: query.token }, [action], options);
    const found = rows.filter(({ movement }) => movement.token === query.token);
    if (found.length > 0) return { found, reasons };
  }
  return { found: [], reasons: [] };
}

async function fromNode(
  sources: EvmSources,
  query: TokenQuery,
  blocks: BlockRange,
  options?: RequestOptions,
): Promise<MovementsFound> {
  const native = query.token === 'native';
  const scan = await scanLogs(
    sources.rpc!,
    {
      contract: native ? undefined : query.token,
      filters: query.address ? filtersFor(query.address) : CONTRACT_FILTERS,
      fromBlock: blocks.fromBlock,
      toBlock: blocks.toBlock ?? (await headBlock(sources.rpc!, options)),
      pageLimit: sources.pageLimit,
      logsMax: query.limit + 1,
    },
    options,
  );
  const newest = scan.logs
    .sort((a, b) => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex)
    .slice(0, native ? undefined : query.limit + 1);
  const read = await movementsOfLogs(sources, newest, query.address ?? null, options);
  const found = read.found.filter(({ movement }) =>
    native ? movement.token === null : movement.token === query.token,
  );
  // A node alone lists coin only where a token log led to it.
  return { found, reasons: native ? ['native_not_listed'] : scan.next === null ? [] : ['page_limit'] };
}

const party = z.object({ hash: addressField });
const total = z.looseObject({
  value: maybe(bigDigits).optional(),
  token_id: maybe(digits).optional(),
});
const transfer = z.object({
  transaction_hash: hashField.optional(),
  tx_hash: hashField.optional(),
  log_index: placeDigits,
  block_number: maybe(smallDigits).optional(),
  block_hash: maybe(hashField).optional(),
  /** Null where the explorer has not read the block yet. */
  timestamp: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .nullable(),
  from: party,
  to: party,
  total: total.nullish(),
  /** Null where the explorer has not read the contract yet. */
  token: z
    .object({ symbol: z.unknown().optional(), decimals: z.unknown().optional(), type: z.string().nullish() })
    .nullish(),
  token_type: z.string().nullish(),
  method: z.unknown().optional(),
});
const STANDARDS: Record<string, Transfer['assetType']> = { 'ERC-721': 'erc721', 'ERC-1155': 'erc1155' };
const page = z.object({
  items: z.array(z.unknown()),
  next_page_params: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * Transfers of one contract by anyone, newest first, from Blockscout's version 2, which has no filter by
 * date. Null where the instance does not offer version 2 or does not know the token.
 */
async function tokenContractTransfers(
  explorer: Explorer,
  contract: string,
  span: { from: number; to: number; limit: number },
  pageLimit: number,
  options?: RequestOptions,
): Promise<{ found: FoundMovement[]; reasons: string[] } | null> {
  const found: FoundMovement[] = [];
  const reasons = new Set<string>();
  let cursor: Record<string, string> = {};
  for (let count = 0; count < pageLimit; count++) {
    const reply = await explorer.askPath(`/v2/tokens/${contract}/transfers`, cursor, options);
    if (reply.status === 404) return null;
    const { items, next_page_params } = checked(explorer.endpoint, page, reply.json, 'the transfers of a token');
    const rows = items.flatMap((item) => {
      const row = movementOf(explorer, contract, item);
      if (typeof row !== 'string') return [row];
      reasons.add(row);
      return [];
    });
    for (const one of rows) if (one.facts.at >= span.from && one.facts.at <= span.to) found.push(one);
    const last = rows.at(-1)?.facts.at;
    if (!next_page_params || (last !== undefined && last < span.from)) return { found, reasons: [...reasons] };
    if (found.length > span.limit) return { found, reasons: [...reasons, 'transfer_limit'] };
    const next = Object.fromEntries(
      Object.entries(next_page_params).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
    );
    if (JSON.stringify(next) === JSON.stringify(cursor)) {
      throw new SourceError(explorer.chain, `${explorer.endpoint.name}: the same page came again`);
    }
    cursor = next;
  }
  return { found, reasons: [...reasons, 'page_limit'] };
}

/** Reads a transfer; returns the reason of a coverage where the reply states no time, or no amount: hidden, or not read from the chain. */
function movementOf(explorer: Explorer, contract: string, raw: unknown): FoundMovement | string {
  const item = checked(explorer.endpoint, transfer, raw, 'a transfer of a token');
  const txHash = item.transaction_hash ?? item.tx_hash;
  if (!txHash) throw new SourceError(explorer.chain, `${explorer.endpoint.name}: a transfer has no transaction`);
  const assetType = STANDARDS[item.token?.type ?? item.token_type ?? ''] ?? null;
  // Of a collectible the id may be unknown, and the number of copies: it is one at least.
  const nft = assetType !== null || item.total?.token_id != null;
  const amountRaw = item.total?.value ?? (nft ? 1n : null);
  if (amountRaw === null) return AMOUNT_NOT_STATED;
  if (item.timestamp === null) return 'explorer_indexing';
  return {
    movement: {
      index: `log:${item.log_index}`,
      seq: logSeq(item.log_index),
      from: item.from.hash,
      to: item.to.hash,
      token: contract,
      amountRaw,
      kind: nft ? 'nft' : 'token',
      tokenId: item.total?.token_id ?? null,
      assetType,
      failed: false,
    },
    facts: {
      txHash,
      block: item.block_number ?? null,
      blockHash: item.block_hash ?? null,
      position: null,
      at: item.timestamp,
      sender: null,
      method: typeof item.method === 'string' ? item.method.slice(0, 64) : null,
      asked: null,
      fee: null,
    },
    token: item.token
      ? {
          symbol: typeof item.token.symbol === 'string' ? item.token.symbol : '',
          decimals: statedDecimals(item.token.decimals),
        }
      : null,
  };
}
