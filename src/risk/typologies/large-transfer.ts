import { rounded } from '../../domain/amount.ts';
import { addToGroup } from '../../domain/group-by.ts';
import { isNullAddress } from '../../domain/tracing/asset-id.ts';
import { atMost, type Severity } from '../detection.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import { taintedShareOf } from '../exposure/taint.ts';
import { largerSide, movementsOf } from '../ledger/payments.ts';
import { PATTERN_MONEY, RULES } from '../rules.ts';
import type { Detector, Flag, Window } from '../views/detector.ts';
import { valueFigures } from '../views/window.ts';

/** Single payments that are large in themselves and among the largest of the subject. */
export const largeTransfer: Detector = {
  id: 'large_transfer',
  family: 'behaviour',
  indicator: 'transactions',
  exemptService: true,
  inWindow: largeTransfersInWindow,
  detect(ledger) {
    const { payments } = ledger;
    const rule = RULES.large_transfer;
    if (payments.length === 0) return [];
    const sizes = Float64Array.from(payments, (payment) => payment.usd).sort();
    const percentile = sizes[Math.ceil(rule.percentile * sizes.length) - 1]!;
    const fromUsd = Math.max(rule.low_usd, percentile);
    const large = largerSide(payments.filter((payment) => payment.usd >= fromUsd));
    if (large.length === 0) return [];
    const largest = large.reduce((most, payment) => (payment.usd > most.usd ? payment : most));
    const { usd, direction } = largest;
    const taintedShare = taintedShareOf(ledger, movementsOf(large));
    return [
      {
        severity: severityOf(usd, taintedShare),
        thresholds: { ...rule, tainted_share: PATTERN_MONEY.tainted_share, untainted_at_most: 'MEDIUM' },
        measured: {
          transfers: large.length,
          more: large.length - 1,
          from_usd: rounded(fromUsd),
          direction: direction === 'in' ? 'received' : 'sent',
          usd: rounded(usd),
          amounts: amountsOf(largest.movements),
          largest_usd: rounded(usd),
          percentile_usd: rounded(percentile),
          tainted_share: rounded(taintedShare),
        },
        movements: movementsOf(large),
      },
    ];
  },
};

type Valued = Window['valued'][number];

/**
 * Transfers that are large in themselves and among the largest hundredth of the window, by sender; by receiver where
 * the sender is a labelled service or the token's maker.
 */
function largeTransfersInWindow(window: Window): Flag[] {
  const rule = RULES.large_transfer;
  const sizes = window.valued.map(({ usd }) => usd).sort((a, b) => a - b);
  const percentile = sizes[Math.ceil(rule.percentile * sizes.length) - 1] ?? 0;
  const byAddress = new Map<string, Valued[]>();
  for (const transfer of window.valued) {
    if (transfer.usd < Math.max(rule.low_usd, percentile)) continue;
    const address = [transfer.from, transfer.to].find((party) => isPerson(window, party));
    if (address !== undefined) addToGroup(byAddress, address, transfer);
  }
  return [...byAddress].map(([address, transfers]) => {
    const largest = Math.max(...transfers.map(({ usd }) => usd));
    const figures = valueFigures(window, largest);
    const ledger = window.ledgerOf(address);
    const movements = ledger.movements.filter(({ transfer }) => transfers.some(({ id }) => id === transfer.id));
    return {
      address,
      pattern: 'large_transfer',
      severity: severityOf(largest, taintedShareOf(ledger, movements)),
      measured: { count: transfers.length, ...figures },
      transfers,
    };
  });
}

function severityOf(usd: number, taintedShare: number): Severity {
  const { medium_usd, high_usd } = RULES.large_transfer;
  const graded = usd >= high_usd ? 'HIGH' : usd >= medium_usd ? 'MEDIUM' : 'LOW';
  return taintedShare >= PATTERN_MONEY.tainted_share ? graded : atMost(graded, 'MEDIUM');
}

function isPerson({ chain, ledgerOf }: Window, address: string): boolean {
  return !isNullAddress(`${chain}:${address}`) && ledgerOf(address).serviceLabel === null;
}
