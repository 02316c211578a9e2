import { addressKey } from '../../domain/address/address-key.ts';
import { isEvmChain } from '../../domain/chain.ts';
import { PREPARATION } from '../../domain/coinjoin/shape.ts';
import { groupBy } from '../../domain/group-by.ts';
import { verifiedToken } from '../../domain/tokens/token.ts';
import { isWrapper } from '../../domain/tracing/asset-id.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import type { Subject } from '../assessment.ts';
import { DUST_BELOW_USD } from '../rules.ts';

/** Value that provably moved between the subject and one other party. */
export interface Movement {
  transfer: Transfer;
  direction: 'in' | 'out';
  counterparty: string;
  /** One name for all addresses that spent together with the counterparty. */
  owner: string;
  at: number;
  usd: number | null;
  /** Part of a transaction that gave as much as it took, or coin that is wrapped: an exchange of assets, not a flow of money. */
  swap: boolean;
}

/** Money that the subject paid or was paid, of its ledger or of a trace. */
export interface OneWay {
  direction: 'in' | 'out';
  owner: string;
  at: number;
  usd: number;
  asset: string;
}

/** One payment as a person sees it: the shares of a jointly funded payment are one, and so is what goes into a CoinJoin; swaps are none. */
export interface Payment extends OneWay {
  movements: Movement[];
}

/**
 * The value that moved between the subject and others, exchanges marked; `twoWay`: of transactions that gave and took;
 * `claimed`: what only a token contract says that the subject sent, in transactions that the subject signed.
 */
export function toMovements(
  { address, addressType }: Subject,
  transfers: readonly Transfer[],
): { movements: Movement[]; twoWay: Movement[]; claimed: Movement[] } {
  const moved = transfers.filter((t) => t.from !== t.to && movedValue(t));
  const ownerOf = coSpenders(moved, address);
  const isOwnCode = addressType === 'contract' || addressType === 'multisig';
  const all = moved.map((transfer): Movement => {
    const direction = transfer.from === address ? 'out' : 'in';
    const counterparty = direction === 'out' ? transfer.to : transfer.from;
    const owner = ownerOf(counterparty);
    // The other side of it, a token that is made or unmade, is in no list. Of another's call a wallet is paid.
    const isOwn = isOwnCode || transfer.txSender === null || transfer.txSender === address;
    const swap = isOwn && transfer.token === null && isWrapper(addressKey(transfer.chain, counterparty));
    return { transfer, direction, counterparty, owner, at: transfer.at, usd: transfer.usd, swap };
  });
  const isReal = ({ transfer }: Movement) => !isClaimed(transfer, address);
  const claimed = all.filter((movement) => !isReal(movement) && movement.transfer.txSender === address);
  // A token that a market took in a transaction of the subject's own is one side of a trade.
  const traded = all.filter(
    ({ transfer, swap }) => !swap && (!isClaimed(transfer, address) || transfer.txSender === address),
  );
  const bothWay = bothWays(traded, ({ transfer }) => transfer.txHash);
  for (const inTransaction of groupBy(bothWay, ({ transfer }) => transfer.txHash).values()) {
    if (isSwap(inTransaction)) for (const movement of inTransaction) movement.swap = true;
  }
  return { movements: all.filter(isReal), twoWay: bothWay.filter(isReal), claimed };
}

/** The movements for whose key value both came in and went out. */
export function bothWays(movements: readonly Movement[], keyOf: (movement: Movement) => string): Movement[] {
  const keysOf = (direction: Movement['direction']) =>
    new Set(movements.filter((movement) => movement.direction === direction).map(keyOf));
  const [received, given] = [keysOf('in'), keysOf('out')];
  return movements.filter((movement) => {
    const key = keyOf(movement);
    return received.has(key) && given.has(key);
  });
}

/** Not the dust or unknown tokens that anyone may send to the subject. */
export function isActivity({ direction, usd, transfer }: Movement): boolean {
  if (direction === 'out') return true;
  return usd === null ? isGenuine(transfer) : usd >= DUST_BELOW_USD;
}

/** Of value that went both ways: either it is comparable or one way cannot be priced. */
function isSwap(movements: readonly Movement[]): boolean {
  const received = sumDirectionUsd(movements, 'in');
  const sent = sumDirectionUsd(movements, 'out');
  return Math.min(received, sent) === 0 || Math.min(received, sent) >= 0.5 * Math.max(received, sent);
}

export function toPayments(movements: readonly Movement[]): Payment[] {
  const payments: Payment[] = [];
  const shared = new Map<string, Payment>();
  for (const movement of movements) {
    const { direction, owner, at, usd, swap, transfer } = movement;
    if (swap || usd === null || usd <= 0) continue;
    const isJoint = direction === 'in' ? transfer.apportioned : transfer.method === PREPARATION;
    const key = isJoint ? `${transfer.txHash} ${transfer.asset} ${direction}` : null;
    const joint = key === null ? undefined : shared.get(key);
    if (joint) {
      joint.usd += usd;
      joint.movements.push(movement);
      continue;
    }
    const payment: Payment = { direction, owner, at, usd, asset: transfer.asset, movements: [movement] };
    payments.push(payment);
    if (key !== null) shared.set(key, payment);
  }
  return payments;
}

export function usdOf(movements: readonly { usd: number | null }[]): number {
  return movements.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}

export function sumDirectionUsd(movements: readonly Movement[], direction: 'in' | 'out'): number {
  return movements.reduce((sum, m) => (m.direction === direction ? sum + (m.usd ?? 0) : sum), 0);
}

/**
 * Names the owner of an address: addresses that funded one payment together are taken as one owner (common-input
 * ownership), named by the first of them in alphabetical order. Other addresses are their own owner.
 */
function coSpenders(transfers: readonly Transfer[], subject: string): (address: string) => string {
  const parent = new Map<string, string>();
  const root = (address: string): string => {
    let at = address;
    for (let up = parent.get(at); up !== undefined; up = parent.get(at)) {
      const above = parent.get(up);
      if (above !== undefined) parent.set(at, above);
      at = up;
    }
    return at;
  };
  const firstSender = new Map<string, string>();
  for (const { txHash, from, apportioned } of transfers) {
    if (!apportioned || from === subject) continue;
    const first = firstSender.get(txHash);
    if (first === undefined) {
      firstSender.set(txHash, from);
      continue;
    }
    const [low, high] = [root(first), root(from)].sort() as [string, string];
    if (low !== high) parent.set(high, low);
  }
  return root;
}

/**
 * True for an outgoing token transfer that only the token's contract states: on chains where it can write any name into its
 * log, an unknown token counts as sent only where the sender's own call asked for that transfer.
 */
export function isClaimed(transfer: Transfer, address: string): boolean {
  return (
    transfer.from === address &&
    transfer.token !== null &&
    transfer.usd === null &&
    transfer.asked !== true &&
    transfer.kind !== 'internal' &&
    (isEvmChain(transfer.chain) || transfer.chain === 'tron') &&
    !isGenuine(transfer)
  );
}

/** The chain's own coin or a well-known token: its transfers cannot be made up. */
export function isGenuine(transfer: Transfer): boolean {
  return transfer.token === null || verifiedToken(transfer.chain, transfer.token) !== null;
}
