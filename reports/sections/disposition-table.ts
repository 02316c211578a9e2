import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { detectorName } from '../../src/words/describe.ts';
import { moment } from '../../src/words/figures.ts';
import { WORDS } from '../../src/words/words.ts';
import { pdfHeading } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { beginning } from './left-out.ts';
import type { Room } from './room.ts';
import type { Section } from './section.ts';

/** Draws the analysts' judgements of an address's detections. */
export function dispositionTable(
  { pdf, words, language }: Pick<Section, 'pdf' | 'words' | 'language'>,
  dispositions: CaseReportInput['addresses'][number]['dispositions'],
  room: Room,
): void {
  if (dispositions.length === 0) return;
  pdfHeading(pdf, 2, words.dispositions);
  pdfTable(
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
      WORDS[language].cases.dispositions[one.disposition],
      beginning(words, one.reason, room.characters),
      one.author,
      moment(one.created_at, language),
      one.in_force ? words.yes : words.no,
    ]),
  );
}
