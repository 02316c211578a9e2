import type { CaseEvent } from '../domain/case.ts';
import { chainName } from '../domain/chain.ts';
import type { CaseWords } from './en/cases.ts';
import { fill } from './fill.ts';

type EventWords = Pick<
  CaseWords,
  'statusChanged' | 'statuses' | 'reportDownloaded' | 'packageGenerated' | 'matchDecided' | 'dispositions' | 'events'
>;

/** Returns the text of an entry that the service wrote into the timeline of a case. */
export function caseEventText(
  event: CaseEvent,
  say: EventWords,
  nameOf: (detectorId: string) => string = (id) => id,
): string {
  switch (event.kind) {
    case 'status_changed':
      return fill(say.statusChanged, { from: say.statuses[event.from], to: say.statuses[event.to] });
    case 'report_downloaded':
      return say.reportDownloaded;
    case 'package_generated':
      return fill(say.packageGenerated, { id: event.generation_id });
    case 'package_downloaded':
      return fill(say.events.packageDownloaded, { file: event.file, id: event.generation_id });
    case 'request_downloaded':
      return fill(say.events.requestDownloaded, { service: event.service, reference: event.reference });
    case 'address_added':
      return fill(say.events.addressAdded, { chain: chainName(event.chain), address: event.address });
    case 'address_removed':
      return fill(say.events.addressRemoved, { chain: chainName(event.chain), address: event.address });
    case 'scan_started':
      return fill(say.events.scanStarted, { count: event.addresses });
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
