import { useState } from 'preact/hooks';
import { chainName, isChain } from '../../src/domain/chain.ts';
import { codeWord, lookUp } from '../../words/look-up.ts';
import { linkTo } from '../browser/route.ts';
import { comma, labelled, words } from '../browser/words.ts';
import type { AuditLog, AuditLogEntry } from '../service/answers.ts';
import { ApiError, call } from '../service/api.ts';
import { useAnswer } from '../service/use-answer.ts';
import { MomentText } from './moment-text.tsx';
import { ErrorNote, Loading } from './notes.tsx';
import { CursorPager } from './pager.tsx';
import { Table } from './table.tsx';

const PAGE = 50;

/**
 * The audit log, newest first: of the account, or of one `object` such as a case with all that is in it. It shows
 * nothing of an object whose log the reader may not see: the object's page says who may.
 */
export function AuditTable({ object }: { object?: string }) {
  const texts = words().account;
  const [cursor, setCursor] = useState<string>();
  const { answer, error, loading } = useAnswer<AuditLog>(
    (signal) => call('/audit', { query: { limit: PAGE, cursor, object }, signal }),
    [cursor, object],
  );
  if (object !== undefined && error instanceof ApiError && error.status === 403) return null;
  return (
    <>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && (
        <Table
          caption={texts.audit}
          rows={answer.entries}
          keyOf={(entry) => String(entry.seq)}
          empty={texts.noEntries}
          columns={[
            { title: words().parts.when, cell: (entry) => <MomentText at={entry.at} /> },
            { title: texts.who, cell: (entry) => <Actor entry={entry} /> },
            { title: texts.ip, cell: (entry) => entry.ip ?? '–' },
            { title: texts.action, cell: (entry) => codeWord(texts.actions as Record<string, string>, entry.action) },
            { title: texts.subject, cell: (entry) => <Subject entry={entry} isNamed={object === undefined} /> },
          ]}
        />
      )}
      <CursorPager cursor={cursor} next={answer?.next_cursor} onCursor={setCursor} />
    </>
  );
}

/** Two keys may have one name: the beginning of the id distinguishes them. */
function Actor({ entry: { actor, key_id } }: { entry: AuditLogEntry }) {
  return (
    <>
      <bdi>{actor}</bdi> {key_id && <code title={key_id}>{key_id.slice(0, 8)}</code>}
    </>
  );
}

function Subject({ entry, isNamed }: { entry: AuditLogEntry; isNamed: boolean }) {
  const { action, case_id, outcome, subject } = entry;
  // An id is shortened: whole it stands in the title. The words of a judgement say all that its codes do.
  const whole = action === 'disposition_set' ? undefined : (subject ?? undefined);
  return (
    <>
      <bdi title={whole}>{[auditSubject(entry), auditDetail(entry)].filter(Boolean).join(' · ')}</bdi>{' '}
      {isNamed && case_id && <a href={linkTo('cases', [case_id])}>{words().account.ofCase}</a>}
      {outcome === 'failed' && <span class="badge level-high">{words().account.failed}</span>}
    </>
  );
}

/** Actions of which the log keeps the fields that were changed, some with their values: `status: closed, title`. */
const CHANGES: ReadonlySet<string> = new Set<AuditLogEntry['action']>([
  'case_updated',
  'address_updated',
  'watch_changed',
  'webhook_changed',
  'board_changed',
]);

const ID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Names a key of an address with its chain, and a thing by the beginning of its id, as the pages about it do. */
function readable(subject: string): string {
  const [, chain = '', address = ''] = /^([a-z]+):(\w+)$/.exec(subject) ?? [];
  if (isChain(chain)) return `${chainName(chain)} ${address}`;
  return subject.replace(ID, (_, beginning: string) => beginning.toUpperCase());
}

/** Names the subject: a judgement in words, others as pages name them; empty for the case itself, which a link names, and for notes. */
function auditSubject({ action, subject, case_id }: AuditLogEntry): string {
  if (!subject || subject === case_id || action === 'note_added') return '';
  if (action !== 'disposition_set') return readable(subject);
  const [, detector = '', disposition = ''] = subject.split(' ');
  return labelled(lookUp(words().detectors, detector), lookUp(words().cases.dispositions, disposition));
}

/** Names what was done besides its subject, in words. */
function auditDetail({ action, detail, subject }: AuditLogEntry): string {
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
