import type { Context } from '../../../context.ts';
import { addressKey, parseAddressKey } from '../../../domain/address/address-key.ts';
import { explainedTransfers } from '../../../domain/bridges/explained-transfers.ts';
import { meetingKey, type Statement } from '../../../domain/bridges/join-statements.ts';
import { type BridgeMessage, type TransactionReading, transactionKey } from '../../../domain/bridges/message.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { SourceError } from '../../../errors.ts';
import { keepCrossings } from '../../../graph/bridges/keep-crossings.ts';
import { applyLabels } from '../../../graph/ingest/apply-labels.ts';
import { noteLabelChange } from '../../../labels/label-changes.ts';
import { findNodeLabels } from '../../../labels/node-labels.ts';
import type { Priceable } from '../../../prices/port.ts';
import { withDeadline } from '../../deadline.ts';
import { asksSources, type ReadingInquiry } from '../inquiry.ts';
import type { MoneyTraces } from '../trace-money.ts';
import { type BridgeCandidate, bridgeCandidates } from './bridge-candidates.ts';
import type { ExpansionBudget } from './choose-next.ts';

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
      readings.push(...other.readings);
      const farReadAt = new Map(other.readings.map((each) => [transactionKey(each.messages[0]!), each.at]));
      for (const far of [other.message, ...other.others]) {
        const looked = far === other.message ? answered : { missing: null, lookedUpAt: null };
        const usd = await this.usdOf(far, signal);
        const at = farReadAt.get(transactionKey(far)) ?? answered.lookedUpAt;
        statements.push(...statementOfOther(far, { ...looked, usd, readAt: at }));
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
