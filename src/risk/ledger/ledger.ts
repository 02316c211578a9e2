import { formatUnits, fractionDigits, parseUnits } from '../../domain/amount.ts';
import {
  type Category,
  isAdverseCategory,
  isLawfulService,
  isSure,
  isValidAt,
  type Label,
  NEUTRAL_CATEGORIES,
  SERVICE_CATEGORIES,
  surerThanReport,
} from '../../domain/label.ts';
import { assetIdOf } from '../../domain/tracing/asset-id.ts';
import { distinctTransfers } from '../../domain/transfers/flow.ts';
import { withoutRoundTrips } from '../../domain/transfers/round-trips.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import type {
  AssessInput,
  BridgedDeposit,
  IndirectExposure,
  ListedCluster,
  Mimicry,
  MoneyBeyond,
  PaidFees,
  PatternAround,
  SharedLayer,
  SharedTakings,
  Subject,
  TakerDeposit,
} from '../assessment.ts';
import {
  isActivity,
  isClaimed,
  type Movement,
  type Payment,
  sumDirectionUsd,
  toMovements,
  toPayments,
} from './movements.ts';

/** Computes once for each ledger what several readers of it need. */
export function perLedger<T>(compute: (ledger: Ledger) => T): (ledger: Ledger) => T {
  const known = new WeakMap<Ledger, { value: T }>();
  return (ledger) => {
    const kept = known.get(ledger) ?? { value: compute(ledger) };
    known.set(ledger, kept);
    return kept.value;
  };
}

/** Decimals of an amount in which a part of a transfer is counted. */
const PART_DIGITS = 12;

/** Everything the detectors look at, computed once: sorted, without repetition, judged at `asOf`. */
export interface Ledger {
  subject: Subject;
  asOf: number;
  complete: boolean;
  /** Epoch ms before which the history is known from its first transfer on; null where its beginning is missing. */
  knownUntil: number | null;
  /** Every transfer that touches the subject, failed and zero-value ones too, oldest first. */
  transfers: Transfer[];
  /** Transfers between others in transactions of the subject. */
  others: Transfer[];
  /** Oldest first. */
  movements: Movement[];
  /** Transfers that only the contract of an unknown token says the subject made: listed, never counted. */
  claimed: Movement[];
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
  /** Transfers, and parts of such, that brought back what the subject had lost to their sender. */
  returned: ReadonlySet<Transfer>;
  /** By transfer id, the part (0-1) of the subject's own money that came back over other wallets, or went to come back. */
  circled: ReadonlyMap<string, number>;
  /** Results of traces around the subject. */
  patterns: PatternAround[];
  beyond: MoneyBeyond[];
  /** Its receipts beside listed takers; null without any. */
  accomplice: SharedTakings | null;
  /** Ids of what it took out of contracts of several payers, most of what these had there. */
  loot: ReadonlySet<string>;
  takerDeposits: readonly TakerDeposit[];
  sharedLayer: SharedLayer | null;
  paidFees: PaidFees | null;
  /** Its holder, where members of that are listed; null for all others. */
  cluster: ListedCluster | null;
  /** Crossings of the subject's money whose other side is known, by the id of what it sent. */
  bridged: ReadonlyMap<string, BridgedDeposit>;
  /** Counterparties whose first coins for fees the subject paid, where their own history is known. */
  fundedFirst: ReadonlySet<string>;
  mimicry: Mimicry[];
  usdPerYen: (at: number) => number | null;
  labelsOf: (address: string) => readonly Label[];
  /** Category of the best label of the address that is valid at `asOf` and says something; null without one. */
  categoryOf: (address: string) => Category | null;
}

export function buildLedger(input: AssessInput): Ledger {
  const { subject, asOf } = input;
  const known = distinctTransfers(input.transfers);
  const isOwn = ({ from, to }: Transfer) => from === subject.address || to === subject.address;
  const transfers = known.filter(isOwn);
  const moved = netInTransactions(subject, withoutRounds(transfers, input.rounds));
  const { transfers: divided, returned } = divideReturned(moved, input.returned ?? new Map());
  const { movements, twoWay, claimed } = toMovements(subject, divided);
  // Shares are of all that moved: without its own money, a stranger's unasked payment would be all of it.
  const dealings = movements.filter(({ counterparty }) => !input.ownAddresses?.has(counterparty));
  const payments = toPayments(dealings);
  const labels = memoize(input.labelsOf);
  const serviceLabel = serviceLabelOf(subject.labels, asOf);
  return {
    subject,
    asOf,
    complete: input.coverage.complete,
    knownUntil: input.coverage.complete ? Number.POSITIVE_INFINITY : (input.coverage.gap?.from ?? null),
    transfers,
    others: known.filter((transfer) => !isOwn(transfer)),
    movements,
    twoWay,
    claimed,
    activity: dealings.filter(isActivity),
    payments,
    receivedUsd: sumDirectionUsd(movements, 'in'),
    sentUsd: sumDirectionUsd(movements, 'out'),
    serviceLabel,
    isLawfulService: isLawfulService(serviceLabel?.category ?? null),
    indirect: input.indirect ?? [],
    returned,
    circled: input.circled ?? new Map(),
    patterns: input.patterns ?? [],
    beyond: input.beyond ?? [],
    accomplice: input.accomplice ?? null,
    loot: input.loot ?? new Set(),
    takerDeposits: input.takerDeposits ?? [],
    sharedLayer: input.sharedLayer ?? null,
    paidFees: input.paidFees ?? null,
    cluster: input.cluster ?? null,
    bridged: new Map((input.bridged ?? []).map((one) => [one.transfer, one])),
    fundedFirst: input.fundedFirst ?? new Set(),
    mimicry: input.mimicry ?? [],
    usdPerYen: input.usdPerYen ?? (() => null),
    labelsOf: labels,
    categoryOf: memoize((address) => effectiveLabel(labels(address), asOf)?.category ?? null),
  };
}

/** US dollars of a movement without what went in a circle over other wallets. */
export function uncircledUsd({ circled }: Ledger, { transfer, usd }: Movement): number {
  return (usd ?? 0) * (1 - (circled.get(transfer.id) ?? 0));
}

/** The first label valid at the moment whose category says something, or a surer adverse one; labels come best first. */
export function effectiveLabel(labels: readonly Label[], at: number): Label | null {
  const telling = labels.filter((label) => isValidAt(label, at) && !NEUTRAL_CATEGORIES.includes(label.category));
  const [best] = telling;
  return best ? surerThanReport(best, telling) : null;
}

/** The label by which an address counts as a service, lawful or not; an adverse label comes first. */
export function serviceLabelOf(labels: readonly Label[], asOf: number): Label | null {
  const sure = labels.filter((label) => isSure(label) && isValidAt(label, asOf));
  const adverse = sure.find((label) => isAdverseCategory(label.category));
  const best = adverse ?? effectiveLabel(sure, asOf);
  return best && SERVICE_CATEGORIES.includes(best.category) ? best : null;
}

function withoutRounds(transfers: readonly Transfer[], rounds: AssessInput['rounds']): readonly Transfer[] {
  if (!rounds || rounds.size === 0) return transfers;
  return transfers.flatMap((one) => {
    const amount = rounds.get(one.id);
    if (amount === undefined) return [one];
    if (amount === null) return [];
    return [{ ...one, amount, usd: one.usd === null ? null : (one.usd * Number(amount)) / Number(one.amount) }];
  });
}

/** The transfers without what went to a party and came back from it in one transaction and asset; they stay listed as evidence. */
function netInTransactions({ address }: Subject, transfers: readonly Transfer[]): readonly Transfer[] {
  const moved = transfers.filter((one) => one.from !== one.to && movedValue(one) && !isClaimed(one, address));
  const received = moved.filter(({ to }) => to === address);
  const sent = moved.filter(({ from }) => from === address);
  const left = withoutRoundTrips({ received, sent }, assetIdOf);
  if (left.size === 0) return transfers;
  return transfers.flatMap((one) => {
    const part = left.get(one);
    return part === null ? [] : [part ?? one];
  });
}

function memoize<T>(compute: (address: string) => T): (address: string) => T {
  const known = new Map<string, T>();
  return (address) => {
    if (!known.has(address)) known.set(address, compute(address));
    return known.get(address) as T;
  };
}

/** Divides what came back of a loss from the rest, each a transfer of its own: `returned` are the former. */
function divideReturned(
  transfers: readonly Transfer[],
  parts: ReadonlyMap<string, number>,
): { transfers: Transfer[]; returned: ReadonlySet<Transfer> } {
  const returned = new Set<Transfer>();
  const divided = transfers.flatMap((transfer) => {
    const part = parts.get(transfer.id);
    if (part === undefined) return [transfer];
    const pieces = part > 1 - 1e-9 ? [transfer] : [partOf(transfer, part), partOf(transfer, 1 - part)];
    returned.add(pieces[0] as Transfer);
    return pieces;
  });
  return { transfers: divided, returned };
}

function partOf(transfer: Transfer, part: number): Transfer {
  const decimals = fractionDigits(transfer.amount) + PART_DIGITS;
  const units = parseUnits(transfer.amount, decimals) * BigInt(Math.round(part * 10 ** PART_DIGITS));
  const amount = formatUnits(units / 10n ** BigInt(PART_DIGITS), decimals);
  return { ...transfer, amount, usd: transfer.usd === null ? null : transfer.usd * part };
}
