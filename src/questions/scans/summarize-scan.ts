import type { Language } from '../../../words/language.ts';
import type { Context } from '../../context.ts';
import type { Summary, SummaryFacts } from '../../summary/port.ts';
import type { ScanResult } from './score-address.ts';

/** A scan in a few sentences, by the configured model or by rules. */
export function summarizeScan(
  ctx: Context,
  scan: ScanResult,
  lang: Language,
  signal: AbortSignal,
  categories?: ReadonlyMap<string, string>,
): Promise<Summary> {
  return ctx.summaries.summarize(summaryFacts(scan, categories), lang, signal);
}

/**
 * Figures and labels only: the address and its counterparties' addresses stay here. `categories` of counterparties by
 * address replace those of the scan.
 */
export function summaryFacts(scan: ScanResult, categories: ReadonlyMap<string, string> = new Map()): SummaryFacts {
  return {
    chain: scan.chain,
    risk_level: scan.risk_level,
    risk_score: scan.risk_score,
    detections: scan.detections.map(({ detector_name, severity }) => ({ name: detector_name, severity })),
    transactions: scan.metadata.total_transactions ?? 0,
    counterparties: scan.top_counterparties.flatMap(({ address, label, category, tx_count }) =>
      label === null ? [] : [{ label, category: categories.get(address) ?? category, tx_count }],
    ),
    received: scan.flow_totals.received,
    sent: scan.flow_totals.sent,
  };
}
