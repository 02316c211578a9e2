import type { Context } from '../../../context.ts';
import { parseAddressKey } from '../../../domain/address/address-key.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { isDex } from '../../../domain/label.ts';
import { type Direction, type FlowPortion, farEnd } from '../../../domain/tracing/flow-portion.ts';
import { isBlockTransaction } from '../../../domain/transfers/arrival.ts';
import { movedValue } from '../../../domain/transfers/transfer.ts';
import { SourceError } from '../../../errors.ts';
import { withDeadline } from '../../../fairness/deadline.ts';
import { ingestTransfers } from '../../../graph/ingest/ingest.ts';
import { findNodeLabels } from '../../../labels/node-labels.ts';
import type { ExpansionBudget } from '../frontier.ts';
import { asksSources, type ReadingInquiry } from '../inquiry.ts';
import type { MoneyTraces } from '../trace-money.ts';

/** Transactions read in one round. */
const AT_ONCE = 4;
/** Time for one transaction. */
const TRANSACTION_MS = 10_000;
/** As the transfers name their source. */
const SOURCE = 'transaction';
/** Where money ended at a contract that moves the money of strangers. */
const ENDS: readonly string[] = ['contract', 'contract_not_expanded'];

/** A transaction in which money ended at a market or a contract, and on which side of the subject. */
interface Candidate {
  key: string;
  txHash: string;
  usd: number;
}

/**
 * Asks for whole transactions in which a market or a contract paid, or was paid, and the graph does not know by whom, or who was
 * paid: the lists of an address name its own transfers alone.
 */
export class PayerSearch {
  private readonly ctx: Context & ReadingInquiry;
  private readonly budget: ExpansionBudget;
  private readonly tried = new Set<string>();
  private left: number;

  constructor(ctx: Context & ReadingInquiry, budget: ExpansionBudget) {
    this.ctx = ctx;
    this.budget = budget;
    this.left = budget.transactions;
  }

  /** Reads the transactions of most of the money; true where any was read. A source failure is none of the answer's. Throws GraphError. */
  async search(traces: MoneyTraces): Promise<boolean> {
    const untried = this.candidates(traces).filter((one) => !this.tried.has(nameOf(one)));
    const round = untried.slice(0, Math.min(AT_ONCE, this.left));
    for (const one of round) this.tried.add(nameOf(one));
    this.left -= round.length;
    const ms = Math.max(1, Math.min(TRANSACTION_MS, this.ctx.remainingMs()));
    await Promise.all(round.map((one) => this.read(one, ms)));
    this.ctx.signal.throwIfAborted();
    return round.length > 0;
  }

  /** One for each transaction, largest share first. */
  private candidates(traces: MoneyTraces): Candidate[] {
    const { directions, minShare, minUsd } = this.budget;
    return directions.flatMap((direction) => {
      const { totalUsd } = traces[direction];
      const found = groupBy(endedAtContracts(traces, direction), nameOf);
      return [...found.values()]
        .map((parts) => ({ ...parts[0]!, usd: parts.reduce((sum, { usd }) => sum + usd, 0) }))
        .filter(({ usd }) => usd > 0 && usd >= minUsd && usd >= minShare * totalUsd)
        .sort((a, b) => b.usd - a.usd);
    });
  }

  private async read({ key, txHash }: Candidate, ms: number): Promise<void> {
    const { ctx } = this;
    const { signal } = ctx;
    const { chain } = parseAddressKey(key);
    const source = await ctx.chainSource(chain);
    if (!source) return;
    try {
      const tooLate = () => new SourceError(chain, `no answer within ${ms} ms`);
      const readAt = ctx.now();
      const found = await withDeadline({ ms, tooLate, signal }, (bounded) =>
        source.transaction(txHash, { ...asksSources(ctx), signal: bounded, inBackground: true }),
      );
      if (found?.status !== 'success') return;
      const moved = found.transfers.filter(movedValue).map((one) => ({ ...one, source: SOURCE, readAt }));
      await ctx.prices.price(moved, signal);
      const parties = [...new Set(moved.flatMap(({ from, to }) => [from, to]))];
      await ingestTransfers(ctx.graph, moved, await findNodeLabels(ctx.labels, chain, parties, ctx.now()));
    } catch (error) {
      if (signal.aborted || !(error instanceof SourceError)) throw error;
      ctx.log.warn({ chain, err: error }, 'a transaction at a market could not be read');
    }
  }
}

function endedAtContracts(traces: MoneyTraces, direction: Direction): Candidate[] {
  const { parties, ends } = traces[direction];
  const atMarkets = parties.flatMap(({ arrivals }) => arrivals.filter(({ isDeposit }) => isDeposit));
  const atContracts = ends.filter(({ reason }) => ENDS.includes(reason)).flatMap(({ arrivals }) => arrivals);
  const swapped = direction === 'received' ? paidOutOfSwaps(traces) : [];
  return [...atMarkets, ...atContracts, ...swapped]
    .filter(({ transfer: { bridge, txHash } }: FlowPortion) => !bridge && !isBlockTransaction(txHash))
    .map(({ transfer, usd }) => ({ key: farEnd(transfer, direction), txHash: transfer.txHash, usd }));
}

/** The money that contracts paid to others than who gave them something: a labelled market did, and who paid it is not known. */
function paidOutOfSwaps({ received: { parties, ends }, opened, labels }: MoneyTraces): FlowPortion[] {
  const soldTo = new Map<string, ReadonlySet<string>>();
  const isSale = ({ txHash, from, to, paidOut }: FlowPortion['transfer']) => {
    if (paidOut || labels.get(from)?.isContract !== true) return false;
    const got =
      soldTo.get(from) ?? new Set(opened.get(from)?.received.flatMap((one) => (isOfMarket(one) ? one.txHash : [])));
    soldTo.set(from, got);
    return got.has(txHash) && !opened.get(to)?.sent.some((one) => one.txHash === txHash);
  };
  const isOfMarket = ({ from, usd }: FlowPortion['transfer']) => usd > 0 && isDex(labels.get(from)?.category ?? null);
  return [...parties, ...ends].flatMap(({ arrivals }) =>
    arrivals.flatMap((arrival) => {
      for (let one: FlowPortion | null = arrival; one; one = one.onto)
        if (isSale(one.transfer)) return [{ ...one, usd: arrival.usd }];
      return [];
    }),
  );
}

function nameOf({ key, txHash }: Candidate): string {
  return `${parseAddressKey(key).chain} ${txHash}`;
}
