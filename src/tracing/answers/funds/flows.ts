import { addressOf, chainOf } from '../../../domain/address/address-key.ts';
import { roundUsd, shareOfMoney } from '../../../domain/amount.ts';
import { bridgeFacts } from '../../../domain/bridges/bridge-facts.ts';
import { compare } from '../../../domain/compare.ts';
import { addToGroup } from '../../../domain/group-by.ts';
import { iso } from '../../../domain/time.ts';
import type { FundsFlow } from '../../../domain/tracing/answers.ts';
import type { FlowPortion } from '../../../domain/tracing/flow-portion.ts';
import { shownTags } from '../../../domain/transfers/tags.ts';
import { assetsOf, atTheParty } from '../../engine/walk/evidence.ts';
import type { Trace } from '../../engine/walk/findings.ts';
import { usdOf } from '../arrivals.ts';

const FLOWS_MAX = 500;
const TRANSFERS_MAX = 50;

/** Every transfer that carried the money, once for each sum of it. */
export function carriedOf({ passes, parties, ends }: Trace): Set<FlowPortion> {
  const all = new Set<FlowPortion>();
  const add = (one: FlowPortion) => {
    if (one.usd > 0) all.add(one);
  };
  for (const { arrived, gone } of passes.flat()) {
    // What arrived at a wallet on the way is what left the one before; a contract's other side is not a step of the way.
    for (const one of arrived) if (one.onto === null) add(one);
    if (gone) add(gone);
  }
  for (const { arrivals } of [...parties, ...ends]) arrivals.forEach(add);
  return all;
}

/** The ways of a trace's money, summed from address to address, the largest 500 and how many there are. */
export async function fundsFlows(
  trace: Trace,
  /** Awaited after each transfer, so that other work of the process goes on. */
  pause: () => Promise<void> | undefined,
): Promise<{ flows: FundsFlow[]; total: number }> {
  const groups = new Map<string, FlowPortion[]>();
  for (const one of carriedOf(trace)) {
    const { from, to, bridge } = one.transfer;
    const crossing = bridge && bridge.end !== 'cross_chain_off' ? bridge.crossing.protocol : '';
    addToGroup(groups, `${from} ${to} ${crossing}`, one);
    const paused = pause();
    if (paused) await paused;
  }
  const summed = [...groups].map(([key, portions]) => ({
    key,
    portions,
    usd: portions.reduce((sum, one) => sum + one.usd, 0),
  }));
  summed.sort((a, b) => b.usd - a.usd || compare(a.key, b.key));
  const flows: FundsFlow[] = [];
  for (const { portions, usd } of summed.slice(0, FLOWS_MAX)) {
    flows.push(flowOf(portions, usd, trace.totalUsd));
    await pause();
  }
  return { flows, total: summed.length };
}

function flowOf(portions: readonly FlowPortion[], usd: number, totalUsd: number): FundsFlow {
  const byTransfer = new Map<string, FlowPortion[]>();
  for (const one of portions) addToGroup(byTransfer, one.transfer.id, one);
  const transfers = [...byTransfer.values()].map((same) => movedWith(same));
  transfers.sort((a, b) => compare(a.at, b.at) || compare(a.tx_hash, b.tx_hash));
  const largest = portions.reduce((most, one) => (one.usd > most.usd ? one : most));
  const { from, to, bridge } = largest.transfer;
  return {
    from: addressOf(from),
    to: addressOf(to),
    chain: chainOf(from),
    usd: roundUsd(usdOf(portions, 'received')),
    share: shareOfMoney(usd, totalUsd),
    assets: assetsOf({ arrivals: [...portions] }, 'received'),
    tx_count: new Set(transfers.map(({ tx_hash }) => tx_hash)).size,
    first_at: (transfers[0] as FundsFlow['transfers'][number]).at,
    last_at: (transfers.at(-1) as FundsFlow['transfers'][number]).at,
    transfers: transfers.slice(0, TRANSFERS_MAX),
    ...(bridge?.end === null && {
      arrived: {
        assets: assetsOf({ arrivals: [...portions] }, 'sent'),
        usd: roundUsd(usdOf(portions, 'sent')),
      },
    }),
    ...(bridge && bridge.end !== 'cross_chain_off' ? { bridge: bridgeFacts(bridge.crossing, bridge.end) } : {}),
  };
}

/** One transfer with its part of the money; what crossed a bridge as it left its chain. */
function movedWith(same: readonly FlowPortion[]): FundsFlow['transfers'][number] {
  const { transfer } = same[0] as FlowPortion;
  const { asset, txHash, at, amount: moved } = atTheParty(transfer, 'received');
  const [amount = '0'] = Object.values(assetsOf({ arrivals: [...same] }, 'received'));
  return {
    tx_hash: txHash,
    at: iso(at),
    asset,
    moved_amount: moved,
    amount,
    usd: roundUsd(usdOf(same, 'received')),
    ...shownTags(transfer),
  };
}
