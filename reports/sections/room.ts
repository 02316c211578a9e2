import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';

/** Space that findings and texts may take of a document, so that drawing the fullest case ends in time. */
export interface Room {
  /** Transfers that each finding names. */
  evidence: number;
  /** Characters of each text of an analyst. */
  characters: number;
}

const EVIDENCE_MAX = 2_000;
const CHARACTERS_MAX = 100_000;

/** Everything where the document has room for it, else the same part for each finding and for each text. */
export function roomOf({ addresses }: { addresses: CaseReportInput['addresses'] }): Room {
  const evidence = addresses.flatMap(({ report }) =>
    (report.scan?.detections ?? []).map(({ details }) => details.evidence.length),
  );
  const texts = addresses.flatMap(({ record, dispositions }) => [
    record.investigator_notes.length,
    ...dispositions.map(({ reason }) => reason.length),
  ]);
  return { evidence: partOf(EVIDENCE_MAX, evidence), characters: partOf(CHARACTERS_MAX, texts) };
}

function partOf(max: number, sizes: readonly number[]): number {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total <= max ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(max / sizes.length));
}
