import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { formatUnits } from '../../domain/amount.ts';
import { atMost } from '../../domain/at-most.ts';
import { slicesOf } from '../../domain/slices.ts';
import { trimEndOf } from '../../domain/text/trim-end.ts';
import { assetName, verifiedToken } from '../../domain/tokens/token.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { RequestOptions } from '../port.ts';
import { wholeUpTo } from '../reply.ts';
import { metadataAddress } from './address.ts';
import type { SolanaRpc } from './rpc.ts';
import type { SolanaAccount } from './shapes.ts';

interface MintFacts {
  symbol: string;
  decimals: number | null;
}

export interface SolanaMints {
  /** Sets the name of every token among the transfers, and the decimals that the transactions did not contain. */
  complete(transfers: Transfer[], options?: RequestOptions): Promise<Transfer[]>;
}

const CACHED_MAX = 20_000;
/** A mint and its metadata account are asked for together. */
const MINTS_PER_CALL = 50;

const mintInfo = z.object({
  decimals: wholeUpTo(255),
  extensions: z.array(z.object({ extension: z.string(), state: z.unknown().optional() })).default([]),
});
const metadataState = z.object({ symbol: z.string() });

/** Symbols and decimals from the mints themselves: Token-2022's own metadata, else the Token Metadata program. */
export function solanaMints(rpc: SolanaRpc): SolanaMints {
  const known = new LRUCache<string, MintFacts>(atMost(CACHED_MAX));

  async function learn(mints: string[], options?: RequestOptions): Promise<void> {
    for (const chunk of slicesOf(mints, MINTS_PER_CALL)) {
      const accounts = await rpc.accounts([...chunk, ...chunk.map(metadataAddress)], options);
      for (const [place, mint] of chunk.entries()) {
        known.set(mint, factsOf(accounts[place] ?? null, accounts[chunk.length + place] ?? null));
      }
    }
  }

  return {
    async complete(transfers, options) {
      const mints = [...new Set(transfers.flatMap(({ token }) => (token === null ? [] : [token])))];
      await learn(
        mints.filter((mint) => !known.has(mint) && !verifiedToken('solana', mint)),
        options,
      );
      return transfers.map((transfer) =>
        transfer.token === null ? transfer : named(transfer, known.get(transfer.token)),
      );
    },
  };
}

function named(transfer: Transfer, facts: MintFacts | undefined): Transfer {
  const asset = assetName('solana', transfer.token, facts?.symbol ?? '');
  // Another amount than the smallest units is one that the node shows, whatever the decimals.
  if (transfer.decimals === null && transfer.amount !== transfer.amountRaw) return { ...transfer, asset };
  const decimals = transfer.decimals ?? verifiedToken('solana', transfer.token)?.decimals ?? facts?.decimals ?? null;
  return {
    ...transfer,
    asset,
    decimals,
    amount: formatUnits(BigInt(transfer.amountRaw ?? '0'), decimals ?? 0),
  };
}

function factsOf(mint: SolanaAccount | null, metadata: SolanaAccount | null): MintFacts {
  const data = mint?.data;
  const info = typeof data === 'object' && 'parsed' in data ? mintInfo.safeParse(data.parsed.info) : null;
  if (!info?.success) return { symbol: metaplexSymbol(metadata), decimals: null };
  const extension = info.data.extensions.find(({ extension: name }) => name === 'tokenMetadata');
  const state = metadataState.safeParse(extension?.state);
  return { symbol: state.success ? state.data.symbol : metaplexSymbol(metadata), decimals: info.data.decimals };
}

/** One byte of key, two public keys, then name and symbol, each with its length before it and zeros behind it. */
function metaplexSymbol(account: SolanaAccount | null): string {
  const data = account?.data;
  if (!Array.isArray(data)) return '';
  const bytes = Buffer.from(data[0], 'base64');
  const nameAt = 1 + 32 + 32;
  if (bytes.length < nameAt + 4) return '';
  const symbolAt = nameAt + 4 + bytes.readUInt32LE(nameAt);
  if (symbolAt + 4 > bytes.length) return '';
  const length = bytes.readUInt32LE(symbolAt);
  return trimEndOf(bytes.toString('utf8', symbolAt + 4, Math.min(symbolAt + 4 + length, bytes.length)), '\0');
}
