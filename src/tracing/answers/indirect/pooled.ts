import { addressOf } from '../../../domain/address/address-key.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type FlowPortion, nearEnd } from '../../../domain/tracing/flow-portion.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import type { BoughtMoney, IndirectExposure, TakerDeposit } from '../../../risk/assessment.ts';
import { EXPOSURE_KIND } from '../../../risk/exposure/grade-exposure.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import { OPEN, ORDERED, POOL } from '../../../risk/rules.ts';
import { isOfSeveral, type LeastPayers, paidBy } from '../../engine/accomplices/payers.ts';
import { traderKind, VALUE_RATIO_MAX } from '../../engine/swaps.ts';
import type { TracedParty } from '../../engine/walk/findings.ts';
import type { MoneyTraces } from '../../read/trace-money.ts';

/**
 * Says where money came in its larger part out of pools: contracts of several payers, or of many, most of whose payments to the subject
 * were of others than listed parties; null where it did not. Which payer's money a pool paid out is not known.
 */
export function pooledBy(parties: readonly TracedParty[], traces: MoneyTraces): IndirectExposure['pooled'] | null {
  const sums = new Map<string, { usd: number; adverse: number }>();
  const all = [
    ...traces.received.parties.map(({ arrivals, category }) => ({ arrivals, isAdverse: category in EXPOSURE_KIND })),
    ...traces.received.ends.map(({ arrivals }) => ({ arrivals, isAdverse: false })),
  ];
  for (const { arrivals, isAdverse } of all) {
    for (const arrival of arrivals) {
      for (const key of passedBy(arrival)) {
        const { usd, adverse } = sums.get(key) ?? { usd: 0, adverse: 0 };
        sums.set(key, { usd: usd + arrival.usd, adverse: adverse + (isAdverse ? arrival.usd : 0) });
      }
    }
  }
  const paidMostlyOthers = [...sums].flatMap(([key, { usd, adverse }]) =>
    adverse < POOL.adverse_share * usd ? [key] : [],
  );
  const isOutOf = (payers: number) => {
    const pools = new Set(paidMostlyOthers.filter((key) => hasPayers(key, traces, { payers })));
    let [whole, pooled] = [0, 0];
    for (const arrival of parties.flatMap(({ arrivals }) => arrivals)) {
      whole += arrival.usd;
      if (passedBy(arrival).some((key) => pools.has(key))) pooled += arrival.usd;
    }
    return pooled > 0.5 * whole;
  };
  if (!isOutOf(POOL.payers)) return null;
  return isOutOf(OPEN.payers) ? 'many' : 'several';
}

/**
 * Sums what the subject bought at a fair price, in one transaction, from a named contract of several payers to which the adverse money
 * behind the subject is half of what it got at most: who liquidates a loan buys the collateral of any borrower. A contract without a
 * name may be the seller's own.
 */
export function purchases(subject: string, traces: MoneyTraces): (parties: readonly TracedParty[]) => BoughtMoney {
  const { received, opened, labels } = traces;
  const adverseUsd = new Map<string, number>();
  for (const arrival of received.parties.flatMap((party) => (party.category in EXPOSURE_KIND ? party.arrivals : []))) {
    const market = firstTwo(arrival)?.own.transfer.from;
    // All that the listed party paid: another address may have bought the rest.
    if (market !== undefined) adverseUsd.set(market, (adverseUsd.get(market) ?? 0) + arrival.transfer.usd);
  }
  const isOpenToAll = (market: string, usd: number) => {
    const label = labels.get(market);
    // Two may have brought nearly all to a young market.
    if (!label || traderKind(market, label) !== 'trader' || !hasPayers(market, traces, { othersShare: 0 }))
      return false;
    return usd <= POOL.adverse_share * usdOf(opened.get(market)?.received.filter(({ from }) => from !== subject) ?? []);
  };
  const markets = new Set([...adverseUsd].flatMap(([market, usd]) => (isOpenToAll(market, usd) ? [market] : [])));
  const { received: gained = [], sent: paid = [] } = opened.get(subject) ?? {};
  const boughtOf = gained.filter(({ from }) => markets.has(from));
  const paidTo = paid.filter(({ to }) => markets.has(to));
  const passed = [...markets].flatMap((market) => opened.get(market)?.sent.filter(({ to }) => to !== subject) ?? []);
  const given = groupBy(paidTo, (one) => dealName(one, one.to));
  const passedOn = groupBy(passed, (one) => dealName(one, one.from));
  const fair = new Set<string>();
  for (const [name, got] of groupBy(boughtOf, (one) => dealName(one, one.from))) {
    if (isFair({ got, given: given.get(name) ?? [], passedOn: passedOn.get(name) ?? [] })) fair.add(name);
  }
  const left = new LeftAlong();
  return (parties) => {
    const bought: BoughtMoney = { usd: 0, recentUsd: 0 };
    for (const arrival of parties.flatMap(({ arrivals }) => arrivals)) {
      const transfer = firstTwo(arrival)?.own.transfer;
      if (!transfer || !fair.has(dealName(transfer, transfer.from))) continue;
      const usd = left.take(arrival);
      bought.usd += usd;
      bought.recentUsd += (usd / arrival.usd) * arrival.recentUsd;
    }
    return bought;
  };
}

/** Transfers of one transaction with a market. */
type Deal = Record<'got' | 'given' | 'passedOn', TracedTransfer[]>;

function dealName({ txHash }: FlowPortion['transfer'], market: string): string {
  return `${txHash} ${market}`;
}

/** Rests of portions of money, US dollars. */
class LeftAlong {
  private readonly taken = new Map<FlowPortion, number>();

  /** Takes what came on the way itself: it leads along where most went, and the rest may have come on others. */
  take(arrival: FlowPortion): number {
    const way: FlowPortion[] = [];
    for (let one: FlowPortion | null = arrival; one; one = one.onto) way.push(one);
    const takenOf = (one: FlowPortion) => this.taken.get(one) ?? 0;
    const usd = Math.min(...way.map((one) => one.usd - takenOf(one)));
    for (const one of way) this.taken.set(one, takenOf(one) + usd);
    return usd;
  }
}

/** Compares prices; the market keeps no price that it passed on in the transaction. */
function isFair({ got, given, passedOn }: Deal): boolean {
  const isPriced = [...got, ...given, ...passedOn].every(({ priced }) => priced);
  return isPriced && got.length > 0 && usdOf(got) <= VALUE_RATIO_MAX * (usdOf(given) - usdOf(passedOn));
}

/**
 * True for money that the subject put into contracts of several payers, all of it before they first paid any of it on: who pays a gang's
 * contract goes on after the gang has taken from it.
 */
export function isDeposited(subject: string, parties: readonly TracedParty[], traces: MoneyTraces): boolean {
  const ways = parties.flatMap(({ arrivals }) => arrivals.map(firstTwo));
  const takenAt = new Map<string, number>();
  for (const way of ways) {
    if (!way) return false;
    const { to: market } = way.own.transfer;
    takenAt.set(market, Math.min(takenAt.get(market) ?? Number.POSITIVE_INFINITY, way.beyond.transfer.at));
  }
  const sent = traces.opened.get(subject)?.sent ?? [];
  const isBefore = sent.every(({ to, at }) => at < (takenAt.get(to) ?? Number.POSITIVE_INFINITY));
  return isBefore && [...takenAt.keys()].every((market) => hasPayers(market, traces));
}

/** The subject's own transfer on a way, and the one beyond its other party; null where that party is the end. */
function firstTwo(arrival: FlowPortion): { own: FlowPortion; beyond: FlowPortion } | null {
  let [own, beyond]: [FlowPortion, FlowPortion | null] = [arrival, null];
  for (; own.onto; own = own.onto) beyond = own;
  return beyond && { own, beyond };
}

/** The addresses that money passed on its way. */
function passedBy(arrival: TracedParty['arrivals'][number]): string[] {
  const passed = new Set<string>();
  for (let one = arrival; one.onto; one = one.onto) passed.add(nearEnd(one.transfer, 'received'));
  return [...passed];
}

/**
 * Lists what listed takers put into the contracts that paid the subject and did not take out again; of several payers only where they put
 * in half or more, or where they had the subject paid as much as they, and no other, had put in.
 */
export function takerDeposits(subject: string, traces: MoneyTraces): TakerDeposit[] {
  const { opened, labels, isTaker } = traces;
  const { received: gained = [] } = opened.get(subject) ?? {};
  const payers = new Set(gained.map(({ from }) => from));
  const isAlike = (one: number, other: number) =>
    Math.max(one, other) <= ORDERED.deposited_ratio_max * Math.min(one, other);
  return [...payers].flatMap((contract) => {
    if (!labels.get(contract)?.isContract) return [];
    const { received = [], sent = [] } = opened.get(contract) ?? {};
    const put = groupBy(received, ({ from }) => from);
    const back = groupBy(
      sent.filter(({ to }) => put.has(to)),
      ({ to }) => to,
    );
    const kept = [...put].flatMap(([from, part]) => {
      if (from === subject || !isTaker(from)) return [];
      const left = 1 - usdOf(back.get(from) ?? []) / (usdOf(part) || 1);
      return left > 0 ? part.map((one) => ({ ...one, usd: left * one.usd })) : [];
    });
    const brought = [...paidBy(contract, traces)];
    const paid = brought.reduce((sum, [, usd]) => sum + usd, 0);
    const byOrder = gained.filter(({ from, signer }) => from === contract && signer !== undefined && isTaker(signer));
    const keptUsd = usdOf(kept);
    const isTheirs =
      isAlike(usdOf(byOrder), keptUsd) && !brought.some(([who, usd]) => !isTaker(who) && isAlike(usd, keptUsd));
    if (!isTheirs && keptUsd < ORDERED.deposited_share * paid && hasPayers(contract, traces)) return [];
    return kept.map(({ txHash, at, block, position, usd }) => ({
      ...{ contract: addressOf(contract), txHash, at, block, position, usd },
    }));
  });
}

/** True for a contract of several payers. */
function hasPayers(key: string, traces: MoneyTraces, least?: LeastPayers): boolean {
  return traces.labels.get(key)?.isContract === true && isOfSeveral(key, traces, least);
}
