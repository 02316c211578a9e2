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
 * Somebody plants addresses that look like the subject's real counterparties in its history: a warning to the victim. Or
 * the subject itself is such an address.
 */
export const addressPoisoning: Detector = {
  id: 'address_poisoning',
  family: 'poisoning_contract',
  indicator: null,
  exemptService: true,
  inWindow: poisoningInWindow,
  detect: (ledger) => [...asVictim(ledger), ...asPoisoner(ledger)],
};

function asVictim(ledger: Ledger): Finding[] {
  const found = findPoisoning(ledger);
  const worst = found.reduce((a, b) => (b.chance < a.chance ? b : a), found[0]!);
  if (!worst) return [];
  return [
    {
      // A warning: who only receives such transfers did nothing.
      severity: 'LOW',
      role: 'victim',
      thresholds: RULES.address_poisoning,
      measured: {
        baits: found.length,
        lookalike: worst.lookalike,
        genuine: worst.genuine,
        prefix: worst.prefix,
        suffix: worst.suffix,
        kind: worst.kind,
        chance: worst.chance,
      },
      movements: [],
      transfers: found.map(({ transfer }) => transfer),
    },
  ];
}

function asPoisoner({ mimicry }: Ledger): Finding[] {
  const [first] = mimicry.toSorted((a, b) => a.chance - b.chance);
  if (!first) return [];
  const { victim, genuine, kind, prefix, suffix, chance } = first;
  const transfers = mimicry.flatMap((one) => one.transfers);
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

/** After a transfer of address poisoning the subject paid the look-alike: a loss. */
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
 * Addresses that look like a party whom a victim really dealt with, in whose history they stand: one flag for each of them,
 * which names the victim of the strongest evidence; said to have worked where a victim paid it afterwards.
 */
function poisoningInWindow(window: Window): Flag[] {
  const byLookalike = new Map<string, PoisonedVictim[]>();
  for (const victim of new Set(window.transfers.flatMap(({ from, to }) => [from, to]))) {
    for (const sent of findPoisoning(window.ledgerOf(victim))) {
      addToGroup(byLookalike, sent.lookalike, { victim, sent });
    }
  }
  const named = [...byLookalike].filter(([address]) => window.ledgerOf(address).serviceLabel === null);
  return named.map(([address, found]): Flag => {
    const { victim, sent } = found.reduce((a, b) => (b.sent.chance < a.sent.chance ? b : a));
    const losses = window.transfers.filter((transfer) => found.some((pair) => isLoss(transfer, address, pair)));
    const victims = new Set(found.map((pair) => pair.victim)).size;
    const { genuine, prefix, suffix, kind } = sent;
    return {
      address,
      pattern: 'address_poisoning',
      severity: sent.chance < RULES.address_poisoning.high_chance ? 'HIGH' : 'MEDIUM',
      ...(losses.length > 0 ? { variant: 'loss' } : {}),
      measured: { victim, genuine, prefix, suffix, kind, victims, losses: losses.length },
      transfers: [...found.map((pair) => pair.sent.transfer), ...losses],
    };
  });
}

interface PoisonedVictim {
  victim: string;
  sent: PoisoningTransfer;
}

function isLoss(transfer: Transfer, address: string, { victim, sent }: PoisonedVictim): boolean {
  return (
    transfer.from === victim &&
    transfer.to === address &&
    movedValue(transfer) &&
    (transfer.usd ?? 0) >= RULES.address_poisoning.loss_from_usd &&
    transfer.at >= sent.transfer.at &&
    transfer.id !== sent.transfer.id
  );
}
