import { FORMS, trimmed } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import type { Language } from '../../../words/language.ts';
import { WORDS } from '../../../words/words.ts';
import { addressOf, chainOf } from '../../domain/address/address-key.ts';
import { roundUsd, shareOfMoney } from '../../domain/amount.ts';
import { bridgeFacts } from '../../domain/bridges/bridge-facts.ts';
import { compare } from '../../domain/compare.ts';
import type { ListGap } from '../../domain/label.ts';
import type { FrontierAddress, TraceCoverage } from '../../domain/tracing/answers.ts';
import { type Direction, type FlowPortion, SETTLED_REASONS } from '../../domain/tracing/flow-portion.ts';
import { transactionName } from '../../domain/tracing/traced-transfer.ts';
import { mayBeSure } from '../engine/accomplices/accomplices.ts';
import { stepsWithin } from '../engine/walk/distances.ts';
import { isStaked, usdPassing } from '../engine/walk/evidence.ts';
import { attributedUsd, type FrontierEntry, type GraphAddress, type Trace } from '../engine/walk/findings.ts';
import { frontierOf, missingOfSubject } from '../read/frontier.ts';
import type { MoneyTraces } from '../read/trace-money.ts';

export const FRONTIER_MAX = 20;

/** Returns what an answer about money has not seen; `asked` are the keys of its subject. `unattributed` adds up to `unattributedUsd`. */
export function traceCoverage(
  asked: readonly string[],
  {
    traces,
    directions,
    unattributedUsd,
    listGap,
    ofSubject = true,
  }: {
    traces: MoneyTraces;
    directions: readonly Direction[];
    unattributedUsd: number;
    /** Which lists of sanctions the labels lack; null: none, or it is said elsewhere. */
    listGap: ListGap | null;
    /** False for a scan, which speaks of the subject's own history elsewhere. */
    ofSubject?: boolean;
  },
): TraceCoverage {
  const frontier = frontierOf(asked, traces, directions).filter(({ hop }) => ofSubject || hop > 0);
  const reasons = new Set<string>(
    directions.flatMap((direction) => [...traces[direction].unattributed.keys(), ...traces[direction].lost.keys()]),
  );
  if (listGap) reasons.add(listGap);
  for (const key of ofSubject ? asked : []) {
    const missing = missingOfSubject(traces.subjects.get(key));
    if (missing) reasons.add(missing);
  }
  const isUnpriced = ({ totals }: GraphAddress) => directions.some((direction) => totals[direction].unpriced > 0);
  if ([...traces.subjects.values()].some(isUnpriced)) reasons.add('unpriced');
  const shares = (of: (traced: Trace) => number) => {
    const share = (direction: Direction) =>
      directions.includes(direction) ? shareOf(of(traces[direction]), traces[direction]) : null;
    return { received: share('received'), sent: share('sent') };
  };
  const throughUnread = shares(({ throughUnreadUsd }) => throughUnreadUsd);
  // What passed an unread address may still have a known end.
  for (const { reason } of frontier) reasons.add(reason);
  if (directions.some((direction) => traces[direction].openUsd > 0)) reasons.add('bridge_open');
  return {
    attributed: shares(attributedUsd),
    unattributed: unattributedByReason(
      directions.map((direction) => traces[direction]),
      unattributedUsd,
    ),
    through_unread: throughUnread,
    frontier: shownFrontier(frontier, traces),
    frontier_count: frontier.length,
    complete: [...reasons].every((reason) => (SETTLED_REASONS as readonly string[]).includes(reason)),
    reasons: [...reasons].sort(),
  };
}

/** Entries of a frontier as answers show them, the first 20. */
export function shownFrontier(entries: readonly FrontierEntry[], traces: MoneyTraces): FrontierAddress[] {
  return entries.slice(0, FRONTIER_MAX).map((entry) => shownEntry(entry, traces[entry.direction].totalUsd));
}

/** An entry as answers show it, with its share of `wholeUsd`. A request that leaves other chains out gets no facts of them. */
export function shownEntry(
  { address, direction, hop, usd, reason, bridge }: Omit<FrontierEntry, 'around'>,
  wholeUsd: number,
): FrontierAddress {
  return {
    address: addressOf(address),
    chain: chainOf(address),
    direction,
    hop,
    usd: roundUsd(usd),
    share: shareOfMoney(usd, wholeUsd),
    reason,
    ...(bridge && bridge.end !== 'cross_chain_off' ? { bridge: bridgeFacts(bridge.crossing, bridge.end) } : {}),
  };
}

/** Returns the share of US dollars in all money but that which came back to its owner, 0-1; null without any. */
function shareOf(usd: number, { totalUsd, unattributed }: Trace): number | null {
  const whole = totalUsd - (unattributed.get('own_money') ?? 0);
  return whole > 0 ? shareOfMoney(usd, whole) : null;
}

/**
 * Returns the part of the money, 0-1, that has a known end, without what came back to its owner. Not known is what our limits left
 * without an end, and what went over a transaction that was not read whole or whose order is not known, over stake that may have been
 * another's, a bridge without a message, or an accomplice whose payers were not read.
 */
export function explainedShare(traced: Trace, traces: MoneyTraces): number | null {
  const known = traced.ends.filter(({ reason }) => SETTLED_REASONS.includes(reason));
  const [own, settled] = [
    known.filter(({ reason }) => reason === 'own_money'),
    known.filter((one) => one.reason !== 'own_money'),
  ];
  const staked = usdPassing(own, isStaked);
  const [unsurely, atParties] = [
    isUnsure(traces),
    new Set([...arrivalsAtBridges(traced), ...arrivalsAtUnread(traced, traces)]),
  ];
  const isUnseen = (passed: FlowPortion) => unsurely(passed) || atParties.has(passed);
  let unseen = staked + usdPassing([...traced.parties, ...settled], isUnseen);
  for (const [reason, usd] of [...traced.unattributed, ...traced.lost]) {
    if (!SETTLED_REASONS.includes(reason)) unseen += usd;
  }
  const whole = traced.totalUsd - (traced.unattributed.get('own_money') ?? 0) + staked;
  return whole > 0 ? shareOfMoney(whole - unseen, whole) : null;
}

/** Money from or to bridges that are known by their label alone: the other side was not looked at. */
function arrivalsAtBridges({ parties }: Trace): ReadonlySet<FlowPortion> {
  const labelled = parties.filter(({ category, isUnlabelledBridge }) => category === 'bridge' && !isUnlabelledBridge);
  return new Set(labelled.flatMap((party) => party.arrivals.filter(({ transfer }) => !transfer.bridge)));
}

/** Money of accomplices who are but reported because not all who paid them were read. */
function arrivalsAtUnread({ parties }: Trace, traces: MoneyTraces): FlowPortion[] {
  return parties.flatMap(({ address, arrivals }) => {
    const [accomplice, history] = [traces.accomplices.get(address), traces.opened.get(address)];
    return accomplice && history && mayBeSure(accomplice, history, traces) ? arrivals : [];
  });
}

/**
 * True for a transfer on the way that may not have moved the money: where its transaction was not read whole, or its place among others
 * of one moment is not known, and of stake.
 */
function isUnsure({ cut, unordered }: MoneyTraces): (passed: FlowPortion) => boolean {
  return (passed) => cut.has(transactionName(passed.transfer)) || unordered.has(passed.transfer.id) || isStaked(passed);
}

/** Says how much was not followed for the limit of hops, and what costs none. */
export function hopLimitNote(usd: number, hops: number, lang: Language): string {
  const { hop_limit, relays } = WORDS[lang].exposure;
  const { number, space } = FORMS[lang];
  const limit = fill(hop_limit, { usd: number(trimmed(usd, 2)), hops });
  const steps = stepsWithin(hops);
  return steps > hops ? [limit, fill(relays, { steps })].join(space) : limit;
}

function unattributedByReason(traces: Trace[], totalUsd: number): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { unattributed, lost } of traces) {
    for (const [reason, usd] of [...unattributed, ...lost]) sums.set(reason, (sums.get(reason) ?? 0) + usd);
  }
  const rows = [...sums].map(([reason, usd]): [string, number] => [reason, roundUsd(usd)]).filter(([, usd]) => usd > 0);
  rows.sort(([a, x], [b, y]) => y - x || compare(a, b));
  // What rounding leaves over goes to the largest, so that the parts make the whole.
  const [largest] = rows;
  if (largest) largest[1] = roundUsd(largest[1] + totalUsd - rows.reduce((sum, [, usd]) => sum + usd, 0));
  return Object.fromEntries(rows);
}
