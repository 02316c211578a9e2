import { placeKind } from '../../transfers/place.ts';
import { COIN, isNullAddress } from '../asset-id.ts';
import type { TracedTransfer } from '../traced-transfer.ts';

// A validator's withdrawal brings back what was put into the deposit contract, and what it earned. No payment leads from the one to
// the other: a withdrawal names its receiver alone, and a deposit may name any receiver.

/** Takes the deposits of Ethereum's validators. */
const DEPOSIT_CONTRACT = 'ethereum:0x00000000219ab540356cbb839cbe05303d7705fa';
/** In whole coins; less is what a validator earned between two payouts. */
const LEAST_STAKE = 1;

/** True for coin that was staked. */
export function isStakePut({ to, assetId }: TracedTransfer): boolean {
  return to === DEPOSIT_CONTRACT && assetId === COIN;
}

/** True for a withdrawal that is stake given back, not what it earned. */
export function isStakeTaken({ from, index, amount }: TracedTransfer): boolean {
  return isNullAddress(from) && placeKind(index) === 'withdrawal' && Number(amount) >= LEAST_STAKE;
}

/** True for coin on its way into a validator's stake, or out of it: the party at its far end is none. */
export function isStake(transfer: TracedTransfer): boolean {
  return isStakePut(transfer) || isStakeTaken(transfer);
}
