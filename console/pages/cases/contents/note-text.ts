import type { CaseNote } from '../../../service/answers.ts';
import { caseTexts } from '../../../texts/cases.ts';

/** The text of a note; what the service wrote is in the language of the console. */
export function noteText({ content, event }: CaseNote): string {
  const texts = caseTexts();
  switch (event?.kind) {
    case 'status_changed':
      return texts.statusChanged(texts.statuses[event.from], texts.statuses[event.to]);
    case 'report_downloaded':
      return texts.reportDownloaded;
    case 'package_generated':
      return texts.packageGenerated(event.generation_id);
    case 'match_decided': {
      const { source, destination, decision, reason } = event;
      const [out, arrived] = [source, destination].map(({ chain, tx_hash }) => `${chain} ${tx_hash}`) as [
        string,
        string,
      ];
      return texts.matchDecided[decision](out, arrived, reason);
    }
    default:
      return content;
  }
}
