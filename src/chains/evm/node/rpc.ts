import { z } from 'zod';
import { CHAINS, EVM_CHAIN_IDS, type EvmChain, isEvmChain } from '../../../domain/chain.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import { SourceError } from '../../../errors.ts';
import { Batches, type RpcCall } from '../../batches.ts';
import { askSource, type Endpoint, type RequestBounds, type SourceReply } from '../../http.ts';
import type { RequestOptions } from '../../port.ts';
import { checked } from '../../reply.ts';
import { smallQuantity } from '../format/fields.ts';

export interface RpcError {
  code: number;
  message: string;
  data: unknown;
}
export type RpcOptions = RequestOptions & RequestBounds;
export type RpcOutcome = { result: unknown } | { error: RpcError };

/** One JSON-RPC node. */
export interface Rpc {
  readonly endpoint: Endpoint;
  /** The result; SourceError for every error of the node. */
  call(method: string, params: unknown[], options?: RpcOptions): Promise<unknown>;
  /** The result or the node's error, once it is no longer rate-limiting. */
  attempt(method: string, params: unknown[], options?: RpcOptions): Promise<RpcOutcome>;
  /** `attempt` for each call, in as few requests as the node allows. */
  attemptAll(calls: readonly RpcCall[], options?: RpcOptions): Promise<RpcOutcome[]>;
  /** False where the node refused every batch so far. */
  takesBatches(): boolean;
}

const RANGE_COMPLAINTS =
  /response size|blocks? range|range (?:is )?too|ranges? (?:over|limit)|limited to|returned more than|too many (?:results|logs|blocks)|max(?:imum)? results|exceeds? (?:the )?(?:max|limit|range)|limit exceeded|query timeout|timed out|timeout|too large/i;
const BUSY_COMPLAINTS =
  /rate.?limit|too many requests|request (?:limit|rate)|compute units|throttl|capacity|try again later/i;
const NO_METHOD = -32_601;
/** A method that the node lacks is not asked for again for so long. */
const REFUSED_MS = HOUR_MS;
const BUSY_CODES = [429, -32_005, -32_029];
const METHOD_UNKNOWN = /not (?:found|supported|available|exist|whitelisted)|unsupported|unknown method|disabled/i;

const envelope = z.object({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.unknown().optional(),
  error: z
    .object({ code: z.coerce.number().catch(0), message: z.string().catch(''), data: z.unknown().optional() })
    .nullish(),
});

export function openRpc(endpoint: Endpoint): Rpc {
  const ask = async (method: string, params: unknown[], options?: RpcOptions): Promise<RpcOutcome> => {
    const complaint = ({ status, json }: SourceReply) => {
      const error = status === 413 ? null : errorIn(json);
      return error && isBusy(method, error) ? error.message || 'busy' : null;
    };
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const reply = await askSource(endpoint, { ...options, body, complaint });
    if (reply.status === 413) return { error: { code: 413, message: 'response size', data: null } };
    const error = errorIn(reply.json);
    if (error) return { error };
    if (reply.status !== 200) throw new SourceError(endpoint.chain, `${endpoint.name}: HTTP ${reply.status}`);
    const { id, result } = checked(endpoint, envelope, reply.json, method);
    if (String(id) !== '1' || result === undefined) {
      throw new SourceError(endpoint.chain, `${endpoint.name}: ${method} was answered with something else`);
    }
    return { result };
  };
  const refused = new Map<string, { error: RpcError; until: number }>();
  const attempt = async (method: string, params: unknown[], options?: RpcOptions) => {
    const before = refused.get(method);
    if (before && Date.now() < before.until) return { error: before.error };
    const outcome = await ask(method, params, options);
    if ('error' in outcome && outcome.error.code === NO_METHOD) {
      refused.set(method, { error: outcome.error, until: Date.now() + REFUSED_MS });
    }
    return outcome;
  };
  const batches = new Batches(endpoint);
  return {
    endpoint,
    attempt,
    attemptAll: (calls, options) =>
      batches.ask<RpcOutcome>(
        calls,
        { read: outcomeInBatch, alone: ({ method, params }) => attempt(method, params, options) },
        options,
      ),
    takesBatches: () => batches.areTaken,
    async call(method, params, options) {
      return resultOf(endpoint, method, await attempt(method, params, options));
    },
  };
}

/** The result of an attempt; SourceError for every error of the node. */
export function resultOf(endpoint: Endpoint, method: string, outcome: RpcOutcome): unknown {
  if ('result' in outcome) return outcome.result;
  const { code, message } = outcome.error;
  throw new SourceError(endpoint.chain, `${endpoint.name}: ${method}: ${code} ${message}`);
}

function errorIn(json: unknown): RpcError | null {
  const answer = envelope.safeParse(json);
  if (!answer.success || !answer.data.error) return null;
  const { code, message, data } = answer.data.error;
  return { code, message: message.slice(0, 500), data };
}

function outcomeInBatch(answer: unknown): RpcOutcome | null {
  const error = errorIn(answer);
  if (error) return isBusy('', error) ? null : { error };
  const read = envelope.safeParse(answer);
  return read.success && read.data.result !== undefined ? { result: read.data.result } : null;
}

/** True when fewer blocks or results would do. */
export function isRangeError(error: RpcError): boolean {
  return error.code === 413 || RANGE_COMPLAINTS.test(error.message);
}

/** True when the node does not offer the method at all. */
export function isMethodUnknown(error: RpcError): boolean {
  return error.code === NO_METHOD || METHOD_UNKNOWN.test(error.message);
}

/** Nodes use one code for rate limits and for ranges: where a range was asked for, that is looked at first. */
function isBusy(method: string, error: RpcError): boolean {
  if (method === 'eth_getLogs' && isRangeError(error)) return false;
  return BUSY_CODES.includes(error.code) || BUSY_COMPLAINTS.test(error.message);
}

/** SourceError where the node does not state its chain, or states another one. */
export function readChainId(rpc: Rpc, chain: EvmChain, outcome: RpcOutcome): number {
  const result = resultOf(rpc.endpoint, 'eth_chainId', outcome);
  const chainId = checked(rpc.endpoint, smallQuantity, result, 'eth_chainId');
  if (chainId !== EVM_CHAIN_IDS[chain]) {
    const other = CHAINS.find((one) => isEvmChain(one) && EVM_CHAIN_IDS[one] === chainId);
    const named = other ? `${other} (chain id ${chainId})` : `chain id ${chainId}`;
    const reason = `${rpc.endpoint.name}: it serves ${named}, not ${chain} (${EVM_CHAIN_IDS[chain]})`;
    throw new SourceError(chain, reason, { problem: 'other_network' });
  }
  return chainId;
}

/**
 * The same node, asked for its chain before anything else: nothing is taken of one that serves another chain, or does not
 * answer that. A gateway without the method cannot say; the operator's check shows it.
 */
export function confirmingChain(rpc: Rpc, chain: EvmChain): Rpc {
  let isConfirmed = false;
  const confirm = async (options?: RequestOptions) => {
    if (isConfirmed) return;
    const stated = await rpc.attempt('eth_chainId', [], options);
    if ('result' in stated || !isMethodUnknown(stated.error)) readChainId(rpc, chain, stated);
    isConfirmed = true;
  };
  return {
    ...rpc,
    call: async (method, params, options) => {
      await confirm(options);
      return rpc.call(method, params, options);
    },
    attempt: async (method, params, options) => {
      await confirm(options);
      return rpc.attempt(method, params, options);
    },
    attemptAll: async (calls, options) => {
      await confirm(options);
      return rpc.attemptAll(calls, options);
    },
  };
}
