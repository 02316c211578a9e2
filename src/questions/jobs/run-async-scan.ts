import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Attempt } from '../../jobs/port.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { ScanSource } from '../../records/database/tables/scans.ts';
import type { ScanAnswer } from '../scans/record-scan.ts';
import { scanAddress } from '../scans/scan-address.ts';
import { summarizeScan } from '../scans/summarize-scan.ts';
import type { RowResult } from './get-job-results.ts';
import { finishScannedRow, runScanJob, type ScanRow } from './run-scan-job.ts';

/** Runs an asynchronous single scan. */
export async function runAsyncScan(ctx: Context, attempt: Attempt): Promise<void> {
  await runScanJob(ctx, attempt, { rowsAtOnce: 1, scanRow: scanRecordedRow(ctx, 'async') });
}

/** Scans a row and records it among the account's scans, billed once, together with the row. */
export function scanRecordedRow(ctx: Context, source: ScanSource): ScanRow {
  return async ({ job, signal }, payer, row, { lang, fresh, trace, crossChain, includeAiAnalysis }) => {
    const keep = (records: Records, result: RowResult, units: number) =>
      finishScannedRow(records, job, row, { result, units }, ctx.now());
    const resultOf = async (answer: ScanAnswer): Promise<RowResult> => {
      if (!includeAiAnalysis) return rowResult(answer);
      return { ...rowResult(answer), ai_analysis: await summarizeScan(ctx, answer, lang, signal) };
    };
    const answer = await scanAddress(ctx, payer, {
      chain: row.chain as Chain,
      address: row.address,
      lang,
      fresh,
      trace,
      crossChain,
      source,
      signal,
      // Billed with its row.
      payment: async () => {},
      recordWith: async (write, scanned) => {
        const result = scanned.cached ? null : await resultOf(scanned);
        await inTransaction(ctx.records, async (records) => {
          await write(records);
          if (result) await keep(records, result, 1);
        });
      },
    });
    if (answer.cached) await keep(ctx.records, await resultOf(answer), 0);
  };
}

/** Returns what a row of a job shows of its scan. */
export function rowResult(answer: ScanAnswer): RowResult {
  const { risk_level, risk_score, detection_count, detections, metadata, scan_id } = answer;
  return { risk_level, risk_score, detection_count, detections, metadata, scan_id };
}

const ROWS_AT_ONCE = 4;

/** Scans a batch row by row: each is billed as it is recorded, unless it repeats a scan of the account. */
export async function runBatchScan(ctx: Context, attempt: Attempt): Promise<void> {
  await runScanJob(ctx, attempt, { rowsAtOnce: ROWS_AT_ONCE, scanRow: scanRecordedRow(ctx, 'batch') });
}
