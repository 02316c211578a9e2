import { fill } from '../../../../src/words/fill.ts';
import { words } from '../../../browser/words.ts';
import type { CaseNote } from '../../../service/answers.ts';

/** The text of a note; what the service wrote is in the language of the console. */
export function noteText({ content, event }: CaseNote): string {
  const texts = words().cases;
  switch (event?.kind) {
    case 'status_changed':
      return fill(texts.statusChanged, { from: texts.statuses[event.from], to: texts.statuses[event.to] });
    case 'report_downloaded':
      return texts.reportDownloaded;
    case 'package_generated':
      return fill(texts.packageGenerated, { id: event.generation_id });
    case 'match_decided':
      return fill(texts.matchDecided[event.decision], {
        from: event.source.chain,
        tx_out: event.source.tx_hash,
        to: event.destination.chain,
        tx_in: event.destination.tx_hash,
        reason: event.reason,
      });
    default:
      return content;
  }
}
