import { groupBy } from '../../domain/group-by.ts';
import {
  ADVERSE_CATEGORIES,
  type Category,
  isValidAt,
  LAWFUL_SERVICE_CATEGORIES,
  type Label,
  SERVICE_CATEGORIES,
} from '../../domain/label.ts';
import { forEachInSteps, runSteps, type Steps } from '../../domain/steps.ts';
import { distinctTransfers } from '../../domain/transfers/flow.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import type { AssessInput, BridgedDeposit, IndirectExposure, Mimicry, PatternAround, Subject } from '../assessment.ts';
import { DUST_BELOW_USD, REPORTED } from '../rules.ts';
import { coSpenders } from './co-spenders.ts';
import { isGenuine, isUnprovenSend } from './unproven-send.ts';

/** Value that provably moved between the subject and one other party. */
export interface Movement {
  transfer: Transfer;
  direction: 'in' | 'out';
  counterparty: string;
  /** One name for all addresses that spent together with the counterparty. */
  owner: string;
  at: number;
  usd: number | null;
  /** Part of a transaction that gave as much as it took: an exchange of assets, not a flow of money. */
  swap: boolean;
}

/** One payment as a person sees it: the shares of a jointly funded payment are one, swaps are none. */
export interface Payment {
  direction: 'in' | 'out';
  owner: string;
  at: number;
  usd: number;
  asset: string;
  movements: Movement[];
}

/** Everything the detectors look at, computed once: sorted, without repetition, judged at `asOf`. */
export interface Ledger {
  subject: Subject;
  asOf: number;
  complete: boolean;
  /** Epoch ms before which the history is known from its first transfer on; null where its beginning is missing. */
  knownUntil: number | null;
  /** Every transfer that touches the subject, failed and zero-value ones too, oldest first. */
  transfers: Transfer[];
  /** Oldest first. */
  movements: Movement[];
  /** Movements of transactions that both gave to the subject and took from it. */
  twoWay: Movement[];
  /** Movements without the dust and unknown tokens that anyone may send to the subject. */
  activity: Movement[];
  /** Priced payments outside swaps, oldest first. */
  payments: Payment[];
  receivedUsd: number;
  sentUsd: number;
  /** The subject's best label when it names a service and is sure enough. */
  serviceLabel: Label | null;
  /** A lawful service by that label; an adverse label that is sure enough wins. */
  isLawfulService: boolean;
  indirect: IndirectExposure[];
  /** What traces found around the subject. */
  patterns: PatternAround[];
  /** Crossings of the subject's money whose other side is known, by `<tx_hash>#<index>` of what it sent. */
  bridged: ReadonlyMap<string, BridgedDeposit>;
  /** Who paid a counterparty first, where the counterparty's own history is known. */
  firstPayers: ReadonlyMap<string, string>;
  mimicry: Mimicry[];
  usdPerYen: (at: number) => number | null;
  labelsOf: (address: string) => readonly Label[];
  /** Category of the best label of the address that is valid at `asOf` and says something; null without one. */
  categoryOf: (address: string) => Category | null;
}

const NEUTRAL: readonly Category[] = ['self', 'whitelist', 'other', 'unknown'];

export function buildLedger(input: AssessInput): Ledger {
  return runSteps(buildLedgerInSteps(input));
}

export function* buildLedgerInSteps(input: AssessInput): Steps<Ledger> {
  const { subject, asOf } = input;
  const transfers = distinctTransfers(input.transfers).filter(
    (t) => t.from === subject.address || t.to === subject.address,
  );
  yield;
  const { movements, twoWay } = yield* toMovements(subject, transfers);
  yield;
  const payments = toPayments(movements);
  yield;
  const labels = memoize(input.labelsOf);
  const serviceLabel = serviceLabelOf(subject.labels, asOf);
  return {
    subject,
    asOf,
    complete: input.coverage.complete,
    knownUntil: input.coverage.complete ? Number.POSITIVE_INFINITY : (input.coverage.gap?.from ?? null),
    transfers,
    movements,
    twoWay,
    activity: movements.filter(isChosen),
    payments,
    receivedUsd: sumUsd(movements, 'in'),
    sentUsd: sumUsd(movements, 'out'),
    serviceLabel,
    isLawfulService: serviceLabel !== null && LAWFUL_SERVICE_CATEGORIES.includes(serviceLabel.category),
    indirect: input.indirect ?? [],
    patterns: input.patterns ?? [],
    bridged: new Map((input.bridged ?? []).map((one) => [one.transfer, one])),
    firstPayers: input.firstPayers ?? new Map(),
    mimicry: input.mimicry ?? [],
    usdPerYen: input.usdPerYen ?? (() => null),
    labelsOf: labels,
    categoryOf: memoize((address) => tellingLabel(labels(address), asOf)?.category ?? null),
  };
}

/** The first label valid at the moment whose category says something; labels come best first. */
export function tellingLabel(labels: readonly Label[], at: number): Label | null {
  return labels.find((label) => isValidAt(label, at) && !NEUTRAL.includes(label.category)) ?? null;
}

/** The label by which an address counts as a service, lawful or not; an adverse label comes first. */
export function serviceLabelOf(labels: readonly Label[], asOf: number): Label | null {
  const sure = labels.filter((label) => label.confidence >= REPORTED.confidence_below && isValidAt(label, asOf));
  const adverse = sure.find((label) => ADVERSE_CATEGORIES.includes(label.category));
  const best = adverse ?? tellingLabel(sure, asOf);
  return best && SERVICE_CATEGORIES.includes(best.category) ? best : null;
}

function* toMovements(
  { address }: Subject,
  transfers: readonly Transfer[],
): Steps<Pick<Ledger, 'movements' | 'twoWay'>> {
  const moved = transfers.filter((t) => t.from !== t.to && movedValue(t) && !isUnprovenSend(t, address));
  yield;
  const ownerOf = coSpenders(moved, address);
  const movements = moved.map((transfer): Movement => {
    const direction = transfer.from === address ? 'out' : 'in';
    const counterparty = direction === 'out' ? transfer.to : transfer.from;
    const owner = ownerOf(counterparty);
    return { transfer, direction, counterparty, owner, at: transfer.at, usd: transfer.usd, swap: false };
  });
  yield;
  const twoWay = yield* bothWaysInSteps(movements, ({ transfer }) => transfer.txHash);
  for (const inTransaction of groupBy(twoWay, ({ transfer }) => transfer.txHash).values()) {
    if (isSwap(inTransaction)) for (const movement of inTransaction) movement.swap = true;
  }
  return { movements, twoWay };
}

/** The movements for whose key value both came in and went out. */
export function bothWays(movements: readonly Movement[], keyOf: (movement: Movement) => string): Movement[] {
  return runSteps(bothWaysInSteps(movements, keyOf));
}

function* bothWaysInSteps(movements: readonly Movement[], keyOf: (movement: Movement) => string): Steps<Movement[]> {
  const given = new Set<string>();
  yield* forEachInSteps(movements, (movement) => {
    if (movement.direction === 'out') given.add(keyOf(movement));
  });
  const both = new Set<string>();
  yield* forEachInSteps(movements, (movement) => {
    if (movement.direction === 'in' && given.has(keyOf(movement))) both.add(keyOf(movement));
  });
  return both.size === 0 ? [] : movements.filter((movement) => both.has(keyOf(movement)));
}

function isChosen({ direction, usd, transfer }: Movement): boolean {
  if (direction === 'out') return true;
  return usd === null ? isGenuine(transfer) : usd >= DUST_BELOW_USD;
}

/** Of value that went both ways: either it is comparable or one way cannot be priced. */
function isSwap(movements: readonly Movement[]): boolean {
  const received = sumUsd(movements, 'in');
  const sent = sumUsd(movements, 'out');
  return Math.min(received, sent) === 0 || Math.min(received, sent) >= 0.5 * Math.max(received, sent);
}

function toPayments(movements: readonly Movement[]): Payment[] {
  const payments: Payment[] = [];
  const shared = new Map<string, Payment>();
  for (const movement of movements) {
    const { direction, owner, at, usd, swap, transfer } = movement;
    if (swap || usd === null || usd <= 0) continue;
    const key = direction === 'in' && transfer.apportioned ? `${transfer.txHash} ${transfer.asset}` : null;
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

export function sumUsd(movements: readonly Movement[], direction: 'in' | 'out'): number {
  return movements.reduce((sum, m) => (m.direction === direction ? sum + (m.usd ?? 0) : sum), 0);
}

function memoize<T>(compute: (address: string) => T): (address: string) => T {
  const known = new Map<string, T>();
  return (address) => {
    if (!known.has(address)) known.set(address, compute(address));
    return known.get(address) as T;
  };
}

/** Computes once for each ledger what several readers of it need. */
export function perLedger<T>(compute: (ledger: Ledger) => T): (ledger: Ledger) => T {
  const known = new WeakMap<Ledger, { value: T }>();
  return (ledger) => {
    const kept = known.get(ledger) ?? { value: compute(ledger) };
    known.set(ledger, kept);
    return kept.value;
  };
}

/** The same in steps: `prepare` runs them before readers ask. */
export function perLedgerInSteps<T>(
  compute: (ledger: Ledger) => Steps<T>,
): ((ledger: Ledger) => T) & { prepare: (ledger: Ledger) => Steps<T> } {
  const known = new WeakMap<Ledger, { value: T }>();
  function* prepare(ledger: Ledger): Steps<T> {
    const kept = known.get(ledger) ?? { value: yield* compute(ledger) };
    known.set(ledger, kept);
    return kept.value;
  }
  return Object.assign((ledger: Ledger) => runSteps(prepare(ledger)), { prepare });
}

/** The first movement of each transaction of the activity, oldest first. */
export const firstOfTransactions = perLedgerInSteps(function* ({ activity }): Steps<readonly Movement[]> {
  const seen = new Set<string>();
  const firsts: Movement[] = [];
  yield* forEachInSteps(activity, (movement) => {
    if (seen.size < seen.add(movement.transfer.txHash).size) firsts.push(movement);
  });
  return firsts;
});
