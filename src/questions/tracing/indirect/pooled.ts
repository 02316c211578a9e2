import { type Direction, type FlowPortion, nearEnd } from '../../../domain/tracing/flow-portion.ts';
import { VALUE_RATIO_MAX } from '../../../domain/tracing/swaps.ts';
import type { TracedParty } from '../../../domain/tracing/walk/findings.ts';
import { EXPOSURE_KIND } from '../../../risk/exposure/grade-exposure.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import type { MoneyTraces } from '../trace-money.ts';

/** A pool is paid by so many with so much each; of fewer it is a wallet of theirs. */
const PAYERS = { min: 3, usd: 10 } as const;

/**
 * True for money that came in its larger part out of pools: contracts of several payers, most of whose payments to the subject were of
 * others than listed parties. Which payer's money a pool paid out is not known.
 */
export function isPooled(parties: readonly TracedParty[], traces: MoneyTraces, direction: Direction): boolean {
  const sums = new Map<string, { usd: number; adverse: number }>();
  const all = [
    ...traces[direction].parties.map(({ arrivals, category }) => ({ arrivals, isAdverse: category in EXPOSURE_KIND })),
    ...traces[direction].ends.map(({ arrivals }) => ({ arrivals, isAdverse: false })),
  ];
  for (const { arrivals, isAdverse } of all) {
    for (const arrival of arrivals) {
      for (const key of passedBy(arrival, direction)) {
        const { usd, adverse } = sums.get(key) ?? { usd: 0, adverse: 0 };
        sums.set(key, { usd: usd + arrival.usd, adverse: adverse + (isAdverse ? arrival.usd : 0) });
      }
    }
  }
  const pools = new Set(
    [...sums].flatMap(([key, { usd, adverse }]) => (adverse < 0.5 * usd && hasPayers(key, traces) ? [key] : [])),
  );
  let [whole, pooled] = [0, 0];
  for (const arrival of parties.flatMap(({ arrivals }) => arrivals)) {
    whole += arrival.usd;
    if (passedBy(arrival, direction).some((key) => pools.has(key))) pooled += arrival.usd;
  }
  return pooled > 0.5 * whole;
}

/**
 * True for money that the subject bought at a fair price, in one transaction, from a contract of several payers, of which half or more of
 * what it got is of others than who brought this money: who liquidates a loan buys the collateral of any borrower.
 */
export function wasBought(arrival: FlowPortion, { opened, labels }: MoneyTraces): boolean {
  let beyond: FlowPortion | null = null;
  let own = arrival;
  for (; own.onto; own = own.onto) beyond = own;
  const { from: market, to: subject, txHash } = own.transfer;
  if (!beyond || !hasPayers(market, { opened, labels })) return false;
  const got = (opened.get(subject)?.received ?? []).filter((one) => one.txHash === txHash && one.from === market);
  const given = (opened.get(subject)?.sent ?? []).filter((one) => one.txHash === txHash && one.to === market);
  if (![...got, ...given].every(({ priced }) => priced) || usdOf(got) > VALUE_RATIO_MAX * usdOf(given)) return false;
  const received = opened.get(market)?.received ?? [];
  const { from: payer } = beyond.transfer;
  return usdOf(received.filter(({ from }) => from === payer)) <= 0.5 * usdOf(received);
}

/** True for money that the subject put into contracts of several payers, and that went on from there. */
export function isDeposited(parties: readonly TracedParty[], traces: MoneyTraces): boolean {
  const markets = new Set(parties.flatMap(({ arrivals }) => arrivals.map((one) => ownOf(one).transfer.to)));
  return [...markets].every((key) => hasPayers(key, traces));
}

/** The subject's own transfer on a way. */
function ownOf(arrival: FlowPortion): FlowPortion {
  let own = arrival;
  while (own.onto) own = own.onto;
  return own;
}

/** The addresses that money passed on its way. */
function passedBy(arrival: TracedParty['arrivals'][number], direction: Direction): string[] {
  const passed = new Set<string>();
  for (let one = arrival; one.onto; one = one.onto) passed.add(nearEnd(one.transfer, direction));
  return [...passed];
}

function hasPayers(key: string, { opened, labels }: Pick<MoneyTraces, 'opened' | 'labels'>): boolean {
  if (labels.get(key)?.isContract !== true) return false;
  const sums = new Map<string, number>();
  for (const { from, usd } of opened.get(key)?.received ?? []) sums.set(from, (sums.get(from) ?? 0) + usd);
  return [...sums.values()].filter((usd) => usd >= PAYERS.usd).length >= PAYERS.min;
}
