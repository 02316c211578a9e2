import type { CaseStatus } from '../../src/domain/case.ts';
import type { CaseNoteRecord } from '../../src/questions/cases/case-records.ts';
import type { CaseWords } from '../words/case-words.ts';
import { fill } from '../words/words.ts';

/** Author, kind and content of a note; what the service wrote itself is in the language of the report. */
export function noteCells({ author, note_type, content }: CaseNoteRecord, say: CaseWords): string[] {
  const isSystem = author === 'system';
  return [isSystem ? say.system : author, say.noteTypes[note_type], isSystem ? systemNote(content, say) : content];
}

function systemNote(content: string, say: CaseWords): string {
  if (content === 'Report downloaded as PDF') return say.reportDownloaded;
  const [, id] = /^Report package generated: (\S+)$/.exec(content) ?? [];
  if (id !== undefined) return fill(say.packageGenerated, { id });
  const [, from, to] = /^Status changed from (\w+) to (\w+)$/.exec(content) ?? [];
  if (from === undefined || to === undefined) return content;
  const statusOf = (code: string) => say.statuses[code as CaseStatus] ?? code;
  return fill(say.statusChanged, { from: statusOf(from), to: statusOf(to) });
}
