import { ADVERSE_CATEGORIES } from '../../src/domain/label.ts';
import { PACKAGE_FILES, type PackageInputs } from '../../src/questions/cases/report-package/package-inputs.ts';
import type { ExposureAnswer } from '../../src/questions/tracing/get-exposure.ts';
import { wordOf } from '../../src/words/describe.ts';
import { grouped, moment, percent, usd } from '../../src/words/figures.ts';
import { fill } from '../../src/words/fill.ts';
import { WORDS } from '../../src/words/words.ts';
import { crossingSentence } from '../sections/describe-bridge.ts';
import { strongestFindings } from './evidence.ts';

const FINDINGS = 5;
const EXPOSURES = 5;
const CROSSINGS = 8;
/** The order in which the draft lists its attachments. */
const ATTACHED = [PACKAGE_FILES.transactions, PACKAGE_FILES.columns, PACKAGE_FILES.evidence];

/**
 * Why the case is reported, written by rules in three paragraphs: what happened, what was found, where the money leads.
 * Each sentence is marked as draft and names its evidence.
 */
export function writeNarrative(inputs: PackageInputs): string[][] {
  const { language, report, totals } = inputs;
  const say = WORDS[language].package;
  const sentence = (text: string, file: (typeof ATTACHED)[number]) =>
    `${say.draftMark} ${text} ${fill(say.evidence, { n: ATTACHED.indexOf(file) + 1 })}`;

  const what =
    totals.counted === 0
      ? say.reasonNone
      : fill(say.reasonWhat, {
          first: moment(totals.firstAt, language),
          last: moment(totals.lastAt, language),
          rows: grouped(totals.counted),
          in: grouped(totals.inUsd),
          out: grouped(totals.outUsd),
        });

  const findings = strongestFindings(report)
    .slice(0, FINDINGS)
    .map(({ address, detection: { detector_name: name, severity, description } }) =>
      fill(say.reasonFinding, { address, name, severity, description }),
    );

  const buckets = report.addresses
    .flatMap(({ record, report: { exposure } }) =>
      [...(exposure?.direct ?? []), ...(exposure?.indirect ?? [])].map((bucket) => ({
        address: record.address,
        bucket,
      })),
    )
    .filter(({ bucket }) => bucket.usd > 0)
    .sort((a, b) => b.bucket.usd - a.bucket.usd);
  const exposed = buckets.filter(({ bucket }) => ADVERSE_CATEGORIES.includes(bucket.category)).slice(0, EXPOSURES);
  const exposures = exposed.map(({ address, bucket }) =>
    fill(bucket.direction === 'received' ? say.reasonReceived : say.reasonSent, {
      address,
      share: percent(bucket.share),
      usd: usd(bucket.usd),
      category: wordOf(bucket.category, language),
      transfers: bucket.min_hops === 1 ? say.oneTransfer : fill(say.manyTransfers, { count: bucket.min_hops }),
    }),
  );
  const crossings = crossingSentences(inputs, [...exposed, ...buckets.filter((one) => !exposed.includes(one))]);

  const limits = fill(say.reasonLimits, { asOf: moment(report.madeAt, language) });
  const evidence = (texts: string[], none: string) =>
    (texts.length > 0 ? texts : [none]).map((text) => sentence(text, PACKAGE_FILES.evidence));
  return [
    [sentence(what, PACKAGE_FILES.transactions)],
    evidence(findings, say.reasonNoFinding),
    [...evidence([...exposures, ...crossings], say.reasonNoExposure), sentence(limits, PACKAGE_FILES.evidence)],
  ];
}

/**
 * The crossings of bridges on the ways to parties, in the order of the buckets; then those that an analyst confirmed, of
 * which none is left out for its place on no such way.
 */
function crossingSentences(
  { language, report }: PackageInputs,
  buckets: readonly { address: string; bucket: ExposureAnswer['direct'][number] }[],
): string[] {
  const named = new Map<string, string>();
  for (const { address, bucket } of buckets) {
    const party = { address, category: wordOf(bucket.category, language) };
    for (const { bridge } of bucket.top.flatMap(({ path }) => path)) {
      if (!bridge || named.has(bridge.crossing_id) || named.size >= CROSSINGS) continue;
      const sentence = crossingSentence(bridge, party, language);
      if (sentence !== null) named.set(bridge.crossing_id, sentence);
    }
  }
  for (const bridge of report.confirmed ?? []) {
    const sentence = named.has(bridge.crossing_id) ? null : crossingSentence(bridge, null, language);
    if (sentence !== null) named.set(bridge.crossing_id, sentence);
  }
  return [...named.values()];
}
