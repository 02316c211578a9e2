import { chainName } from '../../src/domain/chain.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import {
  PACKAGE_FILES,
  type PackageFile,
  type PackageInputs,
} from '../../src/questions/cases/report-package/package-inputs.ts';
import { type Detection, SEVERITIES } from '../../src/risk/detection.ts';
import { FORMS, grouped, moment } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import { crossingSentence } from '../sections/describe-bridge.ts';
import type { EndRow } from '../story/ends.ts';
import type { Parties } from '../story/parties.ts';
import { threeSentences, unseenSentence } from '../story/sentences.ts';
import { stepsOf } from '../story/steps.ts';

const FINDINGS = 8;
const STEPS = 25;

/** A sentence of the draft, and the evidence that stands in its footnote; null where it has none. */
export interface Sentence {
  text: string;
  evidence: string | null;
}

/** Why the case is reported: what the analyst wrote, what happened in order of time, what was found, what is not known. */
export function writeNarrative(
  inputs: PackageInputs,
  parties: Parties,
  ends: readonly EndRow[],
  files: readonly PackageFile[],
): Sentence[][] {
  const { report } = inputs;
  const say = WORDS[inputs.language].packageWords;
  const [evidence, transactions] = [PACKAGE_FILES.evidence, PACKAGE_FILES.transactions].map((name) => {
    const n = files.findIndex((file) => file.name === name) + 1;
    return `${fill(say.evidence, { n })} ${name}`;
  }) as [string, string];
  const description = report.case.description.trim();
  const limits = fill(say.reasonLimits, { asOf: moment(report.madeAt, inputs.language) });
  const unseen = unseenSentence(report, ends);
  return [
    description === '' ? [] : [{ text: description, evidence: null }],
    threeSentences(report, parties, ends).map((text) => ({ text, evidence })),
    ...storySentences(inputs, parties, { evidence, transactions }).map((one) => [one]),
    // They all stand in one file, which the last one names.
    ...findingSentences(inputs, parties, evidence).map((one, i, { length }) => [
      i < length - 1 ? { ...one, evidence: null } : one,
    ]),
    [...(unseen ? [{ text: unseen, evidence }] : []), { text: limits, evidence }],
  ].filter(({ length }) => length > 0);
}

/** The steps of the way with the transactions of each. */
function storySentences(
  inputs: PackageInputs,
  parties: Parties,
  { evidence, transactions }: { evidence: string; transactions: string },
): Sentence[] {
  const { report, language } = inputs;
  const { bracketed } = FORMS[language];
  const { steps, left } = stepsOf(report, parties);
  const written = steps.slice(0, STEPS).map((step): Sentence => {
    const hashes = step.transactions.map(({ chain, txHash }) => `${chainName(chain)} ${txHash}`).join(', ');
    const what = step.note ? bracketed(step.text, step.note) : step.text;
    const text = fill(WORDS[language].packageWords.storyStep, { at: moment(step.at, language), what });
    return { text, evidence: `${transactions} ${hashes}`.trim() };
  });
  const omitted = left.map((text): Sentence => ({ text, evidence: transactions }));
  const crossed = (report.confirmed ?? []).flatMap((bridge): Sentence[] => {
    const text = crossingSentence(bridge, language);
    return text === null ? [] : [{ text, evidence }];
  });
  return [...written, ...omitted, ...crossed];
}

function findingSentences(inputs: PackageInputs, parties: Parties, evidence: string): Sentence[] {
  const { report, language } = inputs;
  const words = WORDS[language];
  const found = strongestFindings(report);
  if (found.length === 0) return [{ text: noFinding(report, language), evidence }];
  const written = found.slice(0, FINDINGS).map(({ chain, address, detection, judgement }): Sentence => {
    const text = fill(words.packageWords.reasonFinding, {
      address: parties.nameOf(chain, address),
      name: detection.detector_name,
      severity: [words.story.levels[detection.severity], ...(judgement ? [] : [words.packageWords.unjudged])].join(
        words.report.between,
      ),
      description: parties.namedIn(chain, detection.description),
    });
    if (!judgement) return { text, evidence };
    const { author, reason, disposition } = judgement;
    const judged = fill(words.story.judgedBy, { judgement: words.cases.dispositions[disposition], author, reason });
    return { text: [text, judged].join(FORMS[language].space), evidence };
  });
  const left = found.length - written.length;
  const more = fill(words.packageWords.moreFindings, { count: grouped(left, language) });
  return left > 0 ? [...written, { text: more, evidence }] : written;
}

/** No detections is not the same as no scan. */
export function noFinding({ addresses }: CaseReportInput, language: Language): string {
  const say = WORDS[language].packageWords;
  return addresses.some(({ report }) => report.scan !== null) ? say.reasonNoFinding : say.reasonNotScanned;
}

/** The detections that no analyst dismissed: confirmed ones first, then the gravest. */
export function strongestFindings({ addresses }: CaseReportInput) {
  const rank = ({ severity }: Detection) => SEVERITIES.indexOf(severity);
  return addresses
    .flatMap(({ record, report, dispositions }) =>
      (report.scan?.detections ?? []).map((detection) => ({
        chain: record.chain,
        address: record.address,
        detection,
        judgement: dispositions.find(({ detector_id, in_force }) => in_force && detector_id === detection.detector_id),
      })),
    )
    .filter(({ judgement }) => judgement?.disposition !== 'dismissed')
    .sort(
      (a, b) =>
        Number(b.judgement?.disposition === 'confirmed') - Number(a.judgement?.disposition === 'confirmed') ||
        rank(b.detection) - rank(a.detection),
    );
}
