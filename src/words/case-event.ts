import type { CaseEvent } from '../domain/case.ts';
import type { CaseWords } from './en/cases.ts';
import { fill } from './fill.ts';

type EventWords = Pick<
  CaseWords,
  'statusChanged' | 'statuses' | 'reportDownloaded' | 'packageGenerated' | 'matchDecided'
>;

/** Returns the text of an entry that the service wrote into the timeline of a case. */
export function caseEventText(event: CaseEvent, say: EventWords): string {
  switch (event.kind) {
    case 'status_changed':
      return fill(say.statusChanged, { from: say.statuses[event.from], to: say.statuses[event.to] });
    case 'report_downloaded':
      return say.reportDownloaded;
    case 'package_generated':
      return fill(say.packageGenerated, { id: event.generation_id });
    case 'match_decided':
      return fill(say.matchDecided[event.decision], {
        from: event.source.chain,
        tx_out: event.source.tx_hash,
        to: event.destination.chain,
        tx_in: event.destination.tx_hash,
        reason: event.reason,
      });
  }
}
