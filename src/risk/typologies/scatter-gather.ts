import { groupBy } from '../../domain/group-by.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { PATTERN_RULES } from '../rules.ts';
import type { AroundDetector } from '../views/detector.ts';
import { inTimeOrder, type Neighbourhood, type Pattern, type PatternTransfer, sumUsd } from '../views/neighbourhood.ts';

const RULE = PATTERN_RULES.scatter_gather;

export const scatterGather: AroundDetector = {
  id: 'scatter_gather',
  family: 'structural',
  indicator: 'patterns',
  exemptService: true,
  around: { pattern: 'scatter_gather', rule: RULE, find: findScatterGather },
};

/** Money is spread over several unlabelled addresses and comes together again at one: sent by the subject, or come to it. */
function findScatterGather(around: Neighbourhood): Pattern[] {
  const { subject } = around;
  const sent = legsBetween(
    around,
    around.sentBy(subject),
    (flow) => flow.to,
    around.sentBy,
    (flow) => flow.to,
  );
  const received = legsBetween(
    around,
    around.receivedBy(subject),
    (flow) => flow.from,
    around.receivedBy,
    (flow) => flow.from,
  );
  const patterns = [...found(sent, false), ...found(received, true)];
  return patterns.sort((a, b) => b.usd - a.usd).slice(0, 1);
}

/** By the far end of two steps: the first steps and second steps over each intermediary. */
function legsBetween(
  around: Neighbourhood,
  own: readonly PatternTransfer[],
  far: (flow: PatternTransfer) => string,
  next: Neighbourhood['sentBy'],
  farther: (flow: PatternTransfer) => string,
): Map<string, Map<string, Leg>> {
  const byEnd = new Map<string, Map<string, Leg>>();
  for (const [middle, out] of groupBy(own, far)) {
    if (around.isService(middle)) continue;
    for (const flow of next(middle)) {
      const end = farther(flow);
      if (end === around.subject || end === middle || around.isService(end)) continue;
      const legs = byEnd.get(end) ?? new Map<string, Leg>();
      const leg = legs.get(middle) ?? { out, back: [] };
      leg.back.push(flow);
      byEnd.set(end, legs.set(middle, leg));
    }
  }
  return byEnd;
}

function found(byEnd: Map<string, Map<string, Leg>>, towards: boolean): Pattern[] {
  return [...byEnd.values()].flatMap((legs) => {
    if (legs.size < RULE.intermediaries) return [];
    const pairs = [...legs.values()].map(({ out, back }) => (towards ? { out: back, back: out } : { out, back }));
    for (const hours of RULE.hours) {
      const window = widestWindow(pairs, hours * HOUR_MS, { least: RULE.passed_share, most: 1.05 });
      const usd = sumUsd(window.flatMap((leg) => leg.back));
      if (window.length < RULE.intermediaries || usd < RULE.total_from_usd) continue;
      return [
        {
          pattern_id: 'scatter_gather',
          severity: window.length >= RULE.critical_intermediaries ? ('CRITICAL' as const) : ('HIGH' as const),
          usd,
          flows: inTimeOrder(window.flatMap(({ out, back }) => [...out, ...back])),
        },
      ];
    }
    return [];
  });
}

/**
 * Transfers to one intermediary and those that it sent on, each in time order.
 *
 * @internal Tested alone.
 */
export interface Leg {
  out: PatternTransfer[];
  back: PatternTransfer[];
}

interface PassedShare {
  least: number;
  most: number;
}

/**
 * The most intermediaries that sent on enough of what they got, all within one window that begins with a first step,
 * the earliest of equals. The window slides over all steps once, and only the leg of a step that comes or goes is
 * judged again: linearithmic.
 *
 * @internal Tested alone.
 */
export function widestWindow(legs: readonly Leg[], windowMs: number, share: PassedShare): Leg[] {
  const starts = [...new Set(legs.flatMap(({ out }) => out.map(({ at }) => at)))].sort((a, b) => a - b);
  const views = legs.map((leg) => new LegView(leg));
  const coming = views.flatMap((view) => [...view.leg.out, ...view.leg.back].map(({ at }) => ({ at, view })));
  const going = views.flatMap((view) => view.leg.out.map(({ at }) => ({ at, view })));
  for (const steps of [coming, going]) steps.sort((a, b) => a.at - b.at);
  let [come, gone, passing] = [0, 0, 0];
  let best = { passing: 0, start: 0 };
  for (const start of starts) {
    const touched = new Set<LegView>();
    for (; come < coming.length && coming[come]!.at <= start + windowMs; come++) touched.add(coming[come]!.view);
    for (; gone < going.length && going[gone]!.at < start; gone++) touched.add(going[gone]!.view);
    for (const view of touched) {
      const before = view.passes;
      view.moveTo(start, start + windowMs, share);
      passing += Number(view.passes) - Number(before);
    }
    if (passing > best.passing) best = { passing, start };
  }
  if (best.passing === 0) return [];
  return legs.flatMap((leg) => {
    const view = new LegView(leg);
    view.moveTo(best.start, best.start + windowMs, share);
    return view.passes ? [view.inWindow()] : [];
  });
}

/** One leg under a window that only moves forward. Dollars are counted in whole millionths: sums must not drift. */
class LegView {
  passes = false;
  readonly leg: Leg;
  #out = new Stretch();
  #back = new Stretch();

  constructor(leg: Leg) {
    this.leg = leg;
  }

  moveTo(start: number, end: number, { least, most }: PassedShare): void {
    this.#out.slide(this.leg.out, start, end);
    const first = this.leg.out[this.#out.from];
    const any = first !== undefined && this.#out.to > this.#out.from;
    // What is sent on within the same moment came from elsewhere.
    if (any) this.#back.slide(this.leg.back, first.at + 1, end);
    const passed = this.#back.micros / this.#out.micros;
    this.passes = any && passed >= least && passed <= most;
  }

  inWindow(): Leg {
    return {
      out: this.leg.out.slice(this.#out.from, this.#out.to),
      back: this.leg.back.slice(this.#back.from, this.#back.to),
    };
  }
}

class Stretch {
  from = 0;
  to = 0;
  micros = 0;

  slide(flows: readonly PatternTransfer[], start: number, end: number): void {
    for (; this.to < flows.length && flows[this.to]!.at <= end; this.to++) this.micros += micros(flows[this.to]!);
    for (; this.from < this.to && flows[this.from]!.at < start; this.from++) this.micros -= micros(flows[this.from]!);
  }
}

function micros({ usd }: PatternTransfer): number {
  return Math.round(usd * 1_000_000);
}
