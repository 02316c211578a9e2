import { NATIVE_COIN } from '../../../domain/chain.ts';
import { compareTransfers } from '../../../domain/transfers/transfer.ts';
import type { RequestOptions, TokenQuery, TokenTransfers } from '../../port.ts';
import type { FoundMovement } from '../format/transfer.ts';
import { headBlock } from '../node/chain-data.ts';
import { CONTRACT_FILTERS, filtersFor, scanLogs } from '../node/log-scan.ts';
import { type BlockRange, blocksBetween } from './block-search.ts';
import { tokenContractTransfers } from './blockscout-transfers.ts';
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
