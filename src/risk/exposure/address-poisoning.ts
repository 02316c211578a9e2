import { rounded } from '../../domain/amount.ts';
import { addToGroup } from '../../domain/group-by.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { sumDirectionUsd } from '../ledger/movements.ts';
import { findPoisoning, type PoisoningTransfer } from '../ledger/poisoning.ts';
import { RULES, VICTIM } from '../rules.ts';
import type { Detector, Finding, Flag, Window } from '../views/detector.ts';
import { paidToLookalikes } from './losses.ts';
import { amountsOf } from './share-of-flow.ts';

/**
 * Somebody baits the subject with addresses that look like its real counterparties: a warning to the victim. Or the
 * subject itself is such an address.
 */
export const addressPoisoning: Detector = {
  id: 'address_poisoning',
  family: 'poisoning_contract',
  indicator: null,
  exemptService: true,
  inWindow: poisoningInWindow,
  detect: (ledger) => [...asVictim(ledger), ...asBait(ledger)],
};

function asVictim(ledger: Ledger): Finding[] {
  const baits = findPoisoning(ledger);
  const worst = baits.reduce((a, b) => (b.chance < a.chance ? b : a), baits[0]!);
  if (!worst) return [];
  return [
    {
      // A warning: who only receives bait did nothing.
      severity: 'LOW',
      role: 'victim',
      thresholds: RULES.address_poisoning,
      measured: {
        baits: baits.length,
        lookalike: worst.lookalike,
        genuine: worst.genuine,
        prefix: worst.prefix,
        suffix: worst.suffix,
        kind: worst.kind,
        chance: worst.chance,
      },
      movements: [],
      transfers: baits.map((bait) => bait.transfer),
    },
  ];
}

function asBait({ mimicry }: Ledger): Finding[] {
  const [first] = mimicry.toSorted((a, b) => a.chance - b.chance);
  if (!first) return [];
  const { victim, genuine, kind, prefix, suffix, chance } = first;
  const transfers = mimicry.flatMap(({ baits }) => baits);
  return [
    {
      severity: chance < RULES.address_poisoning.high_chance ? 'HIGH' : 'MEDIUM',
      variant: 'bait',
      thresholds: RULES.address_poisoning,
      measured: {
        victims: new Set(mimicry.map((one) => one.victim)).size,
        baits: transfers.length,
        victim,
        genuine,
        prefix,
        suffix,
        kind,
        chance,
      },
      movements: [],
      transfers,
    },
  ];
}

/** After a bait the subject paid the look-alike: a loss. */
export const poisoningLoss: Detector = {
  id: 'poisoning_loss',
  family: 'poisoning_contract',
  indicator: null,
  detect(ledger) {
    const lost = paidToLookalikes(ledger);
    if (lost.length === 0) return [];
    const usd = sumDirectionUsd(lost, 'out');
    return [
      {
        severity: usd < VICTIM.low_below_usd ? 'LOW' : 'MEDIUM',
        role: 'victim',
        thresholds: { ...RULES.address_poisoning, low_below_usd: VICTIM.low_below_usd },
        measured: {
          transfers: lost.length,
          usd: rounded(usd),
          amounts: amountsOf(lost),
          lookalike: lost[0]!.counterparty,
        },
        movements: lost,
      },
    ];
  },
};

/**
 * Addresses that bait a victim by looking like a party the victim really dealt with: one flag for each bait address,
 * which names the victim of the strongest evidence; said to have worked where a victim paid it afterwards.
 */
function poisoningInWindow(window: Window): Flag[] {
  const byBait = new Map<string, { victim: string; bait: PoisoningTransfer }[]>();
  for (const victim of new Set(window.transfers.flatMap(({ from, to }) => [from, to]))) {
    for (const bait of findPoisoning(window.ledgerOf(victim))) {
      addToGroup(byBait, bait.lookalike, { victim, bait });
    }
  }
  const named = [...byBait].filter(([address]) => window.ledgerOf(address).serviceLabel === null);
  return named.map(([address, found]): Flag => {
    const { victim, bait } = found.reduce((a, b) => (b.bait.chance < a.bait.chance ? b : a));
    const losses = window.transfers.filter((transfer) => found.some((pair) => isLoss(transfer, address, pair)));
    const victims = new Set(found.map((pair) => pair.victim)).size;
    const { genuine, prefix, suffix, kind } = bait;
    return {
      address,
      pattern: 'address_poisoning',
      severity: bait.chance < RULES.address_poisoning.high_chance ? 'HIGH' : 'MEDIUM',
      ...(losses.length > 0 ? { variant: 'loss' } : {}),
      measured: { victim, genuine, prefix, suffix, kind, victims, losses: losses.length },
      transfers: [...found.map((pair) => pair.bait.transfer), ...losses],
    };
  });
}

function isLoss(
  transfer: Transfer,
  address: string,
  { victim, bait }: { victim: string; bait: PoisoningTransfer },
): boolean {
  return (
    transfer.from === victim &&
    transfer.to === address &&
    movedValue(transfer) &&
    (transfer.usd ?? 0) >= RULES.address_poisoning.loss_from_usd &&
    transfer.at >= bait.transfer.at &&
    transfer.id !== bait.transfer.id
  );
}
