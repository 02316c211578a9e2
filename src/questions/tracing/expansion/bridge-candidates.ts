import type { Context } from '../../../context.ts';
import { parseAddressKey } from '../../../domain/address/address-key.ts';
import { type BridgeMessage, NO_OTHER_SIDE } from '../../../domain/bridges/message.ts';
import { FINAL_AFTER_MS, isEvmChain } from '../../../domain/chain.ts';
import { isNullAddress } from '../../../domain/tracing/asset-id.ts';
import type { Direction, FlowPortion } from '../../../domain/tracing/flow-portion.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { placeKind } from '../../../domain/transfers/place.ts';
import { transferMethods } from '../../../graph/queries/crossings.ts';
import type { MoneyTraces } from '../trace-money.ts';
import type { ExpansionBudget } from './choose-next.ts';

/** A transfer that may be one side of a crossing. */
export interface BridgeCandidate {
  transfer: TracedTransfer;
  direction: Direction;
  /** Part of its direction's money, 0-1. */
  share: number;
  /** Known statements of its transaction; null where it was not read. */
  message: BridgeMessage | null;
}

/** Crossings on one path. */
const CROSSINGS_PER_PATH = 4;
/** Transfers whose methods are asked for at once. */
const METHODS_MAX = 100;
const METHODS_MS = 2_000;
/** Calls that only move a token from one holder to another. */
const PLAIN_CALLS = new Set(['0x', '0xa9059cbb', '0x23b872dd', 'transfer', 'transferFrom']);

/**
 * Transfers with enough of the money that lead to a bridge, or may come from one: by label, by contract, because their
 * tokens are burned or minted, or because an unlabelled party moved them by a call that is more than a transfer. Largest
 * share first. Of those without a price the subject's own into known bridges, or burned for nothing in return. `again` (epoch ms): a side that was looked for earlier is looked for once more, as is one that was looked for
 * with other `contracts`, or before its source was final.
 */
export async function bridgeCandidates(
  ctx: Context,
  traces: MoneyTraces,
  { directions, openHops, minShare, minUsd, again, contracts }: ExpansionBudget & { again: number; contracts: string },
): Promise<BridgeCandidate[]> {
  const protocols = await ctx.bridges.protocols();
  const sure: BridgeCandidate[] = [];
  const unsure: BridgeCandidate[] = [];
  for (const direction of directions) {
    const { totalUsd } = traces[direction];
    const receivedIn = new Set(
      [...traces.subjects.values()].flatMap(({ received }) => received.map((one) => one.txHash)),
    );
    for (const { transfer, usd, hops, onto } of carriedIn(traces, direction)) {
      const share = totalUsd > 0 ? usd / totalUsd : 0;
      const isUnpriced = direction === 'sent' && onto === null && !transfer.priced;
      if (hops > openHops || (!isUnpriced && (usd <= 0 || share < minShare || usd < minUsd))) continue;
      if (crossingsOn(onto) >= CROSSINGS_PER_PATH) continue;
      const candidate = { transfer, direction, share, message: null };
      if (transfer.bridge && !isLikelyReceipt(transfer, direction)) {
        const message = unansweredMessage(transfer, again, contracts);
        if (message) sure.push({ ...candidate, message });
        continue;
      }
      const far = direction === 'sent' ? transfer.to : transfer.from;
      const { chain } = parseAddressKey(far);
      const category = traces.labels.get(far)?.category ?? null;
      const isToken = transfer.assetId !== 'coin';
      if (category === 'bridge' || protocols.has(far)) sure.push(candidate);
      else if (isUnpriced && (!isNullAddress(far) || receivedIn.has(transfer.txHash))) continue;
      else if ((isToken || placeKind(transfer.index) === 'mint') && isNullAddress(far)) sure.push(candidate);
      else if (isEvmChain(chain) && category === null && !isNullAddress(far)) unsure.push(candidate);
    }
  }
  const byShare = (a: BridgeCandidate, b: BridgeCandidate) => b.share - a.share;
  const methods = await transferMethods(
    ctx.graph,
    unsure
      .sort(byShare)
      .slice(0, METHODS_MAX)
      .map(({ transfer }) => transfer),
    METHODS_MS,
  );
  const called = unsure.filter(({ transfer, direction }) => {
    const method = methods.get(transfer.id);
    // Some explorers list tokens without the call: what a solver paid looks like any payment then.
    if (method === undefined) return direction === 'received' && transfer.assetId !== 'coin';
    return !PLAIN_CALLS.has(method);
  });
  return [...sure, ...called].sort(byShare);
}

type CarriedMoney = Pick<FlowPortion, 'transfer' | 'usd' | 'hops' | 'onto'>;

/** Every transfer that carried money, each once with all of it; the subject's own first. */
function carriedIn(traces: MoneyTraces, direction: Direction): Iterable<CarriedMoney> {
  const { passes, parties } = traces[direction];
  const found = new Map<string, CarriedMoney>();
  for (const transfer of [...traces.subjects.values()].flatMap((subject) => subject[direction])) {
    found.set(transfer.id, { transfer, usd: transfer.usd, hops: 1, onto: null });
  }
  for (const carried of [
    ...passes.flat().flatMap(({ gone }) => gone ?? []),
    ...parties.flatMap(({ arrivals }) => arrivals),
  ]) {
    const known = found.get(carried.transfer.id);
    if (!known || known.usd < carried.usd) found.set(carried.transfer.id, carried);
  }
  return found.values();
}

function crossingsOn(path: FlowPortion | null): number {
  let count = 0;
  for (let step = path; step !== null; step = step.onto) if (step.transfer.bridge?.end === null) count += 1;
  return count;
}

/** True for a receipt that only likely came over a bridge: its own transaction may state where it came from. */
function isLikelyReceipt({ bridge }: TracedTransfer, direction: Direction): boolean {
  return direction === 'received' && bridge?.end != null && bridge.crossing.match === 'likely';
}

/** The message of a crossing whose other side is worth another look. */
function unansweredMessage({ bridge }: TracedTransfer, again: number, contracts: string): BridgeMessage | null {
  if (!bridge || bridge.end === null) return null;
  const { crossing, end } = bridge;
  const isOpen =
    end === 'bridge_not_looked_up' || end === 'bridge_likely' || (NO_OTHER_SIDE as readonly string[]).includes(end);
  const { lookedUpAt, lookedUpWith, source } = crossing;
  const mayArrive = end === 'bridge_pending' && source !== null ? source.at + FINAL_AFTER_MS[source.chain] : 0;
  const isDue = lookedUpAt === null || lookedUpAt < Math.max(again, mayArrive) || lookedUpWith !== contracts;
  return isOpen && isDue ? (source ?? crossing.destination) : null;
}
