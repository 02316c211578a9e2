import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Attempt } from '../../jobs/port.ts';
import { ROW_TRACE_ADDRESSES } from '../../plans.ts';
import type { Payer } from '../account/payer.ts';
import { newScanMs, repeatableMs } from '../scans/read-address.ts';
import { readAndScore } from '../scans/read-and-score.ts';
import { isRepeatedScan } from '../scans/repeated-scan.ts';
import type { ScanResult } from '../scans/score-address.ts';
import { summarizeScan } from '../scans/summarize-scan.ts';
import type { RowResult } from './get-job-results.ts';
import type { ScanJobInput } from './queue-scan-job.ts';
import { finishScannedRow, runScanJob } from './run-scan-job.ts';

const ROWS_AT_ONCE = 4;

/** Scans a batch row by row: each is billed as it is kept, unless it repeats a scan of the account. */
export async function runBatchScan(ctx: Context, attempt: Attempt): Promise<void> {
  await runScanJob(ctx, attempt, {
    rowsAtOnce: ROWS_AT_ONCE,
    scanRow: async ({ job, signal }, payer, row, input) => {
      const { lang, includeAiAnalysis } = input;
      const { scan, units } = await scanForBatch(ctx, payer, row.chain as Chain, row.address, input, signal);
      const { risk_level, risk_score, detection_count, detections, metadata } = scan;
      const result: RowResult = { risk_level, risk_score, detection_count, detections, metadata };
      if (includeAiAnalysis) result.ai_analysis = await summarizeScan(ctx, scan, lang, signal);
      await finishScannedRow(ctx.records, job, row, { result, units }, ctx.now());
    },
  });
}

async function scanForBatch(
  ctx: Context,
  payer: Payer,
  chain: Chain,
  address: string,
  { lang, trace, crossChain }: ScanJobInput,
  signal: AbortSignal,
): Promise<{ scan: ScanResult; units: number }> {
  const isRepeated = await isRepeatedScan(ctx, payer.accountId, { chain, address });
  const maxAgeMs = isRepeated ? repeatableMs(ctx.config) : newScanMs(ctx.config);
  const traceAddresses = isRepeated || trace === 'off' ? 0 : ROW_TRACE_ADDRESSES;
  const options = { accountId: payer.accountId, signal, maxAgeMs, traceAddresses, crossChain };
  const { result } = await readAndScore(ctx, { chain, address, lang, trace }, options);
  return { scan: result, units: isRepeated ? 0 : 1 };
}
