import { z } from 'zod';
import { EVM_CHAIN_IDS, type EvmChain } from '../../../domain/chain.ts';
import { trimEndOf } from '../../../domain/text/trim-end.ts';
import { SourceError } from '../../../errors.ts';
import { askSource, type Endpoint, isTooLarge, type SourceReply } from '../../http.ts';
import type { RequestOptions } from '../../port.ts';
import { publishedRate } from '../../public-sources.ts';
import { checked } from '../../reply.ts';

export type ExplorerParams = Record<string, string | number | undefined>;
/** `slow`: a smaller range may do. `unsupported`: this explorer has no such action. */
type ExplorerOutcome =
  | { rows: unknown[]; indexing: boolean }
  | { value: unknown }
  | { slow: string }
  | { unsupported: string };

/** One Etherscan-shaped block explorer: Etherscan itself, Routescan, Blockscout. */
export interface Explorer {
  readonly endpoint: Endpoint;
  readonly chain: EvmChain;
  readonly style: 'etherscan' | 'blockscout';
  /** The longest page of each list so far: the explorer's own cap is not below it. */
  readonly mostRows: Map<string, number>;
  ask(params: ExplorerParams, options?: RequestOptions): Promise<ExplorerOutcome>;
  /** Blockscout's version 2, by a path below its URL. */
  askPath(path: string, query: ExplorerParams, options?: RequestOptions): Promise<SourceReply>;
}

const BUSY = /rate limit|calls per sec|too many requests|max calls|temporarily unavailable/i;
const SLOW = /time(?:d)?.?out|result window|too large|too many results/i;
const UNSUPPORTED =
  /(?:unknown|invalid|unsupported|missing).{0,12}(?:action|module)|not (?:yet )?implemented|api pro endpoint/i;
/** Matches how Blockscout calls a range that it has not read whole, with one status or another by its version. */
const INDEXING = /not (?:yet )?been (?:yet )?processed/i;
const EMPTY = /^no .*found|^no (?:records|data)|no closest block|(?:block|transaction) (?:does not exist|not found)/i;

const answer = z.object({
  status: z.union([z.string(), z.number()]).transform(String).optional(),
  message: z.string().nullish(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string().catch('') }).nullish(),
});

export function openExplorer(
  chain: EvmChain,
  settings: { url: string; key?: string; style: 'etherscan' | 'blockscout'; perSecond?: number },
): Explorer {
  const baseUrl = settings.style === 'blockscout' ? withApi(settings.url) : settings.url;
  const perSecond = settings.perSecond ?? publishedRate(settings.url);
  const endpoint: Endpoint = { chain, name: 'explorer', baseUrl, perSecond };
  const fixed = {
    chainid: settings.style === 'etherscan' ? EVM_CHAIN_IDS[chain] : undefined,
    apikey: settings.key,
  };
  return {
    endpoint,
    chain,
    style: settings.style,
    mostRows: new Map(),
    async ask(params, options) {
      try {
        const complaint = (reply: SourceReply) => complaintOf(reply, BUSY);
        const reply = await askSource(endpoint, { query: { ...fixed, ...params }, complaint, ...options });
        return read(endpoint, reply, String(params.action));
      } catch (error) {
        if (!isTooLarge(error)) throw error;
        return { slow: error.reason };
      }
    },
    askPath: (path, query, options) => askSource(endpoint, { path, query, ...options }),
  };
}

/** Blockscout's version 1 lives at `/api`, version 2 below it; both ways of naming the instance are common. */
function withApi(url: string): string {
  const bare = trimEndOf(url, '/').replace(/\/v2$/, '');
  return bare.endsWith('/api') ? bare : `${bare}/api`;
}

function complaintOf(reply: SourceReply, pattern: RegExp): string | null {
  const body = reply.json as { status?: unknown; message?: unknown; result?: unknown } | undefined;
  const texts = [body?.result, body?.message].filter((text) => typeof text === 'string');
  return texts.find((text) => String(body?.status) === '0' && pattern.test(text)) ?? null;
}

function read(endpoint: Endpoint, reply: SourceReply, what: string): ExplorerOutcome {
  if (reply.status === 404 && reply.json === undefined) return { unsupported: what };
  if (typeof reply.json === 'object' && reply.json !== null && 'jsonrpc' in reply.json && 'result' in reply.json) {
    return { value: reply.json.result };
  }
  const { status, message, result, error } = checked(endpoint, answer, reply.json, what);
  if (error) throw new SourceError(endpoint.chain, `${endpoint.name}: ${what}: ${error.message}`);
  const text = typeof result === 'string' ? result : (message ?? '');
  if (Array.isArray(result) && INDEXING.test(message ?? '')) return { rows: result, indexing: true };
  if (status === '0') {
    if (EMPTY.test(message ?? '') || EMPTY.test(text)) return { rows: [], indexing: false };
    const slow = complaintOf(reply, SLOW);
    if (slow) return { slow };
    const unsupported = complaintOf(reply, UNSUPPORTED);
    if (unsupported) return { unsupported };
    // A refusal may come with an empty list, which only the words of an explorer make the whole of one.
    if (!Array.isArray(result) || result.length > 0 || !/^(?:ok\b.*)?$/i.test(message ?? '')) {
      throw new SourceError(endpoint.chain, `${endpoint.name}: ${what}: ${text.slice(0, 200) || 'refused'}`);
    }
  }
  if (reply.status !== 200) throw new SourceError(endpoint.chain, `${endpoint.name}: HTTP ${reply.status}`);
  if (Array.isArray(result)) return { rows: result, indexing: status === '2' };
  if (typeof result === 'string') return { value: result };
  if (typeof result === 'object' && result !== null) return { value: result as Record<string, unknown> };
  throw new SourceError(endpoint.chain, `${endpoint.name}: ${what} was answered with nothing`);
}
