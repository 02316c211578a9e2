import { formatUnits } from '../amount.ts';
import { type Chain, NATIVE_COIN } from '../chain.ts';
import { COINBASE } from '../null-addresses.ts';
import { createTransfer, type Transfer } from './transfer.ts';

type ArrivalPlace = Pick<Transfer, 'txHash' | 'index' | 'seq' | 'block' | 'at'>;
/** Facts beside the place that some sources give. */
type ArrivalFacts = Partial<Pick<Transfer, 'blockHash' | 'position'>>;

/** Coin that arrived at an address without a payer, `amountRaw` in smallest units. */
export function arrival(chain: Chain, to: string, amountRaw: bigint, place: ArrivalPlace & ArrivalFacts): Transfer {
  const { symbol: asset, decimals } = NATIVE_COIN[chain];
  return createTransfer({
    ...place,
    chain,
    from: COINBASE,
    to,
    asset,
    amount: formatUnits(amountRaw, decimals),
    amountRaw: String(amountRaw),
    decimals,
    kind: 'native',
  });
}

/** Stands for the transaction of what a block itself gave: withdrawals of validators, rewards, first balances. */
export function blockTransaction(block: number): string {
  return `block:${block}`;
}

/** Returns what gives rewards for blocks beside the chain, read in the order of blocks, their places: a miner may have two of one block. */
export function unclePlaces(): (block: number, to: string) => string {
  let last = -1;
  let counts = new Map<string, number>();
  return (block, to) => {
    if (block !== last) counts = new Map();
    last = block;
    const before = counts.get(to) ?? 0;
    counts.set(to, before + 1);
    return before === 0 ? 'uncle' : `uncle:${before}`;
  };
}

export function isBlockTransaction(txHash: string): boolean {
  return txHash.startsWith('block:');
}
