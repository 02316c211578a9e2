import { isCoinJoin } from '../../src/domain/coinjoin/transaction.ts';
import type { Basis } from '../../src/domain/entity.ts';
import type { FundsFlow, FundsRow } from '../../src/domain/tracing/answers.ts';
import type { AddressReportInput } from '../../src/questions/cases/report/gather-address-report.ts';
import type { ReportHolder } from '../../src/questions/cases/report/gather-holders.ts';
import { FORMS, grouped } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { lookUp } from '../../words/look-up.ts';
import { WORDS } from '../../words/words.ts';
import { bullets, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { ACCURACY } from './accuracy-results.ts';
import type { Section } from './section.ts';

/** A count of all that were tested. */
interface Counted {
  count: number;
  of: number;
}

/** One rule or heuristic on one set of cases whose truth is known. */
export interface AccuracyRow {
  id: string;
  /** A report that uses it prints the row. */
  rule: string;
  /** Public data with its version and day; absent for worlds planted from seeds. */
  data?: { name: string; version: string; day: string };
  /** Cases that the rule has to find, and did not; null where the set has none. */
  misses: Counted | null;
  /** Cases that the rule has to leave, and did not; null where the set has none. */
  falseAlarms: Counted | null;
}

export interface AccuracyResults {
  ruleSetVersion: string;
  /** The day of the measurement, ISO 8601. */
  measuredOn: string;
  rows: AccuracyRow[];
  /** Ids of what no row tests. */
  notTested: string[];
}

const RESULTS: AccuracyResults = ACCURACY;

/** Quantile of a standard normal distribution, for an interval of 95 %. */
const Z = 1.96;

/** Returns Wilson's interval of a share, 0-1. */
export function wilson({ count, of }: Counted): [low: number, high: number] {
  const p = count / of;
  const middle = (p + (Z * Z) / (2 * of)) / (1 + (Z * Z) / of);
  const half = (Z * Math.sqrt((p * (1 - p)) / of + (Z * Z) / (4 * of * of))) / (1 + (Z * Z) / of);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Returns the cells of one row: what was tested, misses, false alarms, data. */
export function accuracyCells({ id, rule, data, misses, falseAlarms }: AccuracyRow, language: Language): string[] {
  const { accuracy: say } = WORDS[language].report;
  const [, detector] = rule.split(':');
  const names: Record<string, string> = WORDS[language].detections.names;
  const name = detector ? fill(say.typology, { name: names[detector] ?? detector }) : (say.rows[id] ?? id);
  const source = data
    ? fill(say.data, { ...data, name: lookUp(say.dataSets, data.name), day: FORMS[language].date(data.day) })
    : say.planted;
  return [name, countedText(misses, language), countedText(falseAlarms, language), source];
}

function countedText(counted: Counted | null, language: Language): string {
  if (counted === null || counted.of === 0) return '–';
  const percent = (share: number) => (100 * share).toFixed(1);
  const [low, high] = wilson(counted).map(percent) as [string, string];
  const figures = { share: percent(counted.count / counted.of), low, high };
  const { accuracy: say } = WORDS[language].report;
  const text = fill(say.counted, {
    ...{ count: grouped(counted.count, language), of: grouped(counted.of, language) },
    ...(language === 'es'
      ? Object.fromEntries(Object.entries(figures).map(([key, one]) => [key, one.replace('.', ',')]))
      : figures),
  });
  return text;
}

/** Prints the known error rates of the rules that a report used, and of no others; without any of them nothing. */
export function accuracySection({ pdf, language, outline }: Section, used: ReadonlySet<string>): void {
  const { accuracy: say } = WORDS[language].report;
  const rows = RESULTS.rows.filter(({ rule }) => used.has(rule));
  const untested = RESULTS.notTested.filter((id) => used.has(id) || used.has(ruleOf(id)));
  if (rows.length + untested.length === 0) return;
  pdfHeading(pdf, 2, say.title, outline);
  pdfParagraph(pdf, fill(say.intro, { rules: RESULTS.ruleSetVersion, day: FORMS[language].date(RESULTS.measuredOn) }));
  const notes = untested.map((id) => fill(say.notTested, { what: say.untested[id] ?? id }));
  if (rows.length === 0) return void bullets(pdf, notes);
  pdfTable(
    pdf,
    [
      { title: say.tested, width: 0.36 },
      { title: say.missed, width: 0.2 },
      { title: say.falseAlarms, width: 0.2 },
      { title: say.source, width: 0.24 },
    ],
    // Notes stay on the page of the last row.
    [...rows.map((row) => accuracyCells(row, language)), ...(notes.length > 0 ? [{ note: notes.join('\n') }] : [])],
  );
}

/** Returns the rule that something untested belongs to. */
function ruleOf(id: string): string {
  return id.split('.')[0] as string;
}

/** Detectors whose rates stand under another name than their own. */
const BY_DETECTOR: Record<string, string> = { address_poisoning: 'poisoning', co_spent_with_listed: 'co_spending' };

/** The rates of what joins the addresses of a holder; what lists say has none. */
const BY_BASIS: Record<Basis, string> = { same_key: 'same_key', listed: 'listed', co_spent: 'co_spending' };

/** The rows that say how often a basis joined strangers in ordinary wallets. */
const JOINED_BY: Partial<Record<Basis, string>> = { same_key: 'same_key', co_spent: 'co_spending_wallets' };

/** Says how often a basis joined strangers when it was tested; null where it was not. */
export function falseJoins(basis: Basis, language: Language): string | null {
  const row = RESULTS.rows.find(({ id }) => id === JOINED_BY[basis]);
  return row ? fill(WORDS[language].report.holders.joined, { counted: countedText(row.falseAlarms, language) }) : null;
}

/** Lists the rules on which the answers of a report rest, by the names of their rates. */
export function rulesUsed(
  addresses: readonly AddressReportInput[],
  sent: { rows: readonly FundsRow[]; flows: readonly FundsFlow[] } = { rows: [], flows: [] },
  holders: readonly ReportHolder[] = addresses.flatMap(({ holder }) => holder ?? []),
): Set<string> {
  const used = new Set(holders.flatMap(({ members }) => members.map(({ basis }) => BY_BASIS[basis])));
  const rows = [
    ...sent.rows,
    ...addresses.flatMap(({ funds }) => (funds ? [...funds.received.rows, ...funds.sent.rows] : [])),
  ];
  if (rows.some(({ usd }) => usd > 0)) for (const rule of ['attribution', 'prices']) used.add(rule);
  for (const { scan } of addresses) {
    if (scan) used.add('levels');
    const held = scan?.metadata?.entity;
    for (const basis of held ? [held.basis, held.evidence.basis] : []) used.add(BY_BASIS[basis]);
    for (const { detector_id: id } of scan?.detections ?? []) used.add(BY_DETECTOR[id] ?? `typology:${id}`);
  }
  const hops = rows.flatMap(({ path }) => path);
  const matches = [...sent.flows, ...hops].map(({ bridge }) => bridge?.match);
  if (matches.includes('id')) used.add('bridge_id');
  if (matches.includes('likely')) used.add('bridge_likely');
  if (rows.some(({ deposits }) => deposits)) used.add('deposits');
  const places = [...sent.flows, ...hops].flatMap(({ from, to }) => [from, to]);
  if ([...places, ...rows.map(({ address }) => address ?? '')].some(isCoinJoin)) used.add('coinjoin');
  return used;
}
