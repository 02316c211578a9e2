import type { Chain } from '../../src/domain/chain.ts';
import type { DispositionRecord } from '../../src/questions/cases/dispositions.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import type { Detection } from '../../src/risk/detection.ts';
import { detectorName } from '../../words/describe.ts';
import { FORMS, grouped, moment } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { WORDS } from '../../words/words.ts';
import { pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { EVIDENCE_LINE, evidenceLines } from '../sections/findings.ts';
import { beginning } from '../sections/left-out.ts';
import type { Room } from '../sections/room.ts';
import type { Section } from '../sections/section.ts';
import type { Parties } from './parties.ts';

const EVIDENCE_MAX = 6;

interface Judged {
  chain: Chain;
  address: string;
  judgement: DispositionRecord;
  detection: Detection | undefined;
}

/** The findings that an analyst confirmed, each with its reason and evidence. */
function confirmedFindings(input: CaseReportInput): (Judged & { detection: Detection })[] {
  return judgedIn(input).filter(
    (one): one is Judged & { detection: Detection } =>
      one.judgement.disposition === 'confirmed' && one.judgement.in_force && one.detection !== undefined,
  );
}

/** Confirmed findings, one paragraph each; how many are open is said. */
export function findingsSection(section: Section, input: CaseReportInput, parties: Parties, room: Room): void {
  const { pdf, words, language } = section;
  const say = WORDS[language].story;
  const { bracketed, labelled, space } = FORMS[language];
  pdfHeading(pdf, 2, say.findingsTitle);
  const confirmed = confirmedFindings(input);
  for (const { chain, address, judgement, detection } of confirmed) {
    const name = labelled(
      parties.nameOf(chain, address),
      bracketed(detection.detector_name, say.levels[detection.severity]),
    );
    const reason = beginning(words, judgement.reason, room.characters, language);
    const at = moment(judgement.created_at, language);
    const judged = fill(say.confirmedBy, { author: judgement.author, at, reason });
    pdfParagraph(pdf, [parties.namedIn(chain, detection.description), judged].join(space), {
      lead: name,
      keep: EVIDENCE_LINE,
    });
    evidenceLines(section, detection, { chain, evidence: EVIDENCE_MAX, inFull: false });
  }
  if (confirmed.length === 0) pdfParagraph(pdf, say.noConfirmed);
  const judged = new Set(
    judgedIn(input)
      .filter(({ judgement }) => !judgement.imported)
      .map(({ judgement }) => `${judgement.address_id} ${judgement.detector_id}`),
  );
  const open = input.addresses
    .flatMap(({ record, report }) => (report.scan?.detections ?? []).map((one) => `${record.id} ${one.detector_id}`))
    .filter((key) => !judged.has(key)).length;
  if (open > 0) pdfParagraph(pdf, fill(say.openFindings, { count: grouped(open, language) }), { faint: true });
}

/** Every judgement of the case with its reason; dismissed ones stand nowhere else. */
export function judgementsAppendix(
  { pdf, words, language }: Section,
  input: CaseReportInput,
  parties: Parties,
  room: Room,
): void {
  const judged = judgedIn(input);
  if (judged.length === 0) return;
  const say = WORDS[language].story;
  pdfHeading(pdf, 2, say.judgementsTitle);
  pdfParagraph(pdf, say.effects, { faint: true });
  pdfTable(
    pdf,
    [
      { title: words.address, width: 0.13 },
      { title: words.detectors, width: 0.19 },
      { title: words.disposition, width: 0.12 },
      { title: words.note, width: 0.23 },
      { title: words.author, width: 0.1 },
      { title: words.time, width: 0.15 },
      { title: words.inForce, width: 0.08 },
    ],
    judged.map(({ chain, address, judgement }) => [
      parties.find(chain, address)?.code ?? parties.nameOf(chain, address),
      detectorName(judgement.detector_id, language),
      WORDS[language].cases.dispositions[judgement.disposition],
      beginning(words, judgement.reason, room.characters, language),
      judgement.author,
      moment(judgement.created_at, language),
      inForceWord(words, judgement),
    ]),
  );
}

function inForceWord(words: Section['words'], { in_force, imported }: DispositionRecord): string {
  if (imported) return words.imported;
  return in_force ? words.yes : words.no;
}

function judgedIn({ addresses }: CaseReportInput): Judged[] {
  return addresses.flatMap(({ record, dispositions, report }) =>
    dispositions.map((judgement) => ({
      chain: record.chain,
      address: record.address,
      judgement,
      detection: report.scan?.detections.find(({ detector_id }) => detector_id === judgement.detector_id),
    })),
  );
}
