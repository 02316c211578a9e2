import { type Flow, type Neighbourhood, type Pattern, sumUsd } from './neighbourhood.ts';
import { HOUR_MS, PATTERN_RULES } from './pattern-rules.ts';

const RULE = PATTERN_RULES.gather_scatter;
const STARTS_MAX = 1_000;

/** Several pay the subject, then about the same sum goes out to several others, who are not those always paid. */
export function gatherScatter(around: Neighbourhood): Pattern[] {
  const ins = around.receivedBy(around.subject).filter(({ from }) => !around.isService(from));
  const outs = around.sentBy(around.subject).filter(({ to }) => !around.isService(to));
  const firstPaid = new Map(outs.toReversed().map(({ to, at }) => [to, at]));
  for (const hours of RULE.hours) {
    for (const { at: start } of ins.slice(0, STARTS_MAX)) {
      const until = start + hours * HOUR_MS;
      const scattered = outs.filter(({ at }) => at > start && at <= until);
      const median = scattered[Math.floor((scattered.length - 1) / 2)];
      if (!median) continue;
      const gathered = ins.filter(({ at }) => at >= start && at < median.at);
      const last = gathered.at(-1);
      const after = scattered.filter(({ at }) => last && at > last.at);
      const [apartIn, apartOut] = withoutShared(gathered, after);
      if (fits(apartIn, apartOut) && !goesToRegulars(apartOut, start, firstPaid))
        return [toPattern(apartIn, apartOut, hours)];
    }
  }
  return [];
}

/** Who both paid and was paid belongs to neither side. */
function withoutShared(gathered: Flow[], scattered: Flow[]): [Flow[], Flow[]] {
  const senders = new Set(gathered.map(({ from }) => from));
  const receivers = new Set(scattered.map(({ to }) => to));
  return [gathered.filter(({ from }) => !receivers.has(from)), scattered.filter(({ to }) => !senders.has(to))];
}

function goesToRegulars(scattered: Flow[], start: number, firstPaid: ReadonlyMap<string, number>): boolean {
  const receivers = [...new Set(scattered.map(({ to }) => to))];
  const since = start - RULE.recurring_days * 24 * HOUR_MS;
  return (
    receivers.filter((to) => (firstPaid.get(to) ?? start) < since).length >= RULE.recurring_share * receivers.length
  );
}

function fits(gathered: Flow[], scattered: Flow[]): boolean {
  const senders = new Set(gathered.map(({ from }) => from));
  const receivers = new Set(scattered.map(({ to }) => to));
  if (senders.size < RULE.senders || receivers.size < RULE.receivers) return false;
  const usd = sumUsd(gathered);
  const share = sumUsd(scattered) / usd;
  return usd >= RULE.total_from_usd && share >= RULE.passed_share && share <= RULE.passed_share_max;
}

function toPattern(gathered: Flow[], scattered: Flow[], hours: number): Pattern {
  const senders = new Set(gathered.map(({ from }) => from)).size;
  const receivers = new Set(scattered.map(({ to }) => to)).size;
  return {
    pattern_id: 'gather_scatter',
    name: 'Gather and scatter',
    severity: 'HIGH',
    description: `Money of ${senders} senders went out again to ${receivers} others within ${hours / 24} days.`,
    usd: sumUsd(scattered),
    flows: [...gathered, ...scattered],
  };
}
