import { z } from 'zod';
import { SourceError } from '../../../errors.ts';
import type { FoundLogs, LogQuery, RequestOptions } from '../../port.ts';
import { checkedEach } from '../../reply.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { addressField, hashField, smallQuantity } from '../format/fields.ts';
import { scanLogs } from '../node/log-scan.ts';
import { type BlockRange, blocksBetween } from './block-search.ts';
import type { EvmSources } from './sources.ts';

const RANGES_MAX = 20;
const PAGES_MAX = 3;
const PAGE_ROWS = 100;
const TRANSACTIONS_MAX = 20;

const row = z.object({
  address: addressField,
  topics: z.array(z.union([hashField, z.null()])).max(4),
  blockNumber: smallQuantity,
  transactionHash: hashField,
});
type LoggedAt = Pick<z.output<typeof row>, 'topics' | 'blockNumber' | 'transactionHash'>;

/** Transactions in which a contract logged an event with the given topics, from the node, else the explorer. */
export async function findEvmLogs(sources: EvmSources, query: LogQuery, options?: RequestOptions): Promise<FoundLogs> {
  const range = await blocksBetween(sources, query.from, query.to, options);
  if (!range) return { txHashes: [], complete: true };
  const { logs, complete } = sources.rpc
    ? await fromNode(sources, query, range, options)
    : await fromExplorer(sources.explorer!, query, range, options);
  if (!logs.every((log) => fits(query, log))) {
    throw new SourceError(sources.chain, 'the source gave logs that were not asked for');
  }
  const inOrder = logs.toSorted((a, b) => a.blockNumber - b.blockNumber);
  const hashes = [...new Set(inOrder.map(({ transactionHash }) => transactionHash))];
  return { txHashes: hashes.slice(0, TRANSACTIONS_MAX), complete: complete && hashes.length <= TRANSACTIONS_MAX };
}

async function fromNode(sources: EvmSources, query: LogQuery, range: BlockRange, options?: RequestOptions) {
  const scan = await scanLogs(
    sources.rpc!,
    {
      contract: query.contract,
      filters: [[query.events, ...query.topics]],
      fromBlock: range.fromBlock,
      toBlock: range.toBlock!,
      pageLimit: RANGES_MAX,
      logsMax: PAGE_ROWS,
      order: query.order,
    },
    options,
  );
  return { logs: scan.logs, complete: scan.next === null };
}

async function fromExplorer(explorer: Explorer, query: LogQuery, range: BlockRange, options?: RequestOptions) {
  const logs: LoggedAt[] = [];
  const indexed = query.topics.flatMap((topic, i) =>
    topic === null
      ? []
      : [
          [`topic${i + 1}`, topic],
          [`topic0_${i + 1}_opr`, 'and'],
        ],
  );
  let complete = true;
  for (const event of query.events.slice(0, PAGES_MAX)) {
    const outcome = await explorer.ask(
      {
        module: 'logs',
        action: 'getLogs',
        address: query.contract,
        fromBlock: range.fromBlock,
        toBlock: range.toBlock ?? 'latest',
        topic0: event,
        ...Object.fromEntries(indexed),
        page: 1,
        offset: PAGE_ROWS,
      },
      options,
    );
    if (!('rows' in outcome)) {
      complete = false;
      continue;
    }
    const rows = await checkedEach(explorer.endpoint, row, outcome.rows, 'getLogs', 1_000);
    if (rows.some(({ address }) => address !== query.contract)) {
      throw new SourceError(explorer.chain, `${explorer.endpoint.name}: getLogs gave logs of another contract`);
    }
    complete &&= rows.length < PAGE_ROWS;
    logs.push(...rows);
  }
  return { logs, complete };
}

function fits({ events, topics }: LogQuery, log: LoggedAt): boolean {
  return (
    events.includes(log.topics[0] ?? '') && topics.every((topic, i) => topic === null || log.topics[i + 1] === topic)
  );
}
