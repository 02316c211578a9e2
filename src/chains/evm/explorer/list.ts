import { z } from 'zod';
import { append } from '../../../domain/append.ts';
import { SourceError } from '../../../errors.ts';
import type { RequestOptions } from '../../port.ts';
import { checkedEach } from '../../reply.ts';
import { rowTime, smallDigits } from '../format/fields.ts';
import type { Explorer, ExplorerParams } from './explorer.ts';

/** Which rows of a list to read. */
export interface ExplorerWindow {
  address?: string;
  contract?: string;
  fromBlock?: number;
  toBlock?: number;
  /** Enough rows: no further page is read. */
  rowsMax?: number;
  /** Which end of the range is read first; the newest by default. */
  order?: 'newest' | 'oldest';
  /** Rows of one page; as many as every plan gives by default. */
  pageRows?: number;
}

export interface ListRequest extends ExplorerWindow {
  action: 'txlist' | 'txlistinternal' | 'tokentx' | 'tokennfttx' | 'token1155tx' | 'txsBeaconWithdrawal';
  /** Most requests. */
  pageLimit: number;
}

export interface RowList<T> {
  /** The rows as they were read, oldest first. */
  rows: T[];
  /** Why it may not be all: `page_limit`, `unsupported`, `indexing`. */
  reasons: string[];
  /** The part of the range that was read whole; null where none was. */
  read: RangeRead | null;
}

/** Epoch ms, closed; undefined where the reading reached the end of the range asked for. */
export interface RangeRead {
  since?: number;
  until?: number;
}

/** Most that every Etherscan plan gives at once. */
const PAGE_ROWS = 1_000;
/**
 * Explorers do not say how many rows they give at once: a page of this length ends its list only where a longer one has
 * come before. No known explorer gives fewer.
 */
const CAP_MIN = 10;
/** Explorers refuse to page beyond this many rows of one range. */
const WINDOW_ROWS = 10_000;

const placeOf = z.object({ blockNumber: smallDigits, timeStamp: rowTime.nullish().catch(null) });
type RowPosition = { block: number; at: number | null };
type ListedRow = RowPosition & { raw: unknown };
/** Rows that lie together: no row of another part is between them. */
type Part<T> = { oldest: RowPosition; newest: RowPosition; rows: T[] };
type Range = [from: number, to: number | undefined];

/**
 * Reads a list from the newest row back, or from the oldest on, also where the explorer ignores `sort`; nothing is read
 * twice or missed. SourceError when rows lie outside the range asked for, or the same page comes again.
 */
export async function listRows<T>(
  explorer: Explorer,
  request: ListRequest,
  read: (rows: unknown[]) => Promise<T[]>,
  options?: RequestOptions,
): Promise<RowList<T>> {
  const first = request.fromBlock ?? 0;
  const parts: Part<T>[] = [];
  const reasons = new Set<string>();
  const ranges: Range[] = [[first, request.toBlock]];
  const cutBlocks: Range[] = [];
  const oldestFirst = request.order === 'oldest';
  const pageRows = request.pageRows ?? PAGE_ROWS;
  let asked = 0;
  let listed = 0;
  const isFull = (rows: number) =>
    rows >= Math.min(pageRows, Math.max(CAP_MIN, explorer.mostRows.get(request.action) ?? 0));
  const keep = async (rows: ListedRow[]) => {
    if (rows.length === 0) return;
    listed += rows.length;
    options?.onRows?.(rows.length);
    const inOrder = (oldestFirst ? rows : rows.toReversed()).sort((a, b) => a.block - b.block);
    const [oldest, newest] = [placeIn(inOrder[0]!), placeIn(inOrder.at(-1)!)];
    // Read as it arrives, so that the text of the page need not stay in memory.
    parts.push({ oldest, newest, rows: await read(inOrder.map(({ raw }) => raw)) });
  };
  const ask = async (from: number, to: number | undefined, page: number) => {
    asked += 1;
    return askPage(explorer, request, from, to, page, options);
  };
  while (ranges.length > 0) {
    if (asked >= request.pageLimit || listed >= (request.rowsMax ?? Number.POSITIVE_INFINITY)) {
      reasons.add('page_limit');
      break;
    }
    const [from, to] = ranges.pop()!;
    const answer = await ask(from, to, 1);
    if ('unsupported' in answer) {
      reasons.add('unsupported');
      break;
    }
    if ('slow' in answer) {
      const [lower, upper] = await halves(explorer, from, to, answer.slow, options);
      append(ranges, oldestFirst ? [upper, lower] : [lower, upper]);
      continue;
    }
    if (answer.indexing) reasons.add('indexing');
    const page = answer.rows;
    const start = page[0]?.block ?? from;
    const end = page.at(-1)?.block ?? from;
    if (!isFull(page.length)) {
      await keep(page);
    } else if (start !== end) {
      // Its last block may be cut: the next request reads that block whole, so the range always shrinks.
      await keep(page.filter(({ block }) => block !== end));
      if (asked >= request.pageLimit) await keep(page.filter(({ block }) => block === end));
      ranges.push(end < start ? [from, end] : [end, to]);
    } else {
      const block = await wholeBlock(page, (number) => ask(end, end, number), request.pageLimit - asked, explorer);
      await keep(block.rows);
      if (!block.complete) {
        reasons.add('page_limit');
        cutBlocks.push([end, end]);
      }
      const above: Range[] = to === undefined || end < to ? [[end + 1, to]] : [];
      const below: Range[] = end > from ? [[from, end - 1]] : [];
      append(ranges, oldestFirst ? [...above, ...below] : [...below, ...above]);
    }
  }
  parts.sort((a, b) => a.oldest.block - b.oldest.block);
  const unread = [...ranges, ...cutBlocks];
  const isUncertain = reasons.has('unsupported') || reasons.has('indexing');
  return {
    rows: parts.flatMap(({ rows }) => rows),
    reasons: [...reasons],
    read: isUncertain ? null : readPart(request, parts, unread),
  };
}

function placeIn({ block, at }: ListedRow): RowPosition {
  return { block, at };
}

/** The part of the range on one side of all that was not read. A block's own second counts as unread with it. */
function readPart(request: ListRequest, parts: Part<unknown>[], unread: Range[]): RangeRead | null {
  if (unread.length === 0) return {};
  const low = Math.min(...unread.map(([from]) => from));
  const high = unread.some(([, to]) => to === request.toBlock) ? undefined : Math.max(...unread.map(([, to]) => to!));
  if (high === undefined) {
    if (low <= (request.fromBlock ?? 0)) return null;
    const next = parts.find(({ oldest }) => oldest.block >= low)?.oldest;
    const last = parts.findLast(({ newest }) => newest.block < low)?.newest;
    return next?.at != null ? { until: next.at - 1 } : last?.at != null ? { until: last.at - 1 } : null;
  }
  const before = parts.findLast(({ newest }) => newest.block <= high)?.newest;
  const oldest = parts.find(({ oldest }) => oldest.block > high)?.oldest;
  return before?.at != null ? { since: before.at + 1 } : oldest?.at != null ? { since: oldest.at + 1 } : null;
}

/** A block with more rows than a page is the one place where page numbers are used. */
async function wholeBlock(
  firstPage: ListedRow[],
  ask: (page: number) => ReturnType<typeof askPage>,
  pagesLeft: number,
  explorer: Explorer,
): Promise<{ rows: ListedRow[]; complete: boolean }> {
  const rows = [...firstPage];
  let before = JSON.stringify(firstPage);
  for (let page = 2; page * firstPage.length <= WINDOW_ROWS && page - 2 < pagesLeft; page++) {
    const answer = await ask(page);
    if (!('rows' in answer)) return { rows, complete: false };
    const now = JSON.stringify(answer.rows);
    if (now === before) throw fault(explorer, 'the same page came again');
    append(rows, answer.rows);
    if (answer.rows.length < firstPage.length) return { rows, complete: true };
    before = now;
  }
  return { rows, complete: false };
}

async function askPage(
  explorer: Explorer,
  request: ListRequest,
  from: number,
  to: number | undefined,
  page: number,
  options?: RequestOptions,
): Promise<{ rows: ListedRow[]; indexing: boolean } | { slow: string } | { unsupported: string }> {
  const params: ExplorerParams = {
    module: 'account',
    action: request.action,
    address: request.address,
    contractaddress: request.contract,
    startblock: from,
    endblock: to,
    page,
    offset: request.pageRows ?? PAGE_ROWS,
    sort: request.order === 'oldest' ? 'asc' : 'desc',
  };
  const outcome = await explorer.ask(params, options);
  if ('value' in outcome) throw fault(explorer, `${request.action} was answered with no list`);
  if (!('rows' in outcome)) return outcome;
  const places = await checkedEach(explorer.endpoint, placeOf, outcome.rows, request.action, WINDOW_ROWS);
  const rows = outcome.rows.map((raw, i): ListedRow => {
    const { blockNumber, timeStamp } = places[i]!;
    return { block: blockNumber, at: timeStamp ?? null, raw };
  });
  if (rows.some(({ block }) => block < from || (to !== undefined && block > to))) {
    throw fault(explorer, `${request.action} gave rows outside the blocks asked for`);
  }
  const ascending = rows.length > 0 && rows[0]!.block < rows.at(-1)!.block;
  const disordered = rows.some(({ block }, place) => {
    const before = rows[place - 1]?.block ?? block;
    return ascending ? block < before : block > before;
  });
  if (disordered) throw fault(explorer, `${request.action} is in no order`);
  const { mostRows } = explorer;
  mostRows.set(request.action, Math.max(rows.length, mostRows.get(request.action) ?? 0));
  return { rows, indexing: outcome.indexing };
}

async function halves(
  explorer: Explorer,
  from: number,
  to: number | undefined,
  complaint: string,
  options?: RequestOptions,
): Promise<[Range, Range]> {
  const last = to ?? (await headOf(explorer, options));
  if (last <= from) throw fault(explorer, complaint);
  const middle = Math.floor((from + last) / 2);
  return [
    [from, middle],
    [middle + 1, last],
  ];
}

async function headOf(explorer: Explorer, options?: RequestOptions): Promise<number> {
  const outcome = await explorer.ask(
    explorer.style === 'blockscout'
      ? { module: 'block', action: 'eth_block_number' }
      : { module: 'proxy', action: 'eth_blockNumber' },
    options,
  );
  const value = 'value' in outcome ? Number(outcome.value) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw fault(explorer, 'the newest block is missing');
  return value;
}

function fault(explorer: Explorer, what: string): SourceError {
  return new SourceError(explorer.chain, `${explorer.endpoint.name}: ${what}`);
}
