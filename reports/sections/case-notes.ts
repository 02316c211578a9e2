import type { CaseEvent } from '../../src/domain/case.ts';
import type { CaseNoteRecord } from '../../src/questions/cases/case-records.ts';
import type { CaseWords } from '../../src/words/en/cases.ts';
import { fill } from '../../src/words/fill.ts';

/** Author, kind and content of a note; what the service wrote is in the language of the report. */
export function noteCells({ author, note_type, content, event }: CaseNoteRecord, say: CaseWords): string[] {
  // A decision is a person's, whatever the name of the key.
  const isSystem = author === 'system' && event !== undefined && event.kind !== 'match_decided';
  return [isSystem ? say.system : author, say.noteTypes[note_type], event ? eventText(event, say) : content];
}

function eventText(event: CaseEvent, say: CaseWords): string {
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
