import type { CaseNoteRecord } from '../../src/questions/cases/case-records.ts';
import { caseEventText } from '../../src/words/case-event.ts';
import { detectorName } from '../../src/words/describe.ts';
import type { CaseWords } from '../../src/words/en/cases.ts';
import type { Language } from '../../src/words/language.ts';

/** Author, kind and content of a note; what the service wrote is in the language of the report. */
export function noteCells(
  { author, note_type, content, event }: CaseNoteRecord,
  say: CaseWords,
  language: Language,
): string[] {
  // A decision is a person's, whatever the name of the key.
  const isSystem = author === 'system' && event !== undefined && event.kind !== 'match_decided';
  return [
    isSystem ? say.system : author,
    say.noteTypes[note_type],
    event ? caseEventText(event, say, (id) => detectorName(id, language)) : content,
  ];
}
