import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { ALL_TERMINAL_CATEGORIES } from '../../domain/tracing/answers.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import type { Attempt } from '../../jobs/port.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import { inTransaction } from '../../records/database/database.ts';
import { takenOver, writeAsHolder } from '../../records/jobs/job-leases.ts';
import { saveTraced } from '../../records/scans/traced-addresses.ts';
import { traceCoverage } from '../../tracing/answers/coverage.ts';
import { FUNDS_LIMIT, type Funds, fundsOf } from '../../tracing/answers/funds/funds-of.ts';
import { exposureOf } from '../../tracing/answers/get-exposure.ts';
import { terminalsOf } from '../../tracing/answers/get-terminals.ts';
import { expand, isOpened } from '../../tracing/read/expansion/expand.ts';
import { countdown, type Inquiry, inquire } from '../../tracing/read/inquiry.ts';
import type { MoneyTraces, TraceContext } from '../../tracing/read/trace-money.ts';
import { payerOf } from '../account/payer.ts';
import { billUnits, holdUnits } from './job-units.ts';
import { outputOf } from './start-trace.ts';
import { budgetOf, directionsOf, type TraceInput, type TraceOutput } from './trace-input.ts';

/** A trace ends after this time, over all its attempts. */
const ALL_MS = 15 * MINUTE_MS;
const TERMINALS_MAX = 100;
/** Part of the size of an answer that one account may have beside the rest. */
const FUNDS_ROOM = 0.25;

/**
 * Opens addresses until a budget is used up and closes the job with the exposure that this gives. Each round is kept
 * and billed in one write, so that an attempt goes on where the last one was killed.
 */
export async function runTrace(ctx: Context, { job: claimed, signal, stopping, close }: Attempt): Promise<void> {
  const input = JSON.parse(claimed.input) as TraceInput;
  const payer = await payerOf(ctx, claimed.account_id);
  const output = { ...outputOf(claimed) };
  const opened = () => output.opened.filter(isOpened).length;
  const units = { units: input.maxAddresses - opened(), list: true, now: ctx.now() };
  const job = await holdUnits(ctx.records, payer, claimed, units);
  const { chain, address, maxHops } = input;
  const withPaths = payer.plan.terminals;
  const key = addressKey(chain, address);
  const leftMs = Math.max(0, (claimed.started_at ?? ctx.now()) + ALL_MS - ctx.now());
  const inquiry = {
    ...(await inquire(ctx, payer.accountId, input)),
    signal,
    isJob: true,
    remainingMs: countdown(leftMs),
  };

  const { reasons, traces } = await expand(inquiry, {
    key,
    withSubject: true,
    budget: budgetOf(input),
    traced: {
      directions: ['received', 'sent'],
      exchanges: 'both',
      withPaths,
      limit: FUNDS_LIMIT,
      traceMs: ctx.config.TRACE_MS,
    },
    already: output.opened,
    stopping,
    keep: async (round, { traces, waiting }) => {
      output.opened = [...output.opened, ...round];
      output.coverage = coverageOf(inquiry, input, key, traces);
      // At least one more: whether a trace is done shows when it traces again.
      const total = Math.min(input.maxAddresses, opened() + Math.max(1, waiting));
      const read = round.filter(isOpened).map((one) => ({ chain, ...one }));
      await inTransaction(ctx.records, async (transaction) => {
        await billUnits(transaction, job, read.length);
        await saveTraced(transaction, payer.accountId, read, ctx.now());
        const kept = { output: JSON.stringify(output), completed: opened(), total };
        if (!(await writeAsHolder(transaction, job, kept))) throw takenOver();
      });
    },
  });
  if (stopping()) return;

  const timed = { ...inquiry, remainingMs: countdown(ctx.config.TRACE_MS) };
  const exposure = await exposureOf(timed, { chain, address, maxHops, limit: FUNDS_LIMIT }, traces);
  const found: TraceOutput = {
    ...output,
    coverage: coverageOf(inquiry, input, key, traces),
    reasons: [...reasons].sort(),
    exposure,
    funds: await fundsIn(inquiry, traces, { input, key, patterns: exposure.patterns }),
    terminals: withPaths
      ? terminalsOf(
          inquiry,
          { chain, address, maxHops, categories: ALL_TERMINAL_CATEGORIES, limit: TERMINALS_MAX },
          traces,
        )
      : null,
  };
  const end = { output: JSON.stringify(found), total: opened() };
  await inTransaction(ctx.records, async (transaction) => {
    await lockAccount(transaction, job.account_id);
    if (!(await writeAsHolder(transaction, job, end))) throw takenOver();
  });
  const failed = reasons.has('source_failed') && opened() === 0;
  await close(
    failed
      ? { status: 'failed', errorMessage: `Trace failed: ${chain} data source unavailable` }
      : { status: 'completed', errorMessage: null },
  );
}

/** The account of each direction that was traced. */
async function fundsIn(
  ctx: TraceContext,
  traces: MoneyTraces,
  { input, key, patterns }: { input: TraceInput; key: string; patterns: Funds['patterns'] },
): Promise<Record<Direction, Funds | null>> {
  const asked = { keys: [key], maxHops: input.maxHops, lang: 'en', patterns, reason: null, room: FUNDS_ROOM } as const;
  const directions = directionsOf(input);
  const account = (direction: Direction) =>
    directions.includes(direction) ? fundsOf(ctx, traces, { ...asked, direction }) : null;
  return { received: await account('received'), sent: await account('sent') };
}

function coverageOf(
  { listGap }: Inquiry,
  input: TraceInput,
  key: string,
  traces: MoneyTraces,
): TraceOutput['coverage'] {
  const directions = directionsOf(input);
  const coverage = traceCoverage([key], { traces, directions, unattributedUsd: 0, listGap });
  const { attributed, through_unread, frontier } = coverage;
  return { attributed, through_unread, frontier };
}
