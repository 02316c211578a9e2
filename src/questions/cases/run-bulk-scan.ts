import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Attempt } from '../../jobs/port.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import { inTransaction } from '../../records/database/database.ts';
import { takenOver, writeAsHolder } from '../../records/jobs/job-leases.ts';
import { listJobRows, replaceResult } from '../../records/jobs/job-rows.ts';
import { saveTraced } from '../../records/scans/traced-addresses.ts';
import { stepsWithin } from '../../tracing/engine/walk/distances.ts';
import { expand, isOpened } from '../../tracing/read/expansion/expand.ts';
import { SCAN_MAX_HOPS } from '../../tracing/read/expansion/expand-scan.ts';
import { countdown, inquire } from '../../tracing/read/inquiry.ts';
import { type BulkScanInput, bulkScanOutput, tracesLeft } from '../jobs/bulk-scan-input.ts';
import { rowResult } from '../jobs/get-job-results.ts';
import { billUnits } from '../jobs/job-units.ts';
import { runScanJob } from '../jobs/scan-jobs.ts';
import { rescoreAddress } from '../scans/scan-address.ts';
import { findUnknownHops } from './case-hops.ts';

const TRACE_MS = 15 * MINUTE_MS;
/** Bridges whose other side is looked for, for each subject. */
const TRACE_CROSSINGS = 8;
const TRACE_TRANSACTIONS = 8;
const TRACE_MIN_SHARE = 0.01;

/**
 * Scans the selected addresses of a case, records and bills each once, and traces the money of its subjects. Then scores
 * both again, free of charge: the first ones were scored before the others were read.
 */
export async function runBulkScan(ctx: Context, attempt: Attempt): Promise<void> {
  const input = JSON.parse(attempt.job.input) as BulkScanInput;
  const output = bulkScanOutput(attempt.job);

  const traceSubjects = async ({ job, signal, stopping }: Attempt) => {
    const inquiry = { ...(await inquire(ctx, job.account_id)), signal, isJob: true, remainingMs: countdown(TRACE_MS) };
    for (const { chain, address } of input.subjects) {
      if (stopping()) return;
      const key = addressKey(chain, address);
      const already = output[key] ?? [];
      const room = tracesLeft(input, output) + already.filter(isOpened).length;
      await expand(inquiry, {
        key,
        withSubject: false,
        budget: {
          directions: ['received', 'sent'],
          maxHops: SCAN_MAX_HOPS,
          openHops: stepsWithin(SCAN_MAX_HOPS) - 1,
          addresses: { total: room, received: room, sent: room },
          minShare: TRACE_MIN_SHARE,
          minUsd: 0,
          crossings: TRACE_CROSSINGS,
          transactions: TRACE_TRANSACTIONS,
        },
        already,
        stopping,
        keep: async (round) => {
          const read = round.filter(isOpened).map((one) => ({ chain, ...one }));
          output[key] = [...(output[key] ?? []), ...round];
          await inTransaction(ctx.records, async (records) => {
            await billUnits(records, job, read.length);
            await saveTraced(records, job.account_id, read, ctx.now());
            if (!(await writeAsHolder(records, job, { output: JSON.stringify(output) }))) throw takenOver();
          });
        },
      });
    }
  };

  const scoreAgain = async ({ job, signal, stopping }: Attempt, payer: Payer) => {
    const rescore = (chain: Chain, address: string) =>
      rescoreAddress(ctx, payer, { chain, address, lang: input.lang, source: 'case', signal });
    const rows = await listJobRows(ctx.records, job.id, 'completed');
    for (const row of rows) {
      if (stopping()) return;
      const answer = await rescore(row.chain as Chain, row.address);
      if (answer) await replaceResult(ctx.records, job, row, rowResult(answer));
    }
    const scored = new Set(rows.map(({ chain, address }) => `${chain}:${address}`));
    for (const { chain, address } of input.subjects) {
      if (stopping()) return;
      if (!scored.has(`${chain}:${address}`)) await rescore(chain, address);
    }
  };

  await runScanJob(ctx, attempt, {
    source: 'case',
    afterRows: {
      units: tracesLeft(input, output),
      work: async (running, payer) => {
        await traceSubjects(running);
        await scoreAgain(running, payer);
        const { account_id, case_id } = running.job;
        if (case_id && !running.stopping()) await findUnknownHops(ctx, account_id, case_id);
      },
    },
  });
}
