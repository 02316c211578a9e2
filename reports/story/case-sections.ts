import { chainName, explorerLink } from '../../src/domain/chain.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { moment, usd } from '../../words/figures.ts';
import { WORDS } from '../../words/words.ts';
import { pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { crossingsSection } from '../sections/crossings.ts';
import type { Room } from '../sections/room.ts';
import type { Section } from '../sections/section.ts';
import { addressParts } from './address-parts.ts';
import { asksSection } from './asks-section.ts';
import { findingsSection } from './findings-section.ts';
import type { Parties } from './parties.ts';
import { type Step, stepsOf } from './steps.ts';

/** Crossings of bridges that are described with both sides. */
const CROSSINGS_MAX = 20;

/** The parts of a case behind page 1 and before what can be looked up. */
export function caseSections(section: Section, input: CaseReportInput, parties: Parties, room: Room): void {
  timelineSection(section, input, parties);
  const crossings = (input.money?.sent.flows ?? []).flatMap(({ bridge }) => bridge ?? []);
  crossingsSection(section, crossings.slice(0, CROSSINGS_MAX), parties.nameOf);
  findingsSection(section, input, parties, room);
  asksSection(section, input, parties);
  addressParts(section, input, parties, room);
}

/** The events in order of time; every transaction is named in full at its event. */
function timelineSection({ pdf, words, language }: Section, input: CaseReportInput, parties: Parties): void {
  const say = WORDS[language].story;
  const { steps, left } = stepsOf(input, parties);
  if (steps.length === 0) return;
  pdfHeading(pdf, 2, say.timelineTitle);
  pdfTable(
    pdf,
    [
      { title: words.time, width: 0.15 },
      { title: say.timelineEvent, width: 0.33 },
      { title: words.amount, width: 0.17, align: 'right' },
      { title: words.transaction, width: 0.35, mono: true },
    ],
    steps.map((step) => [
      moment(step.at, language),
      [step.text, step.note].filter(Boolean).join('\n'),
      usd(step.usd, language),
      transactionsCell(step),
    ]),
  );
  for (const sentence of left) pdfParagraph(pdf, sentence, { faint: true });
}

/** The transactions of a step, each with its own link; of a crossing each below the name of its chain. */
function transactionsCell({ transactions }: Step) {
  const areOfOne = transactions.every(({ chain }) => chain === transactions[0]?.chain);
  return transactions.map(({ chain, txHash }) => ({
    text: areOfOne ? txHash : `${chainName(chain)}\n${txHash}`,
    link: explorerLink(chain, 'tx', txHash),
  }));
}
