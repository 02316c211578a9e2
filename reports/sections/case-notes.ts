import type { CaseNoteRecord } from '../../src/questions/cases/case-records.ts';
import { authorText, entryText, isNote } from '../../words/case-event.ts';
import { detectorName } from '../../words/describe.ts';
import type { CaseWords } from '../../words/en/codes.ts';
import { capitalized } from '../../words/en/forms.ts';
import { FORMS } from '../../words/figures.ts';
import type { Language } from '../../words/language.ts';

/** Returns author and text of an entry of the timeline; what a person wrote begins with its kind. */
export function noteCells(
  entry: readonly [CaseNoteRecord, ...CaseNoteRecord[]],
  say: CaseWords,
  language: Language,
): [author: string, text: string] {
  const [note] = entry;
  const text = entryText(entry, say, (id) => detectorName(id, language));
  return [
    authorText(note, say),
    isNote(note) ? FORMS[language].labelled(capitalized(say.noteTypes)[note.note_type], text) : text,
  ];
}
