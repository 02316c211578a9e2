import { COINBASE } from '../../../domain/transfers/arrival.ts';
import { type EvmMovement, nativeMovement } from './transfer.ts';

/** A transaction as far as its own payment goes; amounts in smallest units. */
export interface PayingTransaction {
  from: string;
  /** The contract that it creates, where it pays nobody else. */
  to: string | null;
  value: bigint;
  /** Number of its type; null where it is not known. */
  type: number | null;
  mint?: bigint | null;
  depositValue?: bigint | null;
}

/** A deposit on Arbitrum makes the coin that it pays out. */
const ARBITRUM_DEPOSIT = 0x64;

/**
 * The payment of a transaction itself. Coin that a rollup makes for it came from the chain below: the sender's address is only a
 * namesake of the depositor there, and pays what is more than that alone. Empty for transactions without a payee.
 */
export function ownPayment(tx: PayingTransaction, failed: boolean): EvmMovement[] {
  const { from, to, value, type, mint, depositValue } = tx;
  const made = (type === ARBITRUM_DEPOSIT ? value : mint) ?? 0n;
  const passedOn = failed || to === null ? 0n : made < value ? made : value;
  const kept = made - passedOn + (depositValue ?? 0n);
  const arrivals = [
    ...(passedOn > 0n ? [{ ...nativeMovement(COINBASE, to!, passedOn, false), index: 'mint' }] : []),
    ...(kept > 0n ? [{ ...nativeMovement(COINBASE, from, kept, false), index: 'mint:kept' }] : []),
  ];
  const paid = value - passedOn;
  const isPaid = to !== null && (paid > 0n || arrivals.length === 0 || failed);
  return isPaid ? [...arrivals, nativeMovement(from, to, paid, failed)] : arrivals;
}
