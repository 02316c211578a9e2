import type { Figures } from '../../../words/figures.ts';
import { rounded } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Label } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { type Transfer, transferName } from '../../domain/transfers/transfer.ts';
import { atMost, type Severity } from '../detection.ts';
import { type Ledger, perLedger } from '../ledger/ledger.ts';
import { isGenuine, type Movement, usdOf } from '../ledger/movements.ts';
import { EXPOSURE, ORDERED, ROBBER, RULES } from '../rules.ts';
import type { Detector, Finding } from '../views/detector.ts';
import { areCertain, depositsBefore, exposureSubject, isSharedTaking, isTaker, ordered } from './exposed-movements.ts';
import { gradeExposure } from './grade-exposure.ts';
import { amountsOf, exposedShare, isOfManyThere } from './share-of-flow.ts';

/**
 * Paid in the transactions in which others lost money to a listed taker, or by his order, or who signed transactions that took it, or paid
 * the fees of wallets that live on it; inferred, so graded like crime, HIGH at most.
 */
export const accomplice: Detector = {
  id: 'accomplice',
  family: 'illicit_exposure',
  indicator: 'parties',
  exemptService: true,
  detect: (ledger) => [...paidBeside(ledger), ...paidByOrder(ledger), ...signedFor(ledger), ...feesFor(ledger)],
};

function paidBeside(ledger: Ledger): Finding[] {
  if (!ledger.accomplice) return [];
  const { taken, takers, victims, variant, usd, isUnsure } = ledger.accomplice;
  const movements = ledger.movements.filter((movement) => isSharedTaking(ledger, movement));
  // A market took its price.
  if (!variant && isOfManyThere(ledger, movements)) return [];
  return paidAsPartner(ledger, movements, {
    // Whom a taker's contract dealt with lost nothing by that.
    ...{
      takers,
      taken,
      measured: victims > 0 && variant !== 'owned' ? { victims } : {},
      most: isUnsure ? 'MEDIUM' : 'HIGH',
    },
    ...(variant && { variant }),
    thresholds: variant && variant !== 'sold' ? ROBBER : RULES.accomplice,
    kept: usd === undefined ? 1 : Math.min(1, usd / (usdOf(movements) || 1)),
  });
}

/** Deposits of takers that are named. */
const DEPOSITS_MAX = 5;

function paidByOrder(ledger: Ledger): Finding[] {
  const movements = [...ordered(ledger).keys()].filter((movement) => !isSharedTaking(ledger, movement));
  const takers = [...new Set(movements.map(({ transfer }) => transfer.txSender!))].sort();
  const gainUsd = movements.reduce((sum, one) => sum + (one.usd === null ? 0 : ordered(ledger).get(one)!), 0);
  const kept = gainUsd / (usdOf(movements) || 1);
  const most = areCertain(ledger, movements) ? 'HIGH' : 'MEDIUM';
  const put = depositsBefore(ledger, movements);
  const deposits = [...new Set(put.map(({ txHash }) => txHash))].sort();
  const measured: Figures =
    put.length > 0 ? { deposited_usd: rounded(usdOf(put)), deposits: deposits.slice(0, DEPOSITS_MAX) } : {};
  const found = { takers, taken: deposits, measured, most, variant: 'ordered', thresholds: ORDERED, kept } as const;
  return paidAsPartner(ledger, movements, found);
}

interface Partnership {
  takers: readonly string[];
  /** Names of the transfers to the takers. */
  taken: readonly string[];
  measured: Figures;
  most: Severity;
  variant?: string;
  thresholds: Figures;
  /** The part (0-1) of the dollars for which nothing was paid. */
  kept: number;
}

function paidAsPartner(
  ledger: Ledger,
  movements: readonly Movement[],
  { takers, taken, measured, most, variant, thresholds, kept }: Partnership,
): Finding[] {
  const [first, last] = [movements[0], movements.at(-1)];
  if (!first || !last) return [];
  const whole = exposedShare(ledger, movements, 'in');
  const [usd, share] = [kept * whole.usd, rounded(kept * whole.share)];
  const recent = { recentUsd: kept * whole.recentUsd, recentShare: rounded(kept * whole.recentShare) };
  const flow = { ...whole, usd, share, ...recent };
  const graded = gradeExposure(flow, { kind: 'illicit', direction: 'in', subject: exposureSubject(ledger) });
  return [
    {
      severity: atMost(graded, most),
      ...(variant && { variant }),
      thresholds: { ...thresholds, ...EXPOSURE.illicit.in },
      measured: {
        usd: rounded(flow.usd),
        amounts: amountsOf(movements),
        share: flow.share,
        transfers: movements.length,
        ...measured,
        entities: namesOf(ledger, takers),
      },
      movements,
      elsewhere: {
        evidence: [...new Set([...movements.map(({ transfer }) => transferName(transfer)), ...taken])],
        counterparties: [...new Set([...takers, ...movements.map(({ counterparty }) => counterparty)])],
        ways: [],
        span: { from: first.at, to: last.at },
      },
    },
  ];
}

/** Contracts through which a stranger signs for the owners of smart wallets. */
const ENTRY_POINTS: ReadonlySet<string> = new Set([
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
]);

/**
 * The transfers by which tokens of others went to listed takers in transactions that the subject signed. Not of who signs for all
 * kinds of people, nor where the call was to the one who paid: that is its owner, or who passes on what the owner signed.
 */
export const signedTakings = perLedger((ledger: Ledger): Transfer[] => {
  const { signed_share } = RULES.accomplice;
  const { subject, others, transfers } = ledger;
  const signed = others.filter(
    ({ txSender, token, usd }) => txSender === subject.address && token !== null && usd !== 0,
  );
  if (signed.length === 0) return [];
  // Its other transfers of a transaction say nothing of what it called.
  const calls = transfers.filter(({ kind, from }) => kind === 'native' && from === subject.address);
  const called = new Map(calls.map(({ txHash, to }) => [txHash, to]));
  const byTransaction = groupBy(signed, ({ txHash }) => txHash);
  const taken = [...byTransaction].flatMap(([txHash, moved]) => {
    const target = called.get(txHash) ?? '';
    if (ENTRY_POINTS.has(target)) return [];
    return moved.filter((one) => one.from !== target && isTaking(ledger, one, moved));
  });
  const hashes = new Set(taken.map(({ txHash }) => txHash));
  return hashes.size < signed_share * byTransaction.size ? [] : taken;
});

/** Not of unknown tokens without a price alone: their contracts can write any name into their logs. */
function signedFor(ledger: Ledger): Finding[] {
  const { signed_from_usd, signed_transactions, victims_where_unsure } = RULES.accomplice;
  const taken = signedTakings(ledger);
  if (taken.length === 0) return [];
  const usd = usdOf(taken);
  if (usd === 0 && !taken.some(isGenuine)) return [];
  const victims = new Set(taken.map(({ from }) => from));
  // One call can be a trap, in which takers pay themselves.
  const isOften = new Set(taken.map(({ txHash }) => txHash)).size >= signed_transactions;
  const takers = [...new Set(taken.map(({ to }) => to))].sort();
  const times = taken.map(({ at }) => at).sort((a, b) => a - b);
  return [
    {
      severity: isOften && victims.size >= victims_where_unsure && usd >= signed_from_usd ? 'HIGH' : 'MEDIUM',
      variant: 'signed',
      thresholds: RULES.accomplice,
      measured: {
        usd: rounded(usd),
        amounts: amountsOf(taken.map((transfer) => ({ transfer, usd: transfer.usd }))),
        transfers: taken.length,
        victims: victims.size,
        entities: namesOf(ledger, takers),
      },
      movements: [],
      elsewhere: {
        evidence: [...new Set(taken.map(transferName))],
        counterparties: [...new Set([...takers, ...victims])],
        ways: [],
        span: { from: times[0]!, to: times.at(-1)! },
      },
    },
  ];
}

/** Names a payer of fees, which gets none of the money: a reason to ask. */
function feesFor(ledger: Ledger): Finding[] {
  if (!ledger.paidFees) return [];
  const { usd, fedUsd, wallets, takers, evidence, span } = ledger.paidFees;
  return [
    {
      severity: 'MEDIUM',
      variant: 'fees',
      thresholds: RULES.accomplice,
      measured: {
        usd: rounded(usd),
        wallets: wallets.length,
        fed_usd: rounded(fedUsd),
        entities: namesOf(ledger, takers),
      },
      movements: [],
      elsewhere: { evidence, counterparties: [...takers, ...wallets], ways: [], span },
    },
  ];
}

/** True for what was lost to a taker, where a source is sure of him: not in a trade, and not among takers. */
function isTaking(ledger: Ledger, { from, to, usd }: Transfer, moved: readonly Transfer[]): boolean {
  if (!isTaker(ledger, to) || isTaker(ledger, from)) return false;
  const back = moved.filter((one) => one.to === from);
  return usd === null ? back.length === 0 : usdOf(back) < RULES.accomplice.traded_share * usd;
}

export function namesOf(ledger: Ledger, takers: readonly string[]): string[] {
  return [...new Set(takers.map((address) => nameOf(ledger.labelsOf(address)) ?? address))].sort();
}

function nameOf(labels: readonly Label[]): string | null {
  const label = labels.find(({ category }) => SCAM_CATEGORIES.includes(category));
  return label ? (label.entity ?? label.label) : null;
}
