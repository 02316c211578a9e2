import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Attempt } from '../../jobs/port.ts';
import { scanAddress } from '../scans/scan-address.ts';
import { summarizeScan } from '../scans/summarize-scan.ts';
import type { RowResult } from './get-job-results.ts';
import { finishScannedRow, runScanJob } from './run-scan-job.ts';

const ROWS_AT_ONCE = 4;

/** Scans a batch row by row: each is billed as it is kept, unless it repeats a scan of the account. */
export async function runBatchScan(ctx: Context, attempt: Attempt): Promise<void> {
  await runScanJob(ctx, attempt, {
    rowsAtOnce: ROWS_AT_ONCE,
    scanRow: async ({ job, signal }, payer, row, input) => {
      const { lang, includeAiAnalysis, trace, crossChain } = input;
      const scan = await scanAddress(ctx, payer, {
        chain: row.chain as Chain,
        address: row.address,
        lang,
        trace,
        crossChain,
        source: 'batch',
        signal,
      });
      const { risk_level, risk_score, detection_count, detections, metadata } = scan;
      const result: RowResult = { risk_level, risk_score, detection_count, detections, metadata };
      if (includeAiAnalysis) result.ai_analysis = await summarizeScan(ctx, scan, lang, signal);
      await finishScannedRow(ctx.records, job, row, { result, units: scan.cached ? 0 : 1 }, ctx.now());
    },
  });
}
