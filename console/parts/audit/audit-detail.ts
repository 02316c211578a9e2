import { codeWord, lookUp } from '../../../words/look-up.ts';
import { comma, labelled, words } from '../../browser/words.ts';
import type { AuditLogEntry } from '../../service/answers.ts';

/** Actions of which the log keeps the fields that were changed, some with their values: `status: closed, title`. */
const CHANGES: ReadonlySet<string> = new Set<AuditLogEntry['action']>([
  'case_updated',
  'address_updated',
  'watch_changed',
  'webhook_changed',
  'board_changed',
]);

/** Names the subject: a judgement in words, others as the log has them; empty for the case itself, which a link names. */
export function auditSubject({ action, subject, case_id }: AuditLogEntry): string {
  if (!subject || subject === case_id) return '';
  if (action !== 'disposition_set') return subject;
  const [, detector = '', disposition = ''] = subject.split(' ');
  return labelled(lookUp(words().detectors, detector), lookUp(words().cases.dispositions, disposition));
}

/** Names what was done besides its subject, in words. */
export function auditDetail({ action, detail, subject }: AuditLogEntry): string {
  // Entries of before the log kept the address of a judgement name it by its id alone.
  if (action === 'disposition_set') return detail || (subject.split(' ')[0] ?? '');
  if (action === 'note_added') return codeWord(words().cases.noteTypes, detail ?? '');
  if (!detail || !CHANGES.has(action)) return detail ?? '';
  return detail.split(', ').map(changeText).join(comma());
}

function changeText(change: string): string {
  const { statuses, priorities, roles } = words().cases;
  const { fields, values } = words().account.changes;
  const [field = '', ...rest] = change.split(': ');
  const value = rest.join(': ');
  const known: Record<string, string> = { ...values, ...statuses, ...priorities, ...roles };
  const name = lookUp(fields, field);
  return rest.length === 0 ? name : `${name}: ${lookUp(known, value)}`;
}
