import type { CaseNoteRecord } from '../../src/questions/cases/case-records.ts';
import { caseEventText } from '../../src/words/case-event.ts';
import type { CaseWords } from '../../src/words/en/cases.ts';

/** Author, kind and content of a note; what the service wrote is in the language of the report. */
export function noteCells({ author, note_type, content, event }: CaseNoteRecord, say: CaseWords): string[] {
  // A decision is a person's, whatever the name of the key.
  const isSystem = author === 'system' && event !== undefined && event.kind !== 'match_decided';
  return [isSystem ? say.system : author, say.noteTypes[note_type], event ? caseEventText(event, say) : content];
}
