import { z } from 'zod';
import { SourceError } from '../../errors.ts';
import { askSource, type Endpoint } from '../http.ts';
import type { RequestOptions } from '../port.ts';
import { checked, checkedEach, wholeUpTo } from '../reply.ts';
import { tronHex } from './address.ts';
import { nodeTransaction, provenBlock, transactionInfo, tronAccountShape } from './shapes.ts';

const PAGE_SIZE = 200;
const PAGE_ITEMS_MAX = 1_000;
/** TronGrid suspends who asks too often for some seconds with 403. */
const BUSY_STATUSES = [403];

const listEnvelope = z.object({
  success: z.literal(true),
  data: z.array(z.unknown()),
  meta: z.object({ fingerprint: z.string().max(4_096).optional() }).default({}),
});
const nodeEnvelope = z.record(z.string(), z.unknown());
const constantCall = z.object({ constant_result: z.array(z.string()).default([]) });
const assetList = z.array(
  z.object({
    id: z.union([z.string(), z.number()]).transform(String),
    abbr: z.string().optional(),
    name: z.string().optional(),
    precision: wholeUpTo(30).default(0),
  }),
);

export interface TronList<T> {
  items: T[];
  truncated: boolean;
}

interface Listing {
  path: string;
  query: Record<string, string | number | undefined>;
}

export interface TronListRequest<S extends z.ZodType> extends Listing {
  shape: S;
  pageLimit: number;
  /** True once no further page is needed. */
  enough?: (items: z.output<S>[]) => boolean;
}

export type TronApi = ReturnType<typeof tronApi>;

/** TronGrid v1 lists and the full node's methods behind the same address; both report errors inside HTTP 200 too. */
export function tronApi(endpoint: Endpoint) {
  async function get(path: string, query: Listing['query'], options?: RequestOptions) {
    const reply = await askSource(endpoint, { path, query, busyStatuses: BUSY_STATUSES, ...options });
    if (reply.status === 404) return null;
    if (reply.status !== 200) {
      throw new SourceError(endpoint.chain, `${path}: HTTP ${reply.status} ${reply.excerpt.slice(0, 100)}`);
    }
    return checked(endpoint, listEnvelope, reply.json, path);
  }

  /**
   * True where more rows follow the last page, which names no next one: TronGrid forgets to at times. A full page may also be the
   * last, so that the rows since its last moment are counted. True too where that stays unknown.
   */
  async function goesOn(
    { path, query }: Listing,
    rows: readonly unknown[],
    options?: RequestOptions,
  ): Promise<boolean> {
    if (rows.length < PAGE_SIZE) return false;
    const at = (row: unknown) => (row as { block_timestamp?: number }).block_timestamp;
    const last = at(rows.at(-1));
    const ofLast = rows.filter((row) => at(row) === last).length;
    // One more than an answer holds.
    if (ofLast >= PAGE_SIZE) return true;
    const end = String(query.order_by).endsWith('asc') ? 'min' : 'max';
    const bound = `${end}_${path.endsWith('/events') ? 'block_' : ''}timestamp`;
    try {
      const rest = await get(path, { limit: PAGE_SIZE, ...query, [bound]: last }, options);
      return rest === null || rest.data.length > ofLast;
    } catch (error) {
      // What was read stands.
      if (error instanceof SourceError) return true;
      throw error;
    }
  }

  async function node(path: string, body: unknown, options?: RequestOptions) {
    const reply = await askSource(endpoint, { path, body, busyStatuses: BUSY_STATUSES, ...options });
    if (reply.status !== 200) throw new SourceError(endpoint.chain, `${path}: HTTP ${reply.status}`);
    const answer = checked(endpoint, nodeEnvelope, reply.json, path);
    if (answer.Error !== undefined)
      throw new SourceError(endpoint.chain, `${path}: ${String(answer.Error).slice(0, 200)}`);
    return answer;
  }

  return {
    endpoint,

    /** A block as the full node shows it. */
    block: (number: number | 'newest', options?: RequestOptions) =>
      number === 'newest'
        ? node('/wallet/getnowblock', {}, options)
        : node('/wallet/getblockbynum', { num: number }, options),

    /** A block with the bytes that its hashes are made of; null where the node does not have it. */
    async provenBlock(height: number, options?: RequestOptions) {
      const answer = await node('/wallet/getblockbynum', { num: height, visible: false }, options);
      if (Object.keys(answer).length === 0) return null;
      return checked(endpoint, provenBlock, answer, 'getblockbynum');
    },

    /**
     * Reads a list page by page. Null where the server does not offer it. A fingerprint that comes again would
     * loop for ever and throws SourceError.
     */
    async list<S extends z.ZodType>(
      request: TronListRequest<S>,
      options?: RequestOptions,
    ): Promise<TronList<z.output<S>> | null> {
      const { path, query, shape, pageLimit, enough } = request;
      const items: z.output<S>[] = [];
      const seen = new Set<string>();
      let fingerprint: string | undefined;
      for (let pages = 0; pages < pageLimit; pages++) {
        const page = await get(path, { limit: PAGE_SIZE, ...query, fingerprint }, options);
        if (page === null) {
          if (pages > 0) throw new SourceError(endpoint.chain, `${path}: the list ended with HTTP 404`);
          return null;
        }
        for (const item of await checkedEach(endpoint, shape, page.data, path, PAGE_ITEMS_MAX)) items.push(item);
        options?.onRows?.(page.data.length);
        fingerprint = page.meta.fingerprint;
        if (enough?.(items)) return { items, truncated: false };
        if (!fingerprint) return { items, truncated: await goesOn(request, page.data, options) };
        if (seen.has(fingerprint)) throw new SourceError(endpoint.chain, `${path}: a fingerprint came twice`);
        seen.add(fingerprint);
      }
      return { items, truncated: true };
    },

    /** Null for an address that was never activated. */
    async account(address: string, options?: RequestOptions) {
      const answer = await node('/wallet/getaccount', { address, visible: true }, options);
      if (Object.keys(answer).length === 0) return null;
      return checked(endpoint, tronAccountShape, answer, 'getaccount');
    },

    async transaction(hash: string, options?: RequestOptions) {
      const answer = await node('/wallet/gettransactionbyid', { value: hash, visible: false }, options);
      if (Object.keys(answer).length === 0) return null;
      return checked(endpoint, nodeTransaction, answer, 'gettransactionbyid');
    },

    /** Null until the transaction is in a block. */
    async info(hash: string, options?: RequestOptions) {
      const answer = await node('/wallet/gettransactioninfobyid', { value: hash }, options);
      if (Object.keys(answer).length === 0) return null;
      return checked(endpoint, transactionInfo, answer, 'gettransactioninfobyid');
    },

    /** Calls a contract with one word of arguments or none and returns its answer in hex; null where the call fails. */
    async constant(
      contract: string,
      { selector, parameter }: { selector: string; parameter?: string },
      options?: RequestOptions,
    ): Promise<string | null> {
      const hex = tronHex(contract);
      const body = {
        owner_address: hex,
        contract_address: hex,
        function_selector: selector,
        parameter,
        visible: false,
      };
      const answer = await node('/wallet/triggerconstantcontract', body, options);
      const { constant_result } = checked(endpoint, constantCall, answer, 'triggerconstantcontract');
      const value = constant_result[0];
      return value && /^(?:[0-9a-fA-F]{2})+$/.test(value) ? value : null;
    },

    /** Facts of a TRC-10 asset; null where nobody issued it. */
    async asset(id: string, options?: RequestOptions) {
      const page = await get(`/v1/assets/${encodeURIComponent(id)}`, {}, options);
      const assets = page ? checked(endpoint, assetList, page.data, 'assets') : [];
      return assets.find((asset) => asset.id === id) ?? null;
    },
  };
}
