import type { CaseEvent } from '../src/domain/case.ts';
import { chainName } from '../src/domain/chain.ts';
import type { EventWords } from './en/codes.ts';
import { fill } from './fill.ts';

/** A note of the timeline, as answers show it. */
interface TimelineNote {
  author: string;
  content: string;
  created_at: string;
  event?: CaseEvent;
}

/** Addresses that were added within this time of each other are one entry. */
const ONE_MOMENT_MS = 60_000;

/** Groups the notes of a timeline into the entries that a reader sees: one person's additions of one moment are one, and downloads of the report with nothing between them. */
export function timelineEntries<Note extends TimelineNote>(notes: readonly Note[]): [Note, ...Note[]][] {
  const entries: [Note, ...Note[]][] = [];
  for (const note of notes) {
    const last = entries.at(-1);
    if (last && isOneEntry(last[0], note)) last.push(note);
    else entries.push([note]);
  }
  return entries;
}

function isOneEntry(first: TimelineNote, note: TimelineNote): boolean {
  const kind = first.event?.kind;
  if (kind !== note.event?.kind || first.author !== note.author) return false;
  return kind === 'report_downloaded' || (kind === 'address_added' && isOneMoment(first, note));
}

function isOneMoment(a: TimelineNote, b: TimelineNote): boolean {
  return Math.abs(Date.parse(a.created_at) - Date.parse(b.created_at)) <= ONE_MOMENT_MS;
}

/** Returns true for what a person wrote: a note, or a decision on a match with its reason. */
export function isNote({ event }: TimelineNote): boolean {
  return event === undefined || event.kind === 'match_decided';
}

/** Returns the author of a note; of what the service noted in its own name, as earlier versions did, its word. A person may have a key called `system`. */
export function authorText(note: TimelineNote, { system }: { system: string }): string {
  return note.author === 'system' && !isNote(note) ? system : note.author;
}

/** Returns the text of an entry: what an analyst wrote, or what the service did, in the language of the words. */
export function entryText(
  entry: readonly [TimelineNote, ...TimelineNote[]],
  say: EventWords,
  nameOf: (detectorId: string) => string,
): string {
  const [{ content, event }] = entry;
  if (!event) return content;
  if (entry.length === 1) return caseEventText(event, say, nameOf);
  if (event.kind === 'report_downloaded') return fill(say.events.reportDownloads, { count: entry.length });
  const added = entry.flatMap(({ event: one }) =>
    one?.kind === 'address_added' ? [`${chainName(one.chain)} ${one.address}`] : [],
  );
  return [fill(say.events.addressesAdded, { count: added.length }), ...added].join('\n');
}

/** Returns what people call a report package by: the first part of its id. */
export function packageReference(generationId: string): string {
  return generationId.slice(0, 8).toUpperCase();
}

/** Returns what the service wrote as text. */
function caseEventText(event: CaseEvent, say: EventWords, nameOf: (detectorId: string) => string): string {
  switch (event.kind) {
    case 'status_changed':
      return fill(say.statusChanged, { from: say.statuses[event.from], to: say.statuses[event.to] });
    case 'hold_set':
      return fill(say.events.holdSet, { by: event.by });
    case 'hold_ended':
      return fill(say.events.holdEnded, { by: event.by });
    case 'report_downloaded':
      return say.reportDownloaded;
    case 'package_generated':
      return fill(say.packageGenerated, { reference: packageReference(event.generation_id) });
    case 'package_downloaded':
      return fill(say.events.packageDownloaded, { file: event.file, reference: packageReference(event.generation_id) });
    case 'case_imported': {
      const { addresses, scans, transfers, digest } = event;
      return fill(say.events.imported, { addresses, scans, transfers, digest });
    }
    case 'entry_imported':
      return event.text;
    case 'case_exported':
      return fill(say.events.exported, { file: event.file });
    case 'request_downloaded':
      return fill(say.events.requestDownloaded, { service: event.service, reference: event.reference });
    case 'address_added':
      return fill(say.events.addressAdded, { chain: chainName(event.chain), address: event.address });
    case 'address_removed':
      return fill(say.events.addressRemoved, { chain: chainName(event.chain), address: event.address });
    case 'scan_started':
      return fill(event.addresses === 1 ? say.events.scanOneStarted : say.events.scanStarted, {
        count: event.addresses,
      });
    case 'scans_deleted':
      return fill(say.events.scansDeleted, { count: event.scans, before: event.before });
    case 'judged':
      return fill(say.events.judged, {
        chain: chainName(event.chain),
        address: event.address,
        detector: nameOf(event.detector_id),
        disposition: say.dispositions[event.disposition],
      });
    case 'note_deleted':
      return fill(say.events.noteDeleted, { by: event.by });
    case 'match_decided':
      return fill(say.matchDecided[event.decision], {
        from: chainName(event.source.chain),
        tx_out: event.source.tx_hash,
        to: chainName(event.destination.chain),
        tx_in: event.destination.tx_hash,
        reason: event.reason,
      });
  }
}
