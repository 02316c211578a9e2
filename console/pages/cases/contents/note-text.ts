import { caseEventText } from '../../../../src/words/case-event.ts';
import { words } from '../../../browser/words.ts';
import type { CaseNote } from '../../../service/answers.ts';

/** The text of a note; what the service wrote is in the language of the console. */
export function noteText({ content, event }: CaseNote): string {
  return event ? caseEventText(event, words().cases) : content;
}
