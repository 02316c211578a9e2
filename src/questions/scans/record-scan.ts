import type { Language } from '../../../words/language.ts';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { iso } from '../../domain/time.ts';
import type { Counterparty, FlowSummary } from '../../domain/transfers/flow.ts';
import { recordEvent } from '../../events/outbox.ts';
import { eventDetections, type ScanCompleted } from '../../events/payloads.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { RecordedScan, ScanSource } from '../../records/database/tables/scans.ts';
import { packJson } from '../../records/packed-json.ts';
import { findLatestScan, insertCounterparties, insertScan, packMet } from '../../records/scans/scans.ts';
import { type Detection, isBelow } from '../../risk/detection.ts';
import { applyRules } from '../rules/apply-rules.ts';
import { INDIRECT_CUT } from './read-surroundings.ts';
import { type ScanResult, translateScan } from './score-address.ts';

export interface ScanAnswer extends ScanResult {
  scan_id: string;
  created_at: string;
  score_semantics: 'risk_0to100';
  rule_set_version: string;
}

/** Bills a scan whose unit was reserved before, in the transaction that records the scan. */
export type ScanPayment = (records: Records, answer: ScanAnswer) => Promise<void>;

type Write = (records: Records) => Promise<void>;
/** Runs what records a scan, in a transaction. */
export type RecordWith = (write: Write, answer: ScanAnswer) => Promise<void>;

/** A scan that was made and is to be recorded. */
interface Scanned {
  chain: Chain;
  address: string;
  source: ScanSource;
  lang: Language;
  answer: ScanAnswer;
  counterparties: Counterparty[];
  moved: FlowSummary['moved'];
  met: ReadonlySet<string>;
  toAnswer?: (scan: ScanAnswer) => object;
  recordWith?: RecordWith;
}

/** Records the scan and bills it in one transaction. */
export async function recordScan(
  ctx: Context,
  tenant: Payer,
  scanned: Scanned,
  { units, pay }: { units: number; pay: ScanPayment },
): Promise<void> {
  const { chain, address, source, lang, answer, counterparties, moved, met, toAnswer, recordWith } = scanned;
  const packed = await packJson(counterparties);
  const repeats = source === 'watchlist' && (await repeatsOfDay(ctx, tenant, scanned)) ? 1 : 0;
  const write: Write = async (records) => {
    await insertScan(records, {
      id: answer.scan_id,
      account_id: tenant.accountId,
      chain,
      address,
      source,
      lang,
      risk_level: answer.risk_level,
      risk_score: answer.risk_score,
      detection_count: answer.detection_count,
      rule_set_version: answer.rule_set_version,
      result: JSON.stringify(answer),
      created_at: Date.parse(answer.created_at),
      units,
      met: packMet(met),
      repeats,
    });
    await insertCounterparties(records, answer.scan_id, { packed, moved });
    await pay(records, answer);
    if (toAnswer) await tenant.hold?.keepAnswer(records, toAnswer(answer));
    if (units > 0) await recordScanEvent(ctx, records, tenant.accountId, scanned);
    // Those of a transfer are asked with what is known of it.
    if (source !== 'transfer')
      await applyRules(ctx, records, { accountId: tenant.accountId, scan: answer, asked: { source } });
  };
  await (recordWith ? recordWith(write, answer) : inTransaction(ctx.records, write));
}

/** Returns true for a level made again that is below the recorded one because time ended before the money was followed. */
export function isLowerForWantOfTime(found: ScanResult, recorded: RecordedScan): boolean {
  const { coverage } = found.metadata;
  return isBelow(found.risk_level, recorded.risk_level) && coverage?.reasons?.includes(INDIRECT_CUT) === true;
}

/** A record of a moment (epoch ms) after which labels, rules or graph moved, and which was not scored again: never LOW. */
export function notScoredAgain(recorded: ScanAnswer, at: number): ScanAnswer {
  const unsure = recorded.risk_level === 'LOW' ? { risk_level: 'UNKNOWN' as const, risk_score: 0 } : {};
  return { ...recorded, ...unsure, metadata: { ...recorded.metadata, labels_changed_since: iso(at) } };
}

/**
 * A repeated scan is recorded as a new one only where its result differs from the last. One that ran out of time does not
 * lower a level: the record is the answer then.
 */
export async function recordIfChanged(ctx: Context, tenant: Payer, scanned: Scanned): Promise<ScanAnswer> {
  const { answer, lang } = scanned;
  const last = await findLatestScan(ctx.records, tenant.accountId, scanned);
  if (last && isLowerForWantOfTime(answer, last)) {
    const { scan_duration_ms } = answer;
    const recorded = JSON.parse(last.result) as ScanAnswer;
    return { ...translateScan(notScoredAgain(recorded, last.created_at), lang), cached: true, scan_duration_ms };
  }
  if (last && isSameResult(last, answer)) return { ...answer, scan_id: last.id, created_at: iso(last.created_at) };
  await recordScan(ctx, tenant, scanned, { units: 0, pay: async () => {} });
  return answer;
}

/** Records `scan.completed` together with the scan; watchlist, batch and transfers have events of their own, a case has none. */
async function recordScanEvent(
  ctx: Context,
  transaction: Records,
  accountId: string,
  { source, answer }: Scanned,
): Promise<void> {
  if (source === 'watchlist' || source === 'batch' || source === 'case' || source === 'transfer') return;
  const { scan_id, address, chain, risk_level, risk_score, detection_count } = answer;
  const data: ScanCompleted = {
    scan_id,
    source,
    address,
    chain,
    risk_level,
    risk_score,
    detection_count,
    detections: eventDetections(answer.detections),
    detail_url: `${ctx.config.publicUrl}/api/v1/public/scans/${scan_id}`,
    score_semantics: 'risk_0to100',
  };
  const at = Date.parse(answer.created_at);
  await recordEvent(transaction, { type: 'scan.completed', accountId, subject: scan_id, data, at });
}

/** True where the account's record before is of the same UTC day and says the same. */
async function repeatsOfDay({ records }: Context, { accountId }: Payer, scanned: Scanned): Promise<boolean> {
  const last = await findLatestScan(records, accountId, scanned);
  const isSameDay = last && iso(last.created_at).slice(0, 10) === scanned.answer.created_at.slice(0, 10);
  return isSameDay === true && isSameResult(last, scanned.answer);
}

/** True where score, level, detections and the traced shares, to a thousandth, are those of the record. */
function isSameResult(recorded: RecordedScan, result: ScanResult): boolean {
  if (recorded.risk_score !== result.risk_score || recorded.risk_level !== result.risk_level) return false;
  const before = JSON.parse(recorded.result) as ScanResult;
  return identitiesOf(before.detections) === identitiesOf(result.detections) && tracedOf(before) === tracedOf(result);
}

/** The shares of the money that the scan traced: a level rests on them. */
function tracedOf({ metadata }: ScanResult): string {
  const { received = null, sent = null } = metadata.coverage?.trace?.attributed ?? {};
  return [received, sent].map((share) => share?.toFixed(3)).join();
}

/** Returns what was detected, how grave it is and with whom; texts and figures follow from these. */
function identitiesOf(detections: readonly Detection[]): string {
  const identities = detections.map(({ detector_id, severity, details }) =>
    JSON.stringify([detector_id, severity, details.variant ?? '', [...details.counterparties].sort()]),
  );
  return identities.sort().join();
}
