import { z } from 'zod';
import { SourceError } from '../../../errors.ts';
import { checked } from '../../reply.ts';
import { smallDigits } from '../format/fields.ts';
import type { Explorer, ExplorerParams } from './explorer.ts';

export interface ListRequest {
  action: 'txlist' | 'txlistinternal' | 'tokentx' | 'tokennfttx' | 'token1155tx';
  address?: string;
  contract?: string;
  fromBlock?: number;
  toBlock?: number;
  /** Most requests. */
  pageLimit: number;
  /** Enough rows: no further page is read. */
  rowsMax?: number;
}

export interface RowList {
  /** Oldest first. */
  rows: unknown[];
  /** Why it may not be all: `page_limit`, `unsupported`, `indexing`. */
  reasons: string[];
}

/** Most that every Etherscan plan gives at once. */
const PAGE_ROWS = 1_000;
/** Explorers refuse to page beyond this many rows of one range. */
const WINDOW_ROWS = 10_000;

const blockOf = z.object({ blockNumber: smallDigits });
type Row = { block: number; raw: unknown };

/**
 * Reads a list from the newest row back (onward where the explorer knows no `sort`). A full page is cut at
 * its last block, which the next request reads anew and whole: so nothing is read twice or missed, and the
 * range always shrinks. SourceError when rows lie outside the range asked for, or the same page comes again.
 */
export async function listRows(explorer: Explorer, request: ListRequest, signal?: AbortSignal): Promise<RowList> {
  const first = request.fromBlock ?? 0;
  const rows: Row[] = [];
  const reasons = new Set<string>();
  const ranges: [number, number | undefined][] = [[first, request.toBlock]];
  let asked = 0;
  const ask = async (from: number, to: number | undefined, page: number) => {
    asked += 1;
    return askPage(explorer, request, from, to, page, signal);
  };
  while (ranges.length > 0) {
    if (asked >= request.pageLimit || rows.length >= (request.rowsMax ?? Number.POSITIVE_INFINITY)) {
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
      ranges.push(...(await halves(explorer, from, to, answer.slow, signal)));
      continue;
    }
    if (answer.indexing) reasons.add('indexing');
    const page = answer.rows;
    const start = page[0]?.block ?? from;
    const end = page.at(-1)?.block ?? from;
    if (!looksFull(page.length)) {
      rows.push(...page);
    } else if (start !== end) {
      rows.push(...page.filter((row) => row.block !== end || asked >= request.pageLimit));
      ranges.push(end < start ? [from, end] : [end, to]);
    } else {
      const block = await wholeBlock(page, (number) => ask(end, end, number), request.pageLimit - asked, explorer);
      rows.push(...block.rows);
      if (!block.complete) reasons.add('page_limit');
      if (to === undefined || end < to) ranges.push([end + 1, to]);
      if (end > from) ranges.push([from, end - 1]);
    }
  }
  const oldestFirst = rows.reverse().sort((a, b) => a.block - b.block);
  return { rows: oldestFirst.map((row) => row.raw), reasons: [...reasons] };
}

/** A block with more rows than a page is the one place where page numbers are used. */
async function wholeBlock(
  firstPage: Row[],
  ask: (page: number) => ReturnType<typeof askPage>,
  pagesLeft: number,
  explorer: Explorer,
): Promise<{ rows: Row[]; complete: boolean }> {
  const rows = [...firstPage];
  let before = JSON.stringify(firstPage);
  for (let page = 2; page * PAGE_ROWS <= WINDOW_ROWS && page - 2 < pagesLeft; page++) {
    const answer = await ask(page);
    if (!('rows' in answer)) return { rows, complete: false };
    const now = JSON.stringify(answer.rows);
    if (now === before) throw fault(explorer, 'the same page came again');
    rows.push(...answer.rows);
    if (!looksFull(answer.rows.length)) return { rows, complete: true };
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
  signal?: AbortSignal,
): Promise<{ rows: Row[]; indexing: boolean } | { slow: string } | { unsupported: string }> {
  const params: ExplorerParams = {
    module: 'account',
    action: request.action,
    address: request.address,
    contractaddress: request.contract,
    startblock: from,
    endblock: to,
    page,
    offset: PAGE_ROWS,
    sort: 'desc',
  };
  const outcome = await explorer.ask(params, signal);
  if ('value' in outcome) throw fault(explorer, `${request.action} was answered with no list`);
  if (!('rows' in outcome)) return outcome;
  const rows = outcome.rows.map((raw) => ({
    block: checked(explorer.endpoint, blockOf, raw, `a row of ${request.action}`).blockNumber,
    raw,
  }));
  if (rows.some(({ block }) => block < from || (to !== undefined && block > to))) {
    throw fault(explorer, `${request.action} gave rows outside the blocks asked for`);
  }
  const ascending = rows.length > 0 && rows[0]!.block < rows.at(-1)!.block;
  const disordered = rows.some(({ block }, place) => {
    const before = rows[place - 1]?.block ?? block;
    return ascending ? block < before : block > before;
  });
  if (disordered) throw fault(explorer, `${request.action} is in no order`);
  return { rows, indexing: outcome.indexing };
}

/** An explorer may give less than was asked for; a cap is a round number, an end of a list hardly ever. */
function looksFull(rows: number): boolean {
  return rows > 0 && (rows >= PAGE_ROWS || rows % 100 === 0);
}

async function halves(
  explorer: Explorer,
  from: number,
  to: number | undefined,
  complaint: string,
  signal?: AbortSignal,
): Promise<[number, number][]> {
  const last = to ?? (await headOf(explorer, signal));
  if (last <= from) throw fault(explorer, complaint);
  const middle = Math.floor((from + last) / 2);
  return [
    [from, middle],
    [middle + 1, last],
  ];
}

async function headOf(explorer: Explorer, signal?: AbortSignal): Promise<number> {
  const outcome = await explorer.ask(
    explorer.style === 'blockscout'
      ? { module: 'block', action: 'eth_block_number' }
      : { module: 'proxy', action: 'eth_blockNumber' },
    signal,
  );
  const value = 'value' in outcome ? Number(outcome.value) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw fault(explorer, 'the newest block is not told');
  return value;
}

function fault(explorer: Explorer, what: string): SourceError {
  return new SourceError(explorer.chain, `${explorer.endpoint.name}: ${what}`);
}
