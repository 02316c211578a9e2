import type { Context } from '../../context.ts';
import type { Summary, SummaryFacts, SummaryLang } from '../../summary/port.ts';
import type { ScanResult } from './score-address.ts';

/** A scan in a few sentences, by the configured model or by rules. */
export function summarizeScan(
  ctx: Context,
  scan: ScanResult,
  lang: SummaryLang,
  signal: AbortSignal,
): Promise<Summary> {
  return ctx.summaries.summarize(summaryFacts(scan), lang, signal);
}

/** Figures and labels only: the address and its counterparties' addresses stay here. */
export function summaryFacts(scan: ScanResult): SummaryFacts {
  return {
    chain: scan.chain,
    risk_level: scan.risk_level,
    risk_score: scan.risk_score,
    detections: scan.detections.map(({ detector_name, severity }) => ({ name: detector_name, severity })),
    transactions: Number(scan.metadata.total_transactions ?? 0),
    counterparties: scan.top_counterparties.flatMap(({ label, category, tx_count }) =>
      label === null ? [] : [{ label, category, tx_count }],
    ),
    received: scan.flow_totals.received,
    sent: scan.flow_totals.sent,
  };
}
