import { z } from 'zod';
import type { RequestOptions } from '../../port.ts';
import { checkedEach } from '../../reply.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { addressField, blockTime, hashField, hexData, smallQuantity } from '../format/fields.ts';
import { blocksAt, headBlock } from '../node/chain-data.ts';
import { scanLogs } from '../node/log-scan.ts';
import type { EvmSources } from './sources.ts';

/** An event by which an issuer froze an address, or destroyed what it held. */
interface IssuerLog {
  txHash: string;
  block: number;
  /** Epoch ms. */
  at: number;
  index: number;
  topics: string[];
  data: string;
}

interface IssuerQuery {
  token: string;
  /** First topics, of which one fits. */
  events: readonly string[];
  /** True where the address is a topic; else it stands first in the data, and all of these events are read. */
  isIndexed: boolean;
  address: string;
}

/** Pages of an explorer, of 1,000 events each: Tether's contract froze some thousands of addresses. */
const PAGES_MAX = 5;
const PAGE_ROWS = 1_000;
/** Ranges of blocks of a node, the newest first. */
const RANGES_MAX = 20;

const noneAsZero = z.preprocess((text) => (text === '0x' ? '0x0' : text), smallQuantity);
const row = z.object({
  address: addressField,
  topics: z.array(z.union([hashField, z.null()])).max(4),
  data: hexData,
  blockNumber: smallQuantity,
  timeStamp: blockTime,
  transactionHash: hashField,
  logIndex: noneAsZero,
});

/** Finds what an issuer's contract logged of an address, as far as a few pages of events go, oldest first. */
export async function issuerLogs(
  sources: EvmSources,
  query: IssuerQuery,
  options?: RequestOptions,
): Promise<IssuerLog[]> {
  const logs = sources.explorer
    ? await fromExplorer(sources.explorer, query, options)
    : await fromNode(sources, query, options);
  const word = wordOf(query.address);
  const own = logs.filter(({ topics, data }) => topics[1] === word || data.startsWith(word));
  return own.sort((a, b) => a.block - b.block || a.index - b.index);
}

function wordOf(address: string): string {
  return `0x${address.slice(2).padStart(64, '0')}`;
}

async function fromExplorer(
  explorer: Explorer,
  { token, events, isIndexed, address }: IssuerQuery,
  options?: RequestOptions,
): Promise<IssuerLog[]> {
  const found: IssuerLog[] = [];
  const indexed = isIndexed ? { topic1: wordOf(address), topic0_1_opr: 'and' } : {};
  for (const topic0 of events) {
    for (let page = 1; page <= PAGES_MAX; page++) {
      const asked = { fromBlock: 0, toBlock: 'latest', topic0, ...indexed, page, offset: PAGE_ROWS };
      const outcome = await explorer.ask({ module: 'logs', action: 'getLogs', address: token, ...asked }, options);
      if (!('rows' in outcome)) break;
      const rows = await checkedEach(explorer.endpoint, row, outcome.rows, 'getLogs', PAGE_ROWS);
      for (const { topics, data, blockNumber: block, timeStamp: at, transactionHash: txHash, logIndex } of rows) {
        found.push({ txHash, block, at, index: logIndex, topics: topics.flatMap((topic) => topic ?? []), data });
      }
      if (rows.length < PAGE_ROWS) break;
    }
  }
  return found;
}

async function fromNode(
  { rpc }: EvmSources,
  { token, events, isIndexed, address }: IssuerQuery,
  options?: RequestOptions,
): Promise<IssuerLog[]> {
  const topics = isIndexed ? [[...events], wordOf(address)] : [[...events]];
  const bounds = { fromBlock: 0, toBlock: await headBlock(rpc!, options), pageLimit: RANGES_MAX, logsMax: PAGE_ROWS };
  const { logs } = await scanLogs(rpc!, { contract: token, filters: [topics], ...bounds }, options);
  const own = logs.filter((log) => log.topics[1] === wordOf(address) || log.data.startsWith(wordOf(address)));
  const blocks = await blocksAt(rpc!, [...new Set(own.map(({ blockNumber }) => blockNumber))], options);
  const times = new Map(blocks.map(({ number, timestamp }) => [number, timestamp]));
  return own.map(({ transactionHash: txHash, blockNumber: block, logIndex: index, topics: all, data }) => {
    return { txHash, block, at: times.get(block)!, index, topics: all, data };
  });
}
