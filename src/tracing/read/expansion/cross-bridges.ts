import type { Context } from '../../../context.ts';
import { addressKey, parseAddressKey } from '../../../domain/address/address-key.ts';
import { append } from '../../../domain/append.ts';
import { meetingKey, type Statement } from '../../../domain/bridges/join-statements.ts';
import { explainedTransfers } from '../../../domain/bridges/match.ts';
import {
  type BridgeMessage,
  NO_OTHER_SIDE,
  type TransactionReading,
  transactionKey,
} from '../../../domain/bridges/message.ts';
import { FINAL_AFTER_MS, isEvmChain } from '../../../domain/chain.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { isNullAddress } from '../../../domain/tracing/asset-id.ts';
import type { Direction, FlowPortion } from '../../../domain/tracing/flow-portion.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { placeKind } from '../../../domain/transfers/transfer-id.ts';
import { SourceError } from '../../../errors.ts';
import { withDeadline } from '../../../fairness/deadline.ts';
import { applyLabels } from '../../../graph/ingest/apply-labels.ts';
import { keepCrossings } from '../../../graph/ingest/keep-crossings.ts';
import { transferMethods } from '../../../graph/queries/crossings.ts';
import { noteLabelChange } from '../../../labels/label-changes.ts';
import { findNodeLabels } from '../../../labels/node-labels.ts';
import type { Priceable } from '../../../prices/port.ts';
import type { ExpansionBudget } from '../frontier.ts';
import { asksSources, type ReadingInquiry } from '../inquiry.ts';
import type { MoneyTraces } from '../trace-money.ts';

/** Crossings looked up in one round. */
const AT_ONCE = 4;
/** Messages of one transaction whose other sides are looked for. */
const MESSAGES_MAX = 4;
/** Time for one crossing. */
const CROSSING_MS = 20_000;
/** Transactions read in vain, for each crossing of the budget. */
const VAIN_READS = 2;

/** Statements of one candidate's transaction, and what was found on other chains. */
interface SidesFound {
  statements: Statement[];
  /** Readings of its own transaction, unless that states nothing or is unknown to its source, and of the other sides. */
  readings: TransactionReading[];
}

/** Looks for the other sides of bridges that a trace reaches, within the budget of one expansion. */
export class BridgeSearch {
  private readonly ctx: Context & ReadingInquiry;
  private readonly budget: ExpansionBudget;
  private readonly tried = new Set<string>();
  private crossingsLeft: number;
  private readsLeft: number;
  /** Why there may be more: `crossing_budget`, `source_failed`. */
  readonly reasons = new Set<string>();

  constructor(ctx: Context & ReadingInquiry, budget: ExpansionBudget) {
    this.ctx = ctx;
    this.budget = budget;
    this.crossingsLeft = budget.crossings;
    this.readsLeft = budget.crossings * VAIN_READS;
  }

  /**
   * Reads the transactions of the best candidates, looks for the other side of each message and keeps what was found.
   * True where the graph knows more than before. A source failure is a reason. Throws GraphError, and what `signal` says.
   */
  async search(traces: MoneyTraces): Promise<boolean> {
    if (this.budget.crossings === 0) return false;
    const again = this.ctx.now() - this.ctx.config.CACHE_SCAN_SECONDS * 1_000;
    const contracts = await this.ctx.bridges.contracts();
    const all = await bridgeCandidates(this.ctx, traces, { ...this.budget, again, contracts });
    const untried = all.filter(({ transfer }) => !this.tried.has(transfer.txHash));
    const byTransaction = new Map(untried.toReversed().map((one) => [one.transfer.txHash, one]));
    const candidates = [...byTransaction.values()].reverse();
    const room = Math.min(this.crossingsLeft, this.readsLeft);
    if (candidates.length > 0 && room <= 0) this.reasons.add('crossing_budget');
    const round = candidates.slice(0, Math.min(AT_ONCE, Math.max(0, room)));
    for (const { transfer } of round) this.tried.add(transfer.txHash);
    const ms = Math.max(1, Math.min(CROSSING_MS, this.ctx.remainingMs()));
    const found = await Promise.all(round.map((one) => this.look(one, traces, ms)));
    this.ctx.signal.throwIfAborted();
    const fruitful = found.filter(({ statements }) => statements.length > 0);
    this.crossingsLeft -= fruitful.length;
    this.readsLeft -= found.length - fruitful.length;
    await this.keep(found);
    // In vain: the next candidates may lead on.
    return round.length > 0;
  }

  private async look(candidate: BridgeCandidate, traces: MoneyTraces, ms: number): Promise<SidesFound> {
    const { chain } = parseAddressKey(candidate.transfer.from);
    const { signal } = this.ctx;
    try {
      return await withDeadline(
        { ms, tooLate: () => new SourceError(chain, `no answer within ${ms} ms`), signal },
        (bounded) => this.read(candidate, traces, bounded),
      );
    } catch (error) {
      if (signal.aborted || !(error instanceof SourceError)) throw error;
      this.ctx.log.warn({ chain, err: error }, 'a crossing of a bridge could not be read');
      this.reasons.add('source_failed');
      return { statements: [], readings: [] };
    }
  }

  private async read(
    { transfer, direction, message }: BridgeCandidate,
    traces: MoneyTraces,
    signal: AbortSignal,
  ): Promise<SidesFound> {
    const { bridges, now } = this.ctx;
    const options = { ...asksSources(this.ctx), signal, inBackground: true };
    const { chain } = parseAddressKey(transfer.from);
    const readAt = now();
    const messages = await bridges.recognise(chain, transfer.txHash, options);
    const readings: TransactionReading[] = messages.length > 0 ? [{ messages, at: readAt }] : [];
    // A source may no longer have a transaction whose message was kept.
    const isRead = messages.length > 0;
    const stated = !isRead && message ? [message] : messages;
    const own = stated.filter((one) => one.explains.includes(transfer.id) || partyOf(one) === nearOf(one, transfer));
    const statements: Statement[] = [];
    for (const one of own.slice(0, MESSAGES_MAX)) {
      const explained = statementOf(one, transfer, traces);
      if (explained === null) continue;
      const statement = isRead ? { ...explained, readAt } : explained;
      if (one.side !== (direction === 'sent' ? 'source' : 'destination')) {
        statements.push(statement);
        continue;
      }
      const [lookedUpAt, lookedUpWith] = [now(), await bridges.contracts()];
      const other = await bridges.findOtherSide(one, options);
      if (other.status !== 'matched') {
        statements.push({ ...statement, missing: other.reason, likely: other.likely, lookedUpAt, lookedUpWith });
        continue;
      }
      // Some protocols give a message its id in a later transaction.
      const id = statement.message.id ?? other.message.id;
      const answered = { missing: 'bridge_not_found' as const, lookedUpAt, lookedUpWith };
      statements.push({ ...statement, message: { ...statement.message, id }, ...answered });
      append(readings, other.readings);
      const farReadAt = new Map(other.readings.map((each) => [transactionKey(each.messages[0]!), each.at]));
      for (const far of [other.message, ...other.others]) {
        const looked = far === other.message ? answered : { missing: null, lookedUpAt: null };
        const usd = await this.usdOf(far, signal);
        const at = farReadAt.get(transactionKey(far)) ?? answered.lookedUpAt;
        append(statements, statementOfOther(far, { ...looked, usd, readAt: at }));
      }
    }
    return { statements, readings };
  }

  /** US dollars of what moved on the message's chain, whose transfers the graph may not hold; null without a price. */
  private async usdOf({ chain, token, amount, at }: BridgeMessage, signal: AbortSignal): Promise<number | null> {
    const kind = token === null ? 'native' : 'token';
    const moved: Priceable = { chain, token, kind, amount, at, usd: null };
    await this.ctx.prices.price([moved], signal);
    return moved.usd;
  }

  private async keep(found: readonly SidesFound[]): Promise<void> {
    const { graph, labels, records, now } = this.ctx;
    const statements = found.flatMap((one) => one.statements);
    const readings = found.flatMap((one) => one.readings);
    const isCorrected = await keepCrossings(graph, statements, readings);
    // Verdicts that were cached before may rest on what was replaced.
    if (isCorrected) await noteLabelChange(records);
    const ends = new Set(statements.flatMap((one) => [one.near, one.far, meetingKey(one)]));
    for (const [chain, parties] of groupBy([...ends].map(parseAddressKey), (one) => one.chain)) {
      const addresses = parties.map(({ address }) => address);
      await applyLabels(graph, await findNodeLabels(labels, chain, addresses, now()));
    }
  }
}

/** The end of the transfer at which a message's own party stands. */
function nearOf({ side }: BridgeMessage, { from, to }: TracedTransfer): string {
  return side === 'source' ? from : to;
}

function partyOf({ side, chain, sender, recipient }: BridgeMessage): string | null {
  const party = side === 'source' ? sender : recipient;
  return party === null ? null : addressKey(chain, party);
}

/** Null where the party's own transfers do not fit what the message states. */
function statementOf(message: BridgeMessage, transfer: TracedTransfer, traces: MoneyTraces): Statement | null {
  const isSource = message.side === 'source';
  const near = nearOf(message, transfer);
  const listed = traces.opened.get(near)?.[isSource ? 'sent' : 'received'] ?? [transfer];
  const here = listed.filter(({ txHash }) => txHash === transfer.txHash);
  const explained = explainedTransfers(message, here);
  if (explained.length === 0) return null;
  const priced = explained.filter((one) => one.priced);
  return {
    message: { ...message, explains: [...new Set([...message.explains, ...explained.map(({ id }) => id)])] },
    near,
    far: isSource ? transfer.to : transfer.from,
    usd: priced.length > 0 ? priced.reduce((sum, { usd }) => sum + usd, 0) : null,
    missing: null,
    likely: null,
    lookedUpAt: null,
  };
}

/** Empty where the other side does not name its party: nothing can be traced to it. */
function statementOfOther(
  message: BridgeMessage,
  found: Pick<Statement, 'usd' | 'missing' | 'lookedUpAt' | 'lookedUpWith' | 'readAt'>,
): Statement[] {
  const party = partyOf(message);
  return party === null ? [] : [{ message, near: party, far: party, likely: null, ...found }];
}

/** A transfer that may be one side of a crossing. */
interface BridgeCandidate {
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
async function bridgeCandidates(
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
