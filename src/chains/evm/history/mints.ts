import type { RequestOptions } from '../../port.ts';
import { ownPayment } from '../format/own-payment.ts';
import type { FoundMovement } from '../format/transfer.ts';
import { transactionsOf, typeNumber } from '../node/chain-data.ts';
import { type EvmSources, rpcOf } from './sources.ts';

/** Rollups that make coin in transactions of their own. */
const MINTING = new Set(['optimism', 'base', 'arbitrum']);
/** Transactions that are looked up for one list, newest first: more than a wallet's deposits. */
const LOOKED_UP_MAX = 50;

/** Lists do not say which payments a rollup made the coin for. Only transactions without a fee can be such, and are looked up. */
export async function withMints(
  sources: EvmSources,
  rows: FoundMovement[],
  options?: RequestOptions,
): Promise<FoundMovement[]> {
  if (!MINTING.has(sources.chain)) return rows;
  const free = rows.filter(({ facts }) => facts.fee === 0n);
  const wanted = free.slice(-LOOKED_UP_MAX);
  if (wanted.length === 0) return rows;
  const found = await transactionsOf(
    rpcOf(sources),
    wanted.map(({ facts }) => facts.txHash),
    options,
  );
  const split = new Map(
    wanted.map((row, place): [FoundMovement, FoundMovement[]] => {
      const tx = found[place];
      const { from, to, amountRaw: value, failed } = row.movement;
      const paid = tx ? ownPayment({ ...tx, from, to, value, type: typeNumber(tx.type) }, failed) : [row.movement];
      return [row, paid.map((movement) => ({ ...row, movement }))];
    }),
  );
  return rows.flatMap((row) => split.get(row) ?? [row]);
}
