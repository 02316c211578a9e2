import { addToGroup } from '../../domain/group-by.ts';
import { isLawfulService, isSure } from '../../domain/label.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import type { Severity } from '../detection.ts';
import { origins, severityByMoney, taintedShareOf } from '../exposure/taint.ts';
import { effectiveLabel, type Ledger } from '../ledger/ledger.ts';
import { PATTERN_MONEY, PATTERN_RULES } from '../rules.ts';
import { longestChain, ownFlows } from '../views/chain.ts';
import type { AroundDetector, Flag, Window } from '../views/detector.ts';
import type { Neighbourhood, Pattern, Search } from '../views/neighbourhood.ts';
import { valueFigures } from '../views/window.ts';

const RULE = PATTERN_RULES.relay_chain;
/** Each passes on hardly less than it got, within a day. */
const STEP = { fromUsd: RULE.from_usd, gapMs: RULE.gap_hours * HOUR_MS, keptShare: RULE.kept_share };

function severityOf(transfers: number): Severity {
  return transfers >= RULE.critical_hops ? 'CRITICAL' : transfers >= RULE.high_hops ? 'HIGH' : 'MEDIUM';
}

export const relayChain: AroundDetector = {
  id: 'relay_chain',
  family: 'structural',
  indicator: 'patterns',
  exemptService: true,
  around: {
    pattern: 'relay_chain',
    rule: RULE,
    find: findRelayChain,
    suppressedBy: ({ flows }) => (flows.length < RULE.counted_hops ? 'short_chain' : undefined),
  },
  inWindow: relayChainsInWindow,
};

/** Unlabelled addresses that pass the money of the subject on one after the other, without services. */
function findRelayChain(around: Neighbourhood, search: Search): Pattern[] {
  const { chain, cut } = longestChain(
    { ...around, own: ownFlows(around) },
    {
      ...STEP,
      handsOn: (past, flow) => flow.to !== past.from && ![past.from, past.to, flow.to].some(around.isService),
    },
  );
  search.cut ||= cut;
  if (chain.length < RULE.hops) return [];
  return [
    {
      pattern_id: 'relay_chain',
      severity: severityOf(chain.length),
      usd: chain.reduce((least, { usd }) => Math.min(least, usd), Number.POSITIVE_INFINITY),
      flows: chain,
    },
  ];
}

/** The unlabelled addresses in the middle of a chain; its ends may be known by name. A short one is LOW, as a scan only lists it. */
function relayChainsInWindow({ valued, ledgerOf, scale }: Window): Flag[] {
  type Valued = Window['valued'][number];
  const large = valued.filter(({ usd }) => usd >= RULE.from_usd);
  const [sent, received] = [new Map<string, Valued[]>(), new Map<string, Valued[]>()];
  for (const transfer of large) {
    addToGroup(sent, transfer.from, transfer);
    addToGroup(received, transfer.to, transfer);
  }
  const isNamed = (address: string) => stopsTraces(ledgerOf(address));
  return [...sent].flatMap(([address, own]): Flag[] => {
    if (!received.has(address) || isNamed(address)) return [];
    const { chain } = longestChain(
      { own, sentBy: (of) => sent.get(of) ?? [], receivedBy: (of) => received.get(of) ?? [] },
      // What one transaction passes through several contracts is one exchange, not a relay.
      { ...STEP, handsOn: (past, flow) => past.txHash !== flow.txHash && !isNamed(past.to) },
    );
    const out = chain.findIndex(({ from }) => from === address);
    if (chain.length < RULE.hops || out < 1) return [];
    const [receipt, onward] = [chain[out - 1]!, chain[out]!];
    return [
      {
        address,
        pattern: 'relay_chain',
        severity: severityInSweep(chain, ledgerOf(chain[0]!.to)),
        measured: {
          hops: chain.length,
          kept_share: onward.usd / receipt.usd,
          minutes: Math.max(1, Math.round((onward.at - receipt.at) / MINUTE_MS)),
          from: chain[0]!.from,
          to: chain.at(-1)!.to,
          ...valueFigures({ scale }, onward.usd),
        },
        transfers: [receipt, onward],
      },
    ];
  });
}

/** By the money that began it, which its first relay received. */
function severityInSweep(chain: readonly Window['valued'][number][], firstRelay: Ledger): Severity {
  const receipt = firstRelay.movements.filter(({ transfer }) => transfer.id === chain[0]!.id);
  const taintedShare = taintedShareOf(firstRelay, receipt);
  const isShort = chain.length < RULE.counted_hops && taintedShare < PATTERN_MONEY.tainted_share;
  if (isShort) return 'LOW';
  return severityByMoney(severityOf(chain.length), { taintedShare, cleanShare: origins(firstRelay).cleanShare });
}

/** By a label of its own; a lawful service of which no source is sure is a name alone. */
function stopsTraces({ subject, asOf }: Ledger): boolean {
  const counts = subject.labels.filter((label) => isSure(label) || !isLawfulService(label.category));
  return effectiveLabel(counts, asOf) !== null;
}
