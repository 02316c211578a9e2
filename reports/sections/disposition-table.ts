import type { CaseReportInput } from '../../src/questions/cases/gather-case-report.ts';
import { detectorName } from '../../src/risk/texts/texts.ts';
import { heading } from '../pdf/blocks.ts';
import { table } from '../pdf/table.ts';
import { CASE_WORDS } from '../words/case-words.ts';
import { moment } from '../words/format.ts';
import type { Section } from './section.ts';

/** What analysts judged of the detections of an address. */
export function dispositionTable(
  { pdf, words, language }: Pick<Section, 'pdf' | 'words' | 'language'>,
  dispositions: CaseReportInput['addresses'][number]['dispositions'],
): void {
  if (dispositions.length === 0) return;
  heading(pdf, 2, words.dispositions);
  table(
    pdf,
    [
      { title: words.detectors, width: 0.22 },
      { title: words.disposition, width: 0.13 },
      { title: words.note, width: 0.35 },
      { title: words.author, width: 0.12 },
      { title: words.time, width: 0.1 },
      { title: words.inForce, width: 0.08 },
    ],
    dispositions.map((one) => [
      detectorName(one.detector_id, language),
      CASE_WORDS[language].dispositions[one.disposition],
      one.reason,
      one.author,
      moment(one.created_at, words),
      one.in_force ? words.yes : words.no,
    ]),
  );
}
