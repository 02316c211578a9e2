import { pino } from 'pino';
import { expect, it } from 'vitest';
import { JOB_LANES } from '../../src/domain/job.ts';
import { GraphUnavailableError, PipelineError } from '../../src/errors.ts';
import { createAttempts, retryDuringOutage } from '../../src/jobs/attempts.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { claimJob } from '../../src/records/jobs/claim-job.ts';
import { insertJob } from '../../src/records/jobs/jobs.ts';

it('what fails in an outage is not tried again once it may not, or is aborted', async () => {
  const outage = new GraphUnavailableError();
  for (const options of [{ mayRetry: () => false }, { signal: AbortSignal.abort() }]) {
    let tries = 0;
    const work = async () => {
      tries += 1;
      throw outage;
    };
    await expect(retryDuringOutage(work, options)).rejects.toBe(outage);
    expect(tries).toBe(1);
  }
});

it('what fails because its job was deleted meanwhile is logged as a warning, not as an error', async () => {
  const records = await openRecords({ path: null });
  const { id: accountId } = await createAccount(records, { name: 'Desk', planId: 'pro' }, 1);
  const lines: string[] = [];
  const log = pino({ base: undefined, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const kind = { type: 'async_scan', lanes: JOB_LANES, slotsPerLane: 1, attemptMs: 60_000, onEnd: null } as const;
  const run = async (isDeleted: boolean) => {
    await insertJob(records, { accountId, type: 'async_scan', input: {}, total: 1 }, 1);
    const job = (await claimJob(records, { type: 'async_scan', lanes: JOB_LANES }, 1, 60_000))!;
    const work = async () => {
      if (isDeleted) await records.deleteFrom('jobs').execute();
      throw new PipelineError('Scan reservation is closed');
    };
    await createAttempts({ records, now: () => 1, leaseMs: 60_000, log }, { ...kind, work }).run(job);
    return lines.splice(0).map((line) => JSON.parse(line).level as number);
  };
  expect(await run(true)).toEqual([30, 40]);
  expect(await run(false)).toEqual([30, 50]);
  await records.destroy();
});
