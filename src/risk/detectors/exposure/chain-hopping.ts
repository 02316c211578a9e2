import { HOUR_MS } from '../../../domain/time.ts';
import { illicitMovements } from '../../exposure/exposed-movements.ts';
import { amountsOf } from '../../exposure/share-of-flow.ts';
import { origins } from '../../exposure/taint.ts';
import { type Ledger, type Movement, sumUsd } from '../../ledger/ledger.ts';
import { PATTERN_MONEY, RULES } from '../../rules.ts';
import { type Detector, rounded } from '../detector.ts';

/** Money leaves the chain over several bridges within a day; what happens on the other side is not seen here. */
export const chainHopping: Detector = {
  id: 'chain_hopping',
  family: 'cash_out',
  exemptService: true,
  detect(ledger) {
    const rule = RULES.chain_hopping;
    const deposits = ledger.movements.filter(
      (m) => m.direction === 'out' && m.usd !== null && ledger.categoryOf(m.counterparty) === 'bridge',
    );
    const window = mostBridges(ledger, deposits, rule.hours * HOUR_MS);
    const bridges = [...new Set(window.map((movement) => bridgeName(ledger, movement)))].sort();
    const usd = sumUsd(window, 'out');
    if (bridges.length < rule.bridges || usd < rule.total_from_usd) return [];
    const start = window[0]!.at;
    const suspicious = illicitMovements(ledger, 'in').filter(
      (m) =>
        (m.usd ?? 0) >= rule.suspicious_from_usd && m.at <= start && start - m.at <= rule.suspicious_hours * HOUR_MS,
    );
    const tainted = suspicious.length > 0 || origins(ledger).taintedShare >= PATTERN_MONEY.tainted_share;
    return [
      {
        severity: tainted ? 'HIGH' : 'MEDIUM',
        variant: tainted ? 'tainted' : 'plain',
        category: 'bridge',
        thresholds: rule,
        measured: {
          bridges: bridges.length,
          names: bridges.slice(0, 5),
          hours: rule.hours,
          usd: rounded(usd),
          amounts: amountsOf(window),
        },
        movements: [...suspicious, ...window],
      },
    ];
  },
};

/** The window with the most distinct bridges, of equals the one that moved most. */
function mostBridges(ledger: Ledger, deposits: readonly Movement[], windowMs: number): Movement[] {
  const counts = new Map<string, number>();
  let [from, to, most, mostUsd] = [0, 0, 0, 0];
  let start = 0;
  let usd = 0;
  for (const [end, deposit] of deposits.entries()) {
    const name = bridgeName(ledger, deposit);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    usd += deposit.usd ?? 0;
    for (; deposits[start]!.at < deposit.at - windowMs; start++) {
      const gone = bridgeName(ledger, deposits[start]!);
      const left = counts.get(gone)! - 1;
      if (left === 0) counts.delete(gone);
      else counts.set(gone, left);
      usd -= deposits[start]!.usd ?? 0;
    }
    if (counts.size > most || (counts.size === most && usd > mostUsd)) {
      [from, to, most, mostUsd] = [start, end + 1, counts.size, usd];
    }
  }
  return deposits.slice(from, to);
}

/** Several contracts of one bridge count once. */
function bridgeName(ledger: Ledger, { counterparty }: Movement): string {
  return ledger.labelsOf(counterparty).find((label) => label.category === 'bridge')?.entity ?? counterparty;
}
