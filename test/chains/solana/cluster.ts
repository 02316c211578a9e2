import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/chains/solana/address.ts';
import { takingBatches, type Upstream, type UpstreamReply } from '../../contract/upstream.ts';

const digest = (name: string) => createHash('sha256').update(name).digest();

/** A valid address made from a name. */
export const key = (name: string) => base58.encode(digest(name));
export const signature = (name: string) =>
  base58.encode(Buffer.concat([Buffer.of(255), digest(name).subarray(1), digest(`${name}!`)]));
export const timeOf = (slot: number) => 1_700_000_000 + (slot - 200_000_000);

interface Balance {
  account: string;
  owner?: string;
  mint: string;
  before?: string;
  after?: string;
  decimals?: number;
  program?: string;
}

type Parsed = { programId: string; program?: string; parsed?: unknown; accounts?: string[]; data?: string };

export interface TxParts {
  slot: number;
  name?: string;
  payer: string;
  /** [before, after] of every account with lamports; what is not named has none. The fee is taken off by itself. */
  lamports?: Record<string, [number | string, number | string]>;
  tokens?: Balance[];
  instructions: Parsed[];
  inner?: Record<number, Parsed[]>;
  err?: unknown;
  fee?: number;
}

/** A transaction as `getTransaction` answers it in jsonParsed. */
export function solanaTx({
  slot,
  name,
  payer,
  lamports = {},
  tokens = [],
  instructions,
  inner = {},
  err = null,
  fee = 5_000,
}: TxParts) {
  const accounts = [
    ...new Set([
      payer,
      ...Object.keys(lamports),
      ...tokens.map(({ account }) => account),
      ...tokens.map(({ mint }) => mint),
    ]),
  ];
  const at = (account: string, side: 0 | 1) => BigInt(lamports[account]?.[side] ?? 0);
  const balances = (side: 'before' | 'after') =>
    tokens.flatMap((token) =>
      token[side] === undefined
        ? []
        : [
            {
              accountIndex: accounts.indexOf(token.account),
              mint: token.mint,
              ...(token.owner ? { owner: token.owner } : {}),
              programId: token.program ?? TOKEN_PROGRAM,
              uiTokenAmount: { amount: token[side], decimals: token.decimals ?? 6, uiAmountString: '' },
            },
          ],
    );
  return {
    slot,
    blockTime: timeOf(slot),
    version: 1,
    meta: {
      err,
      fee,
      preBalances: accounts.map((account) => json(at(account, 0) + (account === payer ? BigInt(fee) : 0n))),
      postBalances: accounts.map((account) => json(at(account, 1))),
      preTokenBalances: balances('before'),
      postTokenBalances: balances('after'),
      innerInstructions: Object.entries(inner).map(([index, list]) => ({ index: Number(index), instructions: list })),
      logMessages: [],
    },
    transaction: {
      signatures: [signature(name ?? `tx ${slot}`)],
      message: {
        accountKeys: accounts.map((pubkey) => ({
          pubkey,
          signer: pubkey === payer,
          source: 'transaction',
          writable: true,
        })),
        instructions,
      },
    },
  };
}

type SolanaTx = ReturnType<typeof solanaTx>;

/** Numbers of JSON beyond 2^53 cannot be written from a JavaScript number: they are marked and unquoted later. */
const json = (value: bigint) => (value > BigInt(Number.MAX_SAFE_INTEGER) ? `raw:${value}` : Number(value));

export const system = (type: string, info: Record<string, unknown>): Parsed => ({
  program: 'system',
  programId: SYSTEM_PROGRAM,
  parsed: { type, info },
});
export const spl = (type: string, info: Record<string, unknown>, programId = TOKEN_PROGRAM): Parsed => ({
  program: 'spl-token',
  programId,
  parsed: { type, info },
});
export const unparsed = (programId: string): Parsed => ({ programId, accounts: [], data: '3Bxs' });

interface OpenAccount {
  account: string;
  mint: string;
  program?: string;
  lamports?: number;
  /** Of the mint, in smallest units. */
  amount?: string;
}

export interface Cluster {
  txs: SolanaTx[];
  /** Open token accounts per owner. */
  owned?: Record<string, OpenAccount[]>;
  accounts?: Record<string, unknown>;
  /** Signatures listed whose transactions the node has thrown away. */
  pruned?: Set<string>;
  /** Signatures of transactions that it gives without their balances. */
  bare?: Set<string>;
  /** Answers every page of signatures with the first. */
  stuck?: boolean;
}

const parsedAccount = ({ lamports = 2_039_280, amount = '0', decimals = 6, ...info }: Record<string, unknown>) => ({
  lamports,
  data: { parsed: { type: 'account', info: { ...info, tokenAmount: { amount, decimals, uiAmountString: '' } } } },
});

/** The last signature of a block, a vote that belongs to no address of the tests. */
const blockEnd = (slot: number) => base58.encode(Buffer.from(`end ${slot}`.padEnd(64, '~')));
const endOf = (cursor: string) =>
  Number(/^end (\d+)~/.exec(Buffer.from(base58.decode(cursor)).toString())?.[1] ?? 0) + 0.5;

/** A Solana node over a few transactions. */
export function solanaNode(cluster: Cluster): Upstream {
  const newest = [...cluster.txs].sort((a, b) => b.slot - a.slot);
  const signatureOf = (tx: SolanaTx) => tx.transaction.signatures[0]!;
  const context = { slot: 300_000_000, apiVersion: '3.0.0' };
  const answers: Record<string, (params: unknown[]) => unknown> = {
    getSignaturesForAddress: ([address, config]) => {
      const { limit = 1_000, before, until } = config as { limit?: number; before?: string; until?: string };
      const own = newest.filter((tx) => tx.transaction.message.accountKeys.some(({ pubkey }) => pubkey === address));
      const slotOf = (cursor: string) => newest.find((tx) => signatureOf(tx) === cursor)?.slot ?? endOf(cursor);
      const start = before && !cluster.stuck ? own.filter((tx) => tx.slot >= slotOf(before)).length : 0;
      const end = until ? own.filter((tx) => tx.slot > slotOf(until)).length : own.length;
      return own.slice(start, Math.min(end, start + limit)).map((tx) => ({
        signature: signatureOf(tx),
        slot: tx.slot,
        err: tx.meta.err,
        memo: null,
        blockTime: tx.blockTime,
        confirmationStatus: 'finalized',
      }));
    },
    getTransaction: ([wanted]) => {
      if (cluster.pruned?.has(String(wanted))) return null;
      const found = newest.find((tx) => signatureOf(tx) === wanted) ?? null;
      return cluster.bare?.has(String(wanted)) ? { ...found, meta: null } : found;
    },
    getTokenAccountsByOwner: ([owner, filter]) => {
      const { programId, mint } = filter as { programId?: string; mint?: string };
      const all = cluster.owned?.[String(owner)] ?? [];
      const value = all.filter((entry) =>
        mint ? entry.mint === mint : (entry.program ?? TOKEN_PROGRAM) === programId,
      );
      return {
        context,
        value: value.map(({ account, program, ...held }) => ({
          pubkey: account,
          account: parsedAccount({ owner, ...held }),
        })),
      };
    },
    getAccountInfo: ([address]) => ({ context, value: cluster.accounts?.[String(address)] ?? null }),
    getMultipleAccounts: ([addresses]) => ({
      context,
      value: (addresses as string[]).map((address) => cluster.accounts?.[address] ?? null),
    }),
    getBlock: ([slot]) => ({ blockTime: timeOf(Number(slot)), signatures: [blockEnd(Number(slot))] }),
    getBlockTime: ([slot]) => timeOf(Number(slot)),
  };
  return takingBatches(({ body }): UpstreamReply => {
    const { method, params, id } = body as { method: string; params: unknown[]; id: number };
    const answer = answers[method];
    const refuse = (code: number, message: string) => ({ json: { jsonrpc: '2.0', id, error: { code, message } } });
    if (!answer) return refuse(-32_601, 'Method not found');
    const { maxSupportedTransactionVersion: newestRead = -1 } = (params[1] ?? {}) as Record<string, number>;
    const result = answer(params);
    if (method === 'getTransaction' && ((result as SolanaTx | null)?.version ?? -1) > newestRead)
      return refuse(-32_015, 'Transaction version is not supported by the requesting client');
    const text = JSON.stringify({ jsonrpc: '2.0', id, result });
    const exact = text.replace(/"raw:(\d+)"/g, '$1');
    return exact === text ? { json: JSON.parse(text) } : { text: exact };
  });
}

export const wallet = (lamports: number) => ({
  lamports,
  owner: SYSTEM_PROGRAM,
  executable: false,
  data: ['', 'base64'],
});
export const mintAccount = (decimals: number, extensions: unknown[] = []) => ({
  lamports: 1_461_600,
  owner: extensions.length > 0 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
  executable: false,
  data: { program: 'spl-token', parsed: { type: 'mint', info: { decimals, supply: '1', extensions } }, space: 82 },
});
