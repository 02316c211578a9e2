import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { compare } from '../../domain/compare.ts';
import { RULE_BOUNDS, type RuleCondition } from '../../domain/rule-facts.ts';
import { HOUR_MS, iso, isoOrNull } from '../../domain/time.ts';
import { InvalidInputError, NotFoundError, TooManyError } from '../../errors.ts';
import { nextTurn } from '../../fairness/time-slices.ts';
import type { Attempt } from '../../jobs/port.ts';
import { withinStorage } from '../../records/accounts/accounts.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import type { StoredJob } from '../../records/database/tables/jobs.ts';
import { takenOver, writeAsHolder } from '../../records/jobs/job-leases.ts';
import { cancelJob, countLiveJobs, findJob, findLiveJob, insertJob } from '../../records/jobs/jobs.ts';
import { countDispositions } from '../../records/monitoring/alerts.ts';
import { findRule } from '../../records/monitoring/rules.ts';
import { countScansBetween, scansAfter } from '../../records/scans/scans.ts';
import { jobStatus } from '../jobs/job-record.ts';
import { openRules } from './evaluate.ts';
import { type RuledScan, scanFacts } from './scan-facts.ts';

/** Scans that are read at once; other work of the process runs between. */
const SLICE = 20;
/** Scans after which the progress is kept: a killed attempt resumes there. */
const KEPT_EVERY = 2_000;
const EXAMPLES_MAX = 20;
const RETRY_AFTER_S = 60;
/** Addresses that are remembered: beyond them each match counts as one of its own. */
const ADDRESSES_MAX = 50_000;
/** Facts that recorded scans do not hold: a backtest takes them as unknown. */
const NOT_RECORDED = [
  'watched',
  'in_case',
  'direction',
  'reference',
  'customer_ref',
  'transfer_usd',
  'transfer_assets',
];

interface BacktestInput {
  ruleId: string;
  version: number;
  condition: string;
  from: number;
  to: number;
}

/** Kept as the output of the job. */
interface BacktestOutput {
  last: { at: number; id: string } | null;
  scanned: number;
  matches: number;
  addresses: string[];
  examples: { scan_id: string; chain: string; address: string; risk_level: string; at: string }[];
  /** Matches of the hour that is read, and the most of one. */
  hour: number;
  inHour: number;
  mostInHour: number;
  dispositions: Record<string, number>;
}

/** Reads what a run has found so far: nothing of another run, since each makes its own lists. */
function outputOf({ output }: StoredJob): BacktestOutput {
  return {
    ...{ last: null, scanned: 0, matches: 0, addresses: [], examples: [], hour: 0, inHour: 0, mostInHour: 0 },
    ...{ dispositions: {}, ...JSON.parse(output ?? '{}') },
  };
}

/** Queues a run of a rule over the recorded scans; one that waits or runs is joined. Throws NotFoundError, InvalidInputError, LimitError, TooManyError. */
export async function startBacktest(
  ctx: Context,
  { accountId }: Tenant,
  ruleId: string,
  { from, to }: { from: number; to: number },
) {
  if (to <= from) throw new InvalidInputError('to must be later than from');
  const { version, condition } = await findRule(ctx.records, accountId, ruleId);
  const input: BacktestInput = { ruleId, version, condition, from, to };
  const now = ctx.now();
  const job = await withinStorage(ctx.records, accountId, async (records) => {
    const live = await findLiveJob(records, { accountId, type: 'backtest', input, now });
    if (live) return live;
    if ((await countLiveJobs(records, { accountId, type: 'backtest', now })) >= RULE_BOUNDS.runs)
      throw new TooManyError(`${RULE_BOUNDS.runs} runs of rules wait or work: cancel one, or try again`, RETRY_AFTER_S);
    const total = await countScansBetween(records, accountId, { from, to });
    return insertJob(records, { accountId, type: 'backtest', input, total }, now);
  });
  await ctx.jobs.offer(job);
  return backtestRecord(job, now);
}

/** Throws NotFoundError. */
export async function getBacktest(ctx: Context, tenant: Tenant, ids: { ruleId: string; jobId: string }) {
  return backtestRecord(await findBacktest(ctx, tenant, ids), ctx.now());
}

/** Ends a run that waits or works; its worker stops at its next slice. Throws NotFoundError. */
export async function cancelBacktest(ctx: Context, tenant: Tenant, ids: { ruleId: string; jobId: string }) {
  const job = await findBacktest(ctx, tenant, ids);
  await cancelJob(ctx.records, job.id, ctx.now());
  return getBacktest(ctx, tenant, ids);
}

async function findBacktest(ctx: Context, { accountId }: Tenant, { ruleId, jobId }: { ruleId: string; jobId: string }) {
  const job = await findJob(ctx.records, accountId, jobId);
  if (job?.type !== 'backtest' || (JSON.parse(job.input) as BacktestInput).ruleId !== ruleId) throw new NotFoundError();
  return job;
}

/** Runs the rule over recorded scans in slices, oldest first. */
export async function runBacktest(ctx: Context, { job, signal, stopping, close }: Attempt): Promise<void> {
  const { condition, from, to } = JSON.parse(job.input) as BacktestInput;
  const output = outputOf(job);
  const rules = openRules([{ id: 'rule', when: JSON.parse(condition) as RuleCondition }]);
  const addresses = new Set(output.addresses);
  const keep = async () => {
    output.addresses = [...addresses];
    const kept = { output: JSON.stringify(output), completed: output.scanned };
    if (!(await writeAsHolder(ctx.records, job, kept))) throw takenOver();
  };
  for (let sinceKept = 0; ; sinceKept += SLICE) {
    if (stopping()) return keep();
    signal.throwIfAborted();
    if (sinceKept >= KEPT_EVERY) {
      await keep();
      sinceKept = 0;
    }
    const scans = await scansAfter(ctx.records, job.account_id, { from, to, after: output.last, limit: SLICE });
    for (const { id, source, result, created_at } of scans) {
      const scan = JSON.parse(result) as RuledScan;
      if ((await rules.matches(scanFacts(scan, { source }))).length > 0)
        addMatch(output, addresses, { scan, id, at: created_at });
      output.last = { at: created_at, id };
      output.scanned += 1;
    }
    await nextTurn();
    if (scans.length < SLICE) break;
  }
  output.dispositions = await countDispositions(ctx.records, job.account_id, [...addresses]);
  await keep();
  await close({ status: 'completed', errorMessage: null });
}

function addMatch(
  output: BacktestOutput,
  addresses: Set<string>,
  { scan: { chain, address, risk_level }, id, at }: { scan: RuledScan; id: string; at: number },
): void {
  output.matches += 1;
  if (addresses.size < ADDRESSES_MAX) addresses.add(addressKey(chain, address));
  if (output.examples.length < EXAMPLES_MAX) {
    output.examples.push({ scan_id: id, chain, address, risk_level, at: iso(at) });
  }
  const hour = Math.floor(at / HOUR_MS);
  output.inHour = hour === output.hour ? output.inHour + 1 : 1;
  output.hour = hour;
  output.mostInHour = Math.max(output.mostInHour, output.inHour);
}

function backtestRecord(job: StoredJob, now: number) {
  const { ruleId, version, condition, from, to } = JSON.parse(job.input) as BacktestInput;
  const output = outputOf(job);
  return {
    ...{
      job_id: job.id,
      rule_id: ruleId,
      rule_version: version,
      status: jobStatus(job, now),
      from: iso(from),
      to: iso(to),
    },
    ...{ total: job.total, scanned: output.scanned, matches: output.matches, alerts: output.addresses.length },
    progress: job.total === 0 ? Number(job.status === 'completed') : Math.min(1, output.scanned / job.total),
    most_in_an_hour: output.mostInHour,
    dispositions: output.dispositions,
    // Scans of one moment stand in the order of their addresses.
    examples: output.examples.toSorted(
      (a, b) => compare(a.at, b.at) || compare(a.chain, b.chain) || compare(a.address, b.address),
    ),
    not_recorded: NOT_RECORDED.filter((fact) => condition.includes(`"${fact}"`)),
    ...{ created_at: iso(job.created_at), completed_at: isoOrNull(job.completed_at), error_message: job.error_message },
  };
}
