import { rounded } from '../../domain/amount.ts';
import { SALE } from '../../domain/coinjoin/shape.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { ADVERSE_CATEGORIES, isAdverseCategory, type Label } from '../../domain/label.ts';
import { type Transfer, transferName } from '../../domain/transfers/transfer.ts';
import { atMost } from '../detection.ts';
import { effectiveLabel, type Ledger } from '../ledger/ledger.ts';
import { usdOf } from '../ledger/movements.ts';
import { RULES } from '../rules.ts';
import type { Detector, Finding } from '../views/detector.ts';
import { gradeReport } from './report-only.ts';
import { amountsOf } from './share-of-flow.ts';

/** A transaction of Bitcoin in which the subject spent together with others; a CoinJoin is none. */
interface JointSpend {
  /** The payments of the subject, and its inputs that came back. */
  own: Transfer[];
  /** Of the others, at least their shares of one output and what came back to them. */
  others: Transfer[];
}

/**
 * Spending together with a listed address: one owner mostly signs for all inputs, so the subject may be that party. Over others of
 * one holder it is one finding for all of it.
 */
export const coSpentWithListed: Detector = {
  id: 'co_spent_with_listed',
  family: 'illicit_exposure',
  indicator: 'parties',
  exemptService: true,
  detect(ledger) {
    const spends = jointSpends(ledger);
    const listed = new Set(spends.flatMap(({ others }) => others.map(({ from }) => from)));
    const direct = [...listed].sort().flatMap((address) => {
      const label = effectiveLabel(ledger.labelsOf(address), ledger.asOf);
      if (!label || !isAdverseCategory(label.category)) return [];
      const together = spends.filter(({ others }) => others.some(({ from }) => from === address));
      return [toFinding(ledger, label, together)];
    });
    if (direct.some(({ variant }) => variant === 'joint')) return direct;
    return [...direct, ...inCluster(ledger)];
  },
};

/** The gravest of the listed members of the holder, where the subject spent together with none of them itself. */
function inCluster(ledger: Ledger): Finding[] {
  const { cluster, subject, transfers, asOf } = ledger;
  const labels = (cluster?.listed ?? []).flatMap((address) => effectiveLabel(ledger.labelsOf(address), asOf) ?? []);
  const rank = ({ category }: Label) => ADVERSE_CATEGORIES.indexOf(category);
  const [label] = labels
    .filter((one) => rank(one) >= 0)
    .sort((a, b) => rank(a) - rank(b) || compare(a.address, b.address));
  const own = transfers.filter(({ from, txHash }) => from === subject.address && txHash === cluster?.txHash);
  if (!cluster || !label || own.length === 0) return [];
  return [findingOf(ledger, label, { variant: 'cluster', own, extent: { addresses: cluster.size } })];
}

function jointSpends({ subject, transfers, others }: Ledger): JointSpend[] {
  // On other chains several may sign one transaction.
  if (subject.chain !== 'bitcoin') return [];
  const shares = [...transfers, ...others].filter(({ apportioned }) => apportioned);
  const isOwn = ({ from }: Transfer) => from === subject.address;
  return [...groupBy(shares, ({ txHash }) => txHash).values()].flatMap((together) => {
    const own = together.filter(isOwn);
    const beside = together.filter((one) => !isOwn(one));
    return own.length > 0 && beside.length > 0 ? [{ own, others: beside }] : [];
  });
}

function toFinding(ledger: Ledger, label: Label, together: readonly JointSpend[]): Finding {
  const own = together.flatMap((spend) => spend.own);
  const { address } = label;
  const unsold = together.filter((spend) => !isSaleOf(spend, [ledger.subject.address, address]));
  // Two may meet once by chance; a seller meets all buyers.
  const isByChance = unsold.length <= RULES.co_spent_with_listed.payjoin_transactions && unsold.every(mayBeOfStrangers);
  const isPayjoin = together.length === 1 && hasPayjoinShape(together[0]!);
  const variant = !isByChance ? 'joint' : isPayjoin ? 'payjoin' : 'strangers';
  return findingOf(ledger, label, { variant, own, extent: { transactions: together.length } });
}

interface SpentTogether {
  variant: 'cluster' | 'joint' | 'payjoin' | 'strangers';
  /** The subject's own payments, in order of time. */
  own: readonly Transfer[];
  /** How many transactions or members it is about. */
  extent: { transactions: number } | { addresses: number };
}

function findingOf(ledger: Ledger, label: Label, { variant, own, extent }: SpentTogether): Finding {
  const { address, category } = label;
  const worst = variant === 'payjoin' || variant === 'strangers' ? 'MEDIUM' : 'HIGH';
  const { severity, measured } = gradeReport(ledger, worst, { addresses: [address], category });
  return {
    severity: atMost(severity, 'HIGH'),
    category,
    variant,
    thresholds: RULES.co_spent_with_listed,
    measured: {
      category,
      address,
      entities: [label.entity ?? label.label],
      ...extent,
      usd: rounded(usdOf(own)),
      amounts: amountsOf(own.map((transfer) => ({ transfer, usd: transfer.usd }))),
      ...measured,
    },
    movements: [],
    elsewhere: {
      evidence: own.map(transferName),
      counterparties: [address],
      ways: [],
      span: { from: own[0]!.at, to: own.at(-1)!.at },
    },
  };
}

/** True where one of these may have sold to the other payers. */
function isSaleOf({ own, others }: JointSpend, sellers: readonly string[]): boolean {
  return [...own, ...others].some(({ from, method }) => method === SALE && sellers.includes(from));
}

/** True where the shape speaks for strangers; what a third one may have sold parts the buyer's own addresses from him alone. */
function mayBeOfStrangers(spend: JointSpend): boolean {
  const isOfThird = spend.others.some(({ method }) => method === SALE);
  return hasPayjoinShape(spend) || (!isOfThird && spend.own.some(({ joint }) => joint === false));
}

/**
 * True where payer and payee may have spent together: two outputs, neither above the largest input, so that one was not
 * needed.
 */
function hasPayjoinShape({ own, others }: JointSpend): boolean {
  const all = [...own, ...others];
  const isLoop = ({ from, to }: Transfer) => from === to;
  const [loops, shares] = [all.filter(isLoop), all.filter((transfer) => !isLoop(transfer))];
  if (new Set(all.map(({ to }) => to)).size !== RULES.co_spent_with_listed.payjoin_outputs) return false;
  const backTo = new Map(loops.map(({ from, amount }) => [from, Number(amount)]));
  // The shares of an output of which all are known show what every payer put in beyond what came back.
  const place = shares.find(({ from }) => from !== own[0]!.from)?.index ?? shares[0]?.index;
  const ofPlace = shares.filter(({ index }) => index === place);
  const partOf = new Map(ofPlace.map(({ from, amount }) => [from, Number(amount) / sumOf(ofPlace)]));
  const ownPart = partOf.get(own[0]!.from);
  const outputs = [...groupBy(shares, ({ to }) => to)].map(([to, some]): [string, number] => {
    const known = some.filter(({ from }) => from === own[0]!.from);
    return [to, known.length > 0 && ownPart !== undefined ? sumOf(known) / ownPart : sumOf(some)];
  });
  const spent = outputs.reduce((sum, [, value]) => sum + value, 0) + Number(own[0]!.fee ?? 0);
  const payers = new Set([...partOf.keys(), ...backTo.keys()]);
  const inputs = [...payers].map((payer) => (partOf.get(payer) ?? 0) * spent + (backTo.get(payer) ?? 0));
  const net = new Map(outputs);
  const values = [...new Set(all.map(({ to }) => to))].map((to) => (net.get(to) ?? 0) + (backTo.get(to) ?? 0));
  return values.every((value) => value <= Math.max(...inputs));
}

function sumOf(transfers: readonly Transfer[]): number {
  return transfers.reduce((sum, { amount }) => sum + Number(amount), 0);
}
