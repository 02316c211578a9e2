import { addToGroup } from '../../domain/group-by.ts';
import { HOUR_MS } from '../../domain/time.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { tellingLabel } from '../ledger/ledger.ts';
import { SWEEP_RULES } from '../rules.ts';
import { type Flag, valueFigures, type Window } from './window.ts';

type Valued = Window['valued'][number];

/** A run of transfers that ends with this one; `relays` passed the money on, oldest first. */
interface Run {
  transfer: Valued;
  before: Run | null;
  hops: number;
  /** No address twice: money that comes back is a round trip. */
  visited: ReadonlySet<string>;
}

/**
 * Unlabelled addresses that pass nearly all of one receipt on within a day, in a chain of at least three transfers.
 * A receipt that is passed on in parts is followed along each part that is still nearly all of it.
 */
export function sweepRelayChains(window: Window): Flag[] {
  const longest = new Map<string, Run>();
  for (const run of longestRuns(window)) {
    const path = pathOf(run);
    if (run.hops < SWEEP_RULES.relay_chain.hops) continue;
    for (const { transfer } of path.slice(1)) {
      if ((longest.get(transfer.from)?.hops ?? 0) < run.hops) longest.set(transfer.from, run);
    }
  }
  return [...longest].map(([address, run]) => toFlag(window, address, run));
}

function longestRuns({ valued, labelsOf, asOf }: Window): Run[] {
  const { gap_hours, kept_share, from_usd } = SWEEP_RULES.relay_chain;
  const arrivals = new Map<string, Run[]>();
  const runs: Run[] = [];
  for (const transfer of valued) {
    if (transfer.usd < from_usd) continue;
    let before: Run | null = null;
    // Tracing stops at services and at whatever else is known by name.
    const candidates = tellingLabel(labelsOf(transfer.from), asOf) ? [] : (arrivals.get(transfer.from) ?? []);
    for (const run of candidates) {
      const isNear = transfer.at - run.transfer.at <= gap_hours * HOUR_MS;
      const isKept = transfer.usd >= kept_share * run.transfer.usd && transfer.usd <= run.transfer.usd;
      // What one transaction passes through several contracts is one exchange, not a relay.
      const isApart = transfer.txHash !== run.transfer.txHash;
      if (isApart && isNear && isKept && !run.visited.has(transfer.to) && run.hops > (before?.hops ?? 0)) before = run;
    }
    const visited = new Set([...(before?.visited ?? [transfer.from]), transfer.to]);
    const run = { transfer, before, hops: (before?.hops ?? 0) + 1, visited };
    runs.push(run);
    addToGroup(arrivals, transfer.to, run);
  }
  return runs;
}

function pathOf(run: Run): Run[] {
  const path: Run[] = [];
  for (let at: Run | null = run; at; at = at.before) path.unshift(at);
  return path;
}

function toFlag(window: Window, address: string, run: Run): Flag {
  const rule = SWEEP_RULES.relay_chain;
  const { hops } = run;
  const steps = pathOf(run).map(({ transfer }) => transfer);
  const out = steps.findIndex(({ from }) => from === address);
  const [received, sent] = [steps[out - 1]!, steps[out]!];
  return {
    address,
    pattern: 'relay_chain',
    severity: hops >= rule.critical_hops ? 'CRITICAL' : hops >= rule.high_hops ? 'HIGH' : 'MEDIUM',
    measured: {
      hops,
      kept_share: sent.usd / received.usd,
      minutes: Math.round((sent.at - received.at) / 60_000),
      from: steps[0]!.from,
      to: run.transfer.to,
      ...valueFigures(window, sent.usd),
    },
    transfers: [received, sent] satisfies Transfer[],
  };
}
