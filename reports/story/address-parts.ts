import { addressKey } from '../../src/domain/address/address-key.ts';
import { chainName, explorerLink } from '../../src/domain/chain.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { FORMS } from '../../words/figures.ts';
import { WORDS } from '../../words/words.ts';
import { pdfAddress, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { counterpartiesLine, counterpartiesTable } from '../sections/counterparties.ts';
import { EVIDENCE_LINE, evidenceLines, findingsOfScan } from '../sections/findings.ts';
import { identitySection, labelsSection, levelFacts, summarySection } from '../sections/identity.ts';
import { beginning } from '../sections/left-out.ts';
import { moneyLine, moneySection } from '../sections/money.ts';
import type { Room } from '../sections/room.ts';
import type { Section } from '../sections/section.ts';
import type { Parties } from './parties.ts';

type CaseAddress = CaseReportInput['addresses'][number];

const COUNTERPARTIES_MAX = 5;
const ENDS_MAX = 6;
const EVIDENCE_MAX = 2;
/** Addresses whose part is written in full; the others have their lines. */
const FULL_MAX = 30;

/** The part of each address: in full for subjects and wallets on the way, in lines for the others. */
export function addressParts(section: Section, input: CaseReportInput, parties: Parties, room: Room): void {
  const { pdf, language } = section;
  const say = WORDS[language].story;
  const isOnTheWay = ({ record }: CaseAddress) =>
    parties.all.some(({ key, role }) => role !== 'payer' && key === addressKey(record.chain, record.address));
  const order = new Map(parties.all.map(({ key }, place) => [key, place]));
  const placeOf = ({ record }: CaseAddress) => order.get(addressKey(record.chain, record.address)) ?? 0;
  const full = input.addresses
    .filter(isOnTheWay)
    .sort((a, b) => placeOf(a) - placeOf(b))
    .slice(0, FULL_MAX);
  const others = input.addresses.filter((one) => !full.includes(one));
  if (full.length > 0) {
    const outline = pdfHeading(pdf, 2, say.partsTitle);
    for (const one of full) inFull({ ...section, outline }, one, parties, room);
  }
  if (others.length === 0) return;
  const outline = pdfHeading(pdf, 2, say.partsShortTitle);
  for (const one of others) inLines({ ...section, outline }, one, parties, room);
}

function inFull(section: Section, { record, dispositions, report }: CaseAddress, parties: Parties, room: Room): void {
  const { pdf } = section;
  const outline = pdfHeading(pdf, 3, titleOf(section, record, parties), section.outline);
  const inside = { ...section, outline };
  identitySection(inside, report);
  summarySection(inside, report, { withOrigin: false });
  notesOf(section, record, room);
  labelsSection(inside, report);
  if (report.scan) {
    const evidence = Math.min(EVIDENCE_MAX, room.evidence);
    const named = (text: string) => parties.namedIn(record.chain, text);
    findingsOfScan(inside, report.scan, { dispositions, evidence, characters: room.characters, inFull: false, named });
  }
  moneySection(inside, report, { rowsMax: ENDS_MAX, withWays: false });
  if (report.scan && report.scan.top_counterparties.length > 0) {
    const nameOf = (address: string) =>
      parties.find(record.chain, address) ? parties.nameOf(record.chain, address) : null;
    counterpartiesTable(inside, report.scan, report, { max: COUNTERPARTIES_MAX, nameOf });
  }
}

/** Address, summary, detections, exposure and counterparties, a line each, with the transactions that each detection rests on. */
function inLines(section: Section, { record, report }: CaseAddress, parties: Parties, room: Room): void {
  const { pdf, words, language } = section;
  pdfHeading(pdf, 3, titleOf(section, record, parties), section.outline);
  pdfAddress(
    pdf,
    `${chainName(record.chain)} ${record.address}`,
    explorerLink(record.chain, 'address', record.address),
  );
  const { labelled, comma, bracketed } = FORMS[language];
  const { scan } = report;
  const say = WORDS[language].story;
  const lines = scan
    ? [
        levelFacts(section, scan)
          .slice(0, 4)
          .map(({ name, value }) => labelled(name, value))
          .join(words.between),
        labelled(
          words.findings,
          scan.detections.map((one) => bracketed(one.detector_name, say.levels[one.severity])).join(comma) ||
            words.none,
        ),
        labelled(say.money, moneyLine(section, report)),
        labelled(words.counterparties, counterpartiesLine(section, scan, report)),
      ]
    : [words.neverScanned, labelled(say.money, moneyLine(section, report))];
  for (const line of lines) pdfParagraph(pdf, line, { faint: true });
  const evidence = Math.min(EVIDENCE_MAX, room.evidence);
  for (const detection of scan?.detections ?? []) {
    if (detection.details.evidence.length === 0) continue;
    pdfParagraph(pdf, detection.detector_name, { faint: true, keep: EVIDENCE_LINE });
    evidenceLines(section, detection, { chain: record.chain, evidence, inFull: false });
  }
  notesOf(section, record, room);
}

function titleOf({ language }: Section, record: CaseAddress['record'], parties: Parties): string {
  const role = WORDS[language].cases.roles[record.role];
  const name = parties.find(record.chain, record.address)
    ? parties.nameOf(record.chain, record.address)
    : record.label || chainName(record.chain);
  return [name, role].join(FORMS[language].comma);
}

function notesOf({ pdf, words, language }: Section, record: CaseAddress['record'], room: Room): void {
  if (!record.investigator_notes) return;
  const text = beginning(words, record.investigator_notes, room.characters, language);
  pdfParagraph(pdf, FORMS[language].labelled(words.investigatorNotes, text));
}
