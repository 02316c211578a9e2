import { rounded } from '../../domain/amount.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { illicitMovements } from '../exposure/exposed-movements.ts';
import { amountsOf } from '../exposure/share-of-flow.ts';
import { origins } from '../exposure/taint.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Movement, sumDirectionUsd } from '../ledger/movements.ts';
import { PATTERN_MONEY, RULES } from '../rules.ts';
import type { Detector } from '../views/detector.ts';

/** Crossings whose transactions are listed. */
const ARRIVALS = 5;

/**
 * Money leaves the chain over several bridges within a day. A bridge is an address labelled so, or one that took a
 * transfer whose arrival on another chain is known.
 */
export const chainHopping: Detector = {
  id: 'chain_hopping',
  family: 'cash_out',
  indicator: 'anonymity',
  exemptService: true,
  detect(ledger) {
    const rule = RULES.chain_hopping;
    const deposits = ledger.movements.filter(
      (m) =>
        m.direction === 'out' &&
        m.usd !== null &&
        (ledger.categoryOf(m.counterparty) === 'bridge' || bridgedOf(ledger, m) !== undefined),
    );
    const nameOf = bridgeNames(ledger, deposits);
    const window = mostBridges(deposits, nameOf, rule.hours * HOUR_MS);
    const bridges = [...new Set(window.map(nameOf))].sort();
    const arrivals = window.flatMap((movement) => bridgedOf(ledger, movement) ?? []);
    const usd = sumDirectionUsd(window, 'out');
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
          crossings: arrivals.length,
          chains: [...new Set(arrivals.map(({ chain }) => chain))].sort(),
          arrivals: arrivals.slice(0, ARRIVALS).map(({ chain, arrivedTx }) => `${chain} ${arrivedTx}`),
        },
        movements: [...suspicious, ...window],
      },
    ];
  },
};

/** The window with the most distinct bridges, of equals the one that moved most. */
function mostBridges(
  deposits: readonly Movement[],
  nameOf: (deposit: Movement) => string,
  windowMs: number,
): Movement[] {
  const counts = new Map<string, number>();
  let [from, to, most, mostUsd] = [0, 0, 0, 0];
  let start = 0;
  let usd = 0;
  for (const [end, deposit] of deposits.entries()) {
    const name = nameOf(deposit);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    usd += deposit.usd ?? 0;
    for (; deposits[start]!.at < deposit.at - windowMs; start++) {
      const gone = nameOf(deposits[start]!);
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

/** Several contracts of one bridge count once: those of one labelled entity, and those of one protocol. */
function bridgeNames(ledger: Ledger, deposits: readonly Movement[]): (deposit: Movement) => string {
  const labelled = ({ counterparty }: Movement) =>
    ledger.labelsOf(counterparty).find((label) => label.category === 'bridge')?.entity;
  const protocols = new Map<string, string>();
  const entities = new Map<string, string>();
  for (const deposit of deposits) {
    const protocol = bridgedOf(ledger, deposit)?.protocol;
    if (protocol === undefined) continue;
    const entity = labelled(deposit);
    protocols.set(deposit.counterparty, protocol);
    if (entity) entities.set(entity, protocol);
  }
  return (deposit) => {
    const entity = labelled(deposit);
    const protocol = protocols.get(deposit.counterparty) ?? (entity ? entities.get(entity) : undefined);
    return protocol ?? entity ?? deposit.counterparty;
  };
}

function bridgedOf({ bridged }: Ledger, { transfer }: Movement) {
  return bridged.get(transfer.id);
}
