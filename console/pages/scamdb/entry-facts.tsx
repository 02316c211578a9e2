import { chainName } from '../../../src/domain/chain.ts';
import { dollars, momentText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { CopyText } from '../../parts/address-text.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import type { ScamEntry } from '../../service/answers.ts';

/** Shows the fields of an entry. */
export function EntryFacts({ entry }: { entry: ScamEntry }) {
  const texts = words().scamdb;
  const unshown = entry.domain_count - entry.domains.length;
  return (
    <>
      <div class="row center">
        <LevelBadge level={entry.severity} />
        <CopyText text={entry.address} link={linkTo('scamdb', [entry.id])} />
        <span class="badge">{texts.types[entry.type]}</span>
        {!entry.verified && <span class="badge">{texts.delisted}</span>}
      </div>
      <dl class="facts">
        <dt>{texts.chains}</dt>
        <dd>{entry.chains.map(chainName).join(', ')}</dd>
        <dt>{texts.domains}</dt>
        <dd>
          {entry.domains.join(', ') || '–'} {unshown > 0 && texts.moreDomains(unshown)}
        </dd>
        <dt>{texts.method}</dt>
        <dd>{entry.method || '–'}</dd>
        <dt>{texts.sources}</dt>
        <dd>{entry.sources.join(', ') || '–'}</dd>
        <dt>{texts.stolen}</dt>
        <dd>{dollars(entry.total_stolen_usd)}</dd>
        <dt>{texts.firstSeen}</dt>
        <dd>{momentText(entry.first_seen)}</dd>
        <dt>{texts.lastSeen}</dt>
        <dd>{momentText(entry.last_seen)}</dd>
      </dl>
    </>
  );
}
