import { addToGroup } from '../../domain/group-by.ts';
import { COIN, isNullAddress } from '../../domain/tracing/asset-id.ts';
import { type AddressTransfers, comparePlaces, type TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { placeKind } from '../../domain/transfers/transfer-id.ts';
import { dealingsOf, firstInFirstOut, type MarketDealings } from './contract-account.ts';
import type { Replay } from './replay.ts';
import { PoolsBackwards } from './replay-step.ts';
import type { TraderKind, TraderOf } from './swaps.ts';

/** The other side of a part of a transfer with a contract: the later receipt of the same address, or the earlier deposit. */
export interface AccountSide {
  transfer: TracedTransfer;
  /** The part of the transfer, and of the other side, that they have in common, 0-1. */
  part: number;
  otherPart: number;
  /** Set where the transfer was lent: what the contract paid came from others, and none of it lay there for the receiver. */
  isLent?: true;
}

const NONE: readonly AccountSide[] = [];
/** A party that gave less than this part of what a market paid gave next to nothing for it. */
const LEAST_GIVEN = 0.5;
/** The part of what a contract without a name lends that stands for what was put in; the rest is what others put in. */
const UNNAMED_LOAN = 0.5;
/** Kinds of parties with which an asset without a price is exchanged; between wallets it is a payment. */
const TAKERS: readonly TraderKind[] = ['trader', 'contract', 'issuer'];

/**
 * Links money that addresses put into contracts with what they took out later, where the contracts' own known transfers leave
 * it open: it stays theirs, first in first out and up to the value put in.
 */
export class Accounts {
  private readonly listedOf: (address: string) => AddressTransfers | undefined;
  private readonly kindOf: TraderOf;
  private readonly dealings = new Map<string, MarketDealings>();
  private readonly pairs = new Map<string, ReadonlyMap<string, readonly AccountSide[]>>();
  private readonly stakes = new Map<string, ReadonlyMap<string, readonly AccountSide[]>>();
  private readonly givenUsd = new Map<string, Map<string, number>>();
  private readonly unpriced = new Map<string, Record<'given' | 'got', ReadonlySet<string>>>();

  constructor(listedOf: (address: string) => AddressTransfers | undefined, kindOf: TraderOf) {
    this.listedOf = listedOf;
    this.kindOf = kindOf;
  }

  /** Returns the sides that the replay of a contract pairs with a transfer; none without a replay. */
  otherSides(address: string, contract: string, transferId: string, replay: Replay | null): readonly AccountSide[] {
    const name = `${address} ${contract}`;
    let known = this.pairs.get(name);
    if (!known) {
      known = this.pairsOf(address, contract, replay);
      this.pairs.set(name, known);
    }
    return known.get(transferId) ?? NONE;
  }

  /** The stakes that a withdrawal gave back, or the withdrawals of a stake, by quantity: its price has moved since. */
  stakeSides(address: string, transferId: string): readonly AccountSide[] {
    let known = this.stakes.get(address);
    if (!known) {
      const { received, sent } = this.listedOf(address) ?? { received: [], sent: [] };
      const [put, taken] = [sent.filter(isStakePut), received.filter(isStakeTaken)];
      const byTime = (a: TracedTransfer, b: TracedTransfer) => a.at - b.at || a.seq - b.seq;
      known = pairsBy(put.sort(byTime), taken.sort(byTime), ({ amount }) => Number(amount));
      this.stakes.set(address, known);
    }
    return known.get(transferId) ?? NONE;
  }

  /**
   * True where the address paid a market and got nothing in return in that transaction, or was paid and gave nothing: what has no
   * price does not explain what came for it.
   */
  isOneSided(address: string, { from, to, id, txHash, usd }: TracedTransfer): boolean {
    const { put, taken } = this.dealingsOf(address);
    const alike = from === address ? put.get(to) : taken.get(from);
    if (alike?.some((one) => one.id === id)) return true;
    return (
      to === address && usd > 0 && this.kindOf(from) === 'trader' && this.given(address, txHash) < LEAST_GIVEN * usd
    );
  }

  /** US dollars of what the address gave in a transaction. */
  private given(address: string, txHash: string): number {
    let known = this.givenUsd.get(address);
    if (!known) {
      known = new Map();
      for (const one of this.listedOf(address)?.sent ?? [])
        known.set(one.txHash, (known.get(one.txHash) ?? 0) + one.usd);
      this.givenUsd.set(address, known);
    }
    return known.get(txHash) ?? 0;
  }

  /**
   * True where money ends at a contract with which, or with an issuer, the address exchanged it for an asset without a price:
   * what became of it is unknown.
   */
  endsUnpriced(reason: string, address: string, { from, txHash }: TracedTransfer): boolean {
    if (reason !== 'contract' && reason !== 'contract_not_expanded') return false;
    let known = this.unpriced.get(address);
    if (!known) {
      const { received, sent } = this.listedOf(address) ?? { received: [], sent: [] };
      known = { given: this.unpricedWith(sent, ({ to }) => to), got: this.unpricedWith(received, (one) => one.from) };
      this.unpriced.set(address, known);
    }
    return known[from === address ? 'got' : 'given'].has(txHash);
  }

  private unpricedWith(transfers: readonly TracedTransfer[], farOf: (one: TracedTransfer) => string): Set<string> {
    const legs = transfers.filter((one) => !one.priced && TAKERS.includes(this.kindOf(farOf(one))));
    return new Set(legs.map(({ txHash }) => txHash));
  }

  private pairsOf(address: string, contract: string, replay: Replay | null): ReadonlyMap<string, AccountSide[]> {
    const dealings = this.dealingsOf(address);
    const [put, taken] = [dealings.put.get(contract) ?? [], dealings.taken.get(contract) ?? []];
    const worthOf = ({ usd }: TracedTransfer) => usd;
    if (replay === null) return pairsBy(put, taken, worthOf);
    const open = openPartOf(replay);
    const returned = pairsBy(put, taken, worthOf, open);
    // What is lent, out of the money of others, stands for what was put in and still lies there. A contract without a name may be the
    // borrower's own: each asset may have gone where it went as well.
    const certain = this.kindOf(contract) === 'trader' ? 1 : UNNAMED_LOAN;
    const { lent, stays } = loanParts(put, taken);
    const isFree = ({ id }: TracedTransfer) => !returned.has(id);
    const loans = pairsBy(
      put.filter(isFree),
      taken.filter(isFree),
      worthOf,
      (id) => certain * (lent.get(id) ?? Math.min(open(id), stays.get(id) ?? 0)),
    );
    for (const { id } of taken) for (const side of loans.get(id) ?? []) side.isLent = true;
    return new Map([...returned, ...loans]);
  }

  private dealingsOf(address: string): MarketDealings {
    let known = this.dealings.get(address);
    if (!known) {
      const isMarket = (key: string) => ['trader', 'contract'].includes(this.kindOf(key));
      known = dealingsOf(this.listedOf(address) ?? { received: [], sent: [] }, this.kindOf, isMarket);
      this.dealings.set(address, known);
    }
    return known;
  }
}

/**
 * The part (0-1) of each receipt that exceeds what the address had put in of the asset, which is lent, and of each deposit that repays
 * no such loan, by transfer id.
 */
function loanParts(put: readonly TracedTransfer[], taken: readonly TracedTransfer[]) {
  const [lent, stays] = [new Map<string, number>(), new Map<string, number>()];
  /** Below zero where a loan is open. */
  const balances = new Map<string, number>();
  const puts = new Set(put);
  for (const one of [...put, ...taken].sort(comparePlaces)) {
    const [amount, before] = [Number(one.amount), balances.get(one.assetId) ?? 0];
    const isPut = puts.has(one);
    const beyond = Math.max(0, amount - Math.max(0, isPut ? -before : before));
    (isPut ? stays : lent).set(one.id, amount > 0 ? beyond / amount : 0);
    balances.set(one.assetId, isPut ? before + amount : before - amount);
  }
  return { lent, stays };
}

/** Pairs deposits with receipts by their worth, as far as each is open (0-1): both sides of a pair, by transfer id. */
function pairsBy(
  deposits: readonly TracedTransfer[],
  receipts: readonly TracedTransfer[],
  worthOf: (transfer: TracedTransfer) => number,
  open: (id: string) => number = () => 1,
): ReadonlyMap<string, AccountSide[]> {
  const pairs = new Map<string, AccountSide[]>();
  const add = (one: TracedTransfer, transfer: TracedTransfer, worth: number) =>
    addToGroup(pairs, one.id, { transfer, part: worth / worthOf(one), otherPart: worth / worthOf(transfer) });
  const openWorth = (one: TracedTransfer) => worthOf(one) * open(one.id);
  for (const [deposit, receipt, worth] of firstInFirstOut(deposits, receipts, openWorth)) {
    add(deposit, receipt, worth);
    add(receipt, deposit, worth);
  }
  return pairs;
}

/**
 * The part of a transfer with the replayed address that its known transfers leave open, 0-1: of a receipt what it never paid on,
 * of a payment what no receipt explains.
 */
function openPartOf({ steps }: Replay): (id: string) => number {
  const parts = new Map<string, number>();
  const kept = new PoolsBackwards(1);
  for (const step of steps.toReversed()) {
    const { kind, pool, uncovered, units, transfer } = step;
    if (kind === 'receipt') parts.set(transfer?.id ?? '', kept.partOf(pool));
    else if (kind === 'payment') parts.set(transfer?.id ?? '', units > 0 ? uncovered / units : 0);
    kept.undo(step, 0);
  }
  return (id) => parts.get(id) ?? 0;
}

// A validator's withdrawal brings back what was put into the deposit contract, and what it earned. No payment leads from the one to
// the other: a withdrawal names its receiver alone, and a deposit may name any receiver.

/** Takes the deposits of Ethereum's validators. */
const DEPOSIT_CONTRACT = 'ethereum:0x00000000219ab540356cbb839cbe05303d7705fa';
/** Least stake in whole coins; less is what a validator earned between two payouts. */
const LEAST_STAKE = 1;

/** True for coin that was staked. */
function isStakePut({ to, assetId }: TracedTransfer): boolean {
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
