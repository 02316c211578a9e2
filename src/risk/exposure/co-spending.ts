import { rounded } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import { ADVERSE_CATEGORIES, type Label } from '../../domain/label.ts';
import { type Transfer, transferName } from '../../domain/transfers/transfer.ts';
import { atMost } from '../detection.ts';
import { type Ledger, tellingLabel } from '../ledger/ledger.ts';
import { type Movement, sumDirectionUsd } from '../ledger/movements.ts';
import { RULES } from '../rules.ts';
import type { Detector, Finding } from '../views/detector.ts';
import { gradeReport } from './report-only.ts';
import { amountsOf } from './share-of-flow.ts';

/** A transaction of Bitcoin in which the subject spent together with others; a CoinJoin is none. */
interface JointSpend {
  own: Movement[];
  /** Of the others, at least their shares of one output. */
  others: Transfer[];
}

/** Spending together with a listed address: one owner mostly signs for all inputs, so the subject may be that party. */
export const coSpentWithListed: Detector = {
  id: 'co_spent_with_listed',
  family: 'illicit_exposure',
  exemptService: true,
  detect(ledger) {
    const spends = jointSpends(ledger);
    const listed = new Set(spends.flatMap(({ others }) => others.map(({ from }) => from)));
    return [...listed].sort().flatMap((address) => {
      const label = tellingLabel(ledger.labelsOf(address), ledger.asOf);
      if (!label || !ADVERSE_CATEGORIES.includes(label.category)) return [];
      const together = spends.filter(({ others }) => others.some(({ from }) => from === address));
      return [toFinding(ledger, label, together)];
    });
  },
};

function jointSpends({ subject, movements, others }: Ledger): JointSpend[] {
  // On other chains several may sign one transaction.
  if (subject.chain !== 'bitcoin' || others.length === 0) return [];
  const byTransaction = groupBy(others, ({ txHash }) => txHash);
  const own = movements.filter(({ direction, transfer }) => direction === 'out' && transfer.apportioned);
  return [...groupBy(own, ({ transfer }) => transfer.txHash)].flatMap(([txHash, part]) => {
    const beside = (byTransaction.get(txHash) ?? []).filter(({ from }) => from !== subject.address);
    return beside.length > 0 ? [{ own: part, others: beside }] : [];
  });
}

function toFinding(ledger: Ledger, label: Label, together: readonly JointSpend[]): Finding {
  const own = together.flatMap((spend) => spend.own);
  const isPayjoin = together.length <= RULES.co_spent_with_listed.payjoin_transactions && hasPayjoinShape(together[0]!);
  const { address, category } = label;
  const { severity, measured } = gradeReport(ledger, isPayjoin ? 'MEDIUM' : 'HIGH', { addresses: [address], category });
  const [first, last] = [own[0]!.at, own.at(-1)!.at];
  return {
    severity: atMost(severity, 'HIGH'),
    category,
    variant: isPayjoin ? 'payjoin' : 'joint',
    thresholds: RULES.co_spent_with_listed,
    measured: {
      category,
      address,
      entities: [label.entity ?? label.label],
      transactions: together.length,
      usd: rounded(sumDirectionUsd(own, 'out')),
      amounts: amountsOf(own),
      ...measured,
    },
    movements: [],
    elsewhere: {
      evidence: own.map(({ transfer }) => transferName(transfer)),
      counterparties: [address],
      ways: [],
      span: { from: first, to: last },
    },
  };
}

/**
 * True where payer and payee may have spent together: two outputs, neither above the largest input, so that one was not
 * needed.
 */
function hasPayjoinShape({ own, others }: JointSpend): boolean {
  const byOutput = groupBy([...own.map(({ transfer }) => transfer), ...others], ({ index }) => index);
  if (byOutput.size !== RULES.co_spent_with_listed.payjoin_outputs) return false;
  const shares = byOutput.get(others[0]!.index)!;
  const ofPlace = sumOf(shares);
  const ownShare = shares.find(({ from }) => from === own[0]!.transfer.from);
  if (!ownShare || ofPlace === 0) return false;
  // The shares of an output show what every payer put in.
  const ownPart = Number(ownShare.amount) / ofPlace;
  const values = own.map(({ transfer }) => Number(transfer.amount) / ownPart);
  const largestPart = Math.max(...shares.map(({ amount }) => Number(amount) / ofPlace));
  const spent = values.reduce((sum, value) => sum + value, 0) + Number(own[0]!.transfer.fee ?? 0);
  return values.every((value) => value <= largestPart * spent);
}

function sumOf(transfers: readonly Transfer[]): number {
  return transfers.reduce((sum, { amount }) => sum + Number(amount), 0);
}
