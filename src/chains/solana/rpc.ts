import { z } from 'zod';
import { append } from '../../domain/append.ts';
import { slicesOf } from '../../domain/slices.ts';
import { SourceError } from '../../errors.ts';
import { Batches, type RpcCall } from '../batches.ts';
import { askSource, type Endpoint, type SourceReply } from '../http.ts';
import type { RequestOptions } from '../port.ts';
import { blockTimeS, checked, checkedEach, whole } from '../reply.ts';
import {
  blockShape,
  type SolanaAccount,
  type SolanaSignature,
  type SolanaTransaction,
  type StatedAmount,
  signatureShape,
  solanaAccountShape,
  solanaTransactionShape,
  tokenAccountShape,
} from './shapes.ts';

/** Node unhealthy or behind, and rate limits inside HTTP 200. */
const BUSY = new Set([-32_005, -32_016, 429, -32_429]);
/** Block cleaned up, skipped, or not in long-term storage; history not kept at all. */
const GONE = new Set([-32_001, -32_004, -32_007, -32_009, -32_011]);
const INVALID_PARAMS = -32_602;
const UNSUPPORTED_VERSION = -32_015;
/** The newest format of transactions that nodes parse; they refuse those newer than what is asked for. */
const NEWEST_VERSION = 1;
const ACCOUNTS_PER_CALL = 100;
/** The most that the protocol gives at once. */
const SIGNATURES_MAX = 1_000;

const envelope = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string().default('') }) }),
  z.object({ result: z.unknown() }),
]);
/** A transaction of which the node keeps no balances. */
const withoutMeta = z.object({ meta: z.null() });
const withContext = <S extends z.ZodType>(value: S) => z.object({ value });

/** `unavailable`: the node knows the signature but does not give the transaction. */
export type FetchedTransaction = SolanaTransaction | 'unavailable';

export interface TokenAccount {
  pubkey: string;
  /** Null where the node does not parse the account. */
  mint: string | null;
  lamports: bigint;
  /** Amount of the mint in it; null where the node does not say. */
  held: StatedAmount | null;
  /** True where the freeze authority of the mint keeps it from moving. */
  isFrozen: boolean;
}

type RpcReply = { value: unknown; code?: undefined } | { code: number; message: string };

function toReply(answer: z.output<typeof envelope>): RpcReply {
  return 'error' in answer ? { code: answer.error.code, message: answer.error.message } : { value: answer.result };
}

/** Returns the message of a busy node; null for any other answer. */
function complaintOf(answer: z.output<typeof envelope> | undefined): string | null {
  return answer && 'error' in answer && BUSY.has(answer.error.code) ? answer.error.message || 'busy' : null;
}

function replyInBatch(answer: unknown): RpcReply | null {
  const read = envelope.safeParse(answer);
  if (!read.success || complaintOf(read.data) !== null) return null;
  return 'error' in read.data || read.data.result !== undefined ? toReply(read.data) : null;
}

export type SolanaRpc = ReturnType<typeof solanaRpc>;

/** The handful of Solana JSON-RPC methods that the adapter needs, replies checked. */
export function solanaRpc(endpoint: Endpoint) {
  async function call(method: string, params: unknown[], options?: RequestOptions): Promise<RpcReply> {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const complaint = ({ json }: SourceReply) => complaintOf(envelope.safeParse(json).data);
    const { json, status } = await askSource(endpoint, { body, complaint, ...options });
    const parsed = envelope.safeParse(json);
    if (parsed.success) return toReply(parsed.data);
    throw new SourceError(endpoint.chain, `${method}: HTTP ${status}, no JSON-RPC answer`);
  }

  const batches = new Batches(endpoint);

  async function value(method: string, params: unknown[], options?: RequestOptions): Promise<unknown> {
    return resultOf(method, await call(method, params, options));
  }

  function resultOf(method: string, reply: RpcReply): unknown {
    if ('value' in reply) return reply.value;
    throw new SourceError(endpoint.chain, `${method}: ${reply.code} ${reply.message.slice(0, 200)}`);
  }

  const rpc = {
    /** One page, newest first, finalized, between two signatures that are not part of it. */
    async signatures(
      address: string,
      { limit, before, until }: { limit: number; before?: string; until?: string },
      options?: RequestOptions,
    ): Promise<SolanaSignature[]> {
      const config = { limit, before, until, commitment: 'finalized' };
      const result = await value('getSignaturesForAddress', [address, config], options);
      return checkedEach(endpoint, signatureShape, result, 'getSignaturesForAddress', SIGNATURES_MAX);
    },

    /** In the order of the signatures, null for one that the node does not know or that is none. */
    async transactions(
      signatures: readonly string[],
      commitment: 'confirmed' | 'finalized',
      options?: RequestOptions,
    ): Promise<(FetchedTransaction | null)[]> {
      const config = { encoding: 'jsonParsed', maxSupportedTransactionVersion: NEWEST_VERSION, commitment };
      const calls = signatures.map((signature) => ({ method: 'getTransaction', params: [signature, config] }));
      const alone = ({ method, params }: RpcCall) => call(method, params, options);
      const replies = await batches.ask<RpcReply>(calls, { read: replyInBatch, alone }, options);
      return replies.map((reply) => {
        if ('value' in reply) {
          if (withoutMeta.safeParse(reply.value).success) return 'unavailable';
          return checked(endpoint, solanaTransactionShape.nullable(), reply.value, 'getTransaction');
        }
        if (GONE.has(reply.code) || reply.code === UNSUPPORTED_VERSION) return 'unavailable';
        if (reply.code === INVALID_PARAMS) return null;
        return checked(endpoint, solanaTransactionShape, resultOf('getTransaction', reply), 'getTransaction');
      });
    },

    /** Token accounts that an owner has now, of one token program or of one mint. */
    async tokenAccounts(
      owner: string,
      filter: { programId: string } | { mint: string },
      options?: RequestOptions,
    ): Promise<TokenAccount[]> {
      const config = { encoding: 'jsonParsed', commitment: 'finalized' };
      const reply = await call('getTokenAccountsByOwner', [owner, filter, config], options);
      // A mint that does not exist is refused as a parameter.
      if ('code' in reply && reply.code === INVALID_PARAMS && 'mint' in filter) return [];
      const { value: accounts } = checked(
        endpoint,
        withContext(z.unknown()),
        resultOf('getTokenAccountsByOwner', reply),
        'getTokenAccountsByOwner',
      );
      const held = await checkedEach(endpoint, tokenAccountShape, accounts, 'getTokenAccountsByOwner');
      return held.map(({ pubkey, account: { lamports, data } }) => {
        const { mint = null, tokenAmount = null, state } = data?.parsed.info ?? {};
        return { pubkey, lamports, mint, held: tokenAmount, isFrozen: state === 'frozen' };
      });
    },

    async account(address: string, options?: RequestOptions): Promise<SolanaAccount | null> {
      const config = { encoding: 'jsonParsed', commitment: 'finalized' };
      const result = await value('getAccountInfo', [address, config], options);
      return checked(endpoint, withContext(solanaAccountShape.nullable()), result, 'getAccountInfo').value;
    },

    /** In the order of the addresses, null for what does not exist. */
    async accounts(addresses: string[], options?: RequestOptions): Promise<(SolanaAccount | null)[]> {
      const found: (SolanaAccount | null)[] = [];
      for (const chunk of slicesOf(addresses, ACCOUNTS_PER_CALL)) {
        const config = { encoding: 'jsonParsed', commitment: 'finalized' };
        const result = await value('getMultipleAccounts', [chunk, config], options);
        const shape = withContext(z.array(solanaAccountShape.nullable()).length(chunk.length));
        append(found, checked(endpoint, shape, result, 'getMultipleAccounts').value);
      }
      return found;
    },

    /** The last signature of a block and its time; null for a slot without a block and one that is not kept. */
    async blockEnd(slot: number, options?: RequestOptions): Promise<{ signature: string; atS: number } | null> {
      const config = {
        transactionDetails: 'signatures',
        rewards: false,
        maxSupportedTransactionVersion: NEWEST_VERSION,
        commitment: 'finalized',
      };
      const reply = await call('getBlock', [slot, config], options);
      if (reply.code !== undefined && GONE.has(reply.code)) return null;
      const block = checked(endpoint, blockShape.nullable(), resultOf('getBlock', reply), 'getBlock');
      const atS = block?.blockTime;
      const last = block?.last;
      return last && atS != null ? { signature: last, atS } : null;
    },

    /** Which network the node serves and which blocks it holds. */
    async state(options?: RequestOptions) {
      const calls = [
        { method: 'getGenesisHash', params: [] },
        { method: 'getSlot', params: [{ commitment: 'finalized' }] },
        { method: 'getFirstAvailableBlock', params: [] },
      ];
      const alone = ({ method, params }: RpcCall) => call(method, params, options);
      const replies = await batches.ask<RpcReply>(calls, { read: replyInBatch, alone }, options);
      const read = <S extends z.ZodType>(place: number, shape: S) => {
        const { method } = calls[place]!;
        return checked(endpoint, shape, resultOf(method, replies[place]!), method);
      };
      return {
        genesis: read(0, z.string()),
        slot: read(1, whole),
        firstBlock: read(2, whole),
        takesBatches: batches.areTaken,
      };
    },

    /** Epoch seconds; null where the node does not know. */
    async blockTime(slot: number, options?: RequestOptions): Promise<number | null> {
      const reply = await call('getBlockTime', [slot], options);
      return 'value' in reply ? checked(endpoint, blockTimeS.nullable(), reply.value, 'getBlockTime') : null;
    },
  };
  return rpc;
}
