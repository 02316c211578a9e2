import { chainName } from '../../../../src/domain/chain.ts';
import { dollars, momentText } from '../../../browser/figures.ts';
import { linkTo } from '../../../browser/route.ts';
import { bracketed, words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { HopTable } from '../../../parts/hop-table.tsx';
import { LevelBadge } from '../../../parts/level-badge.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import type { Discovery } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';

/** A discovered address, the transfers that lead to it, and what to do with it. */
export function DiscoveryItem({ discovery, onChanged }: { discovery: Discovery; onChanged: () => void }) {
  const texts = words().monitoring;
  const { run, busy, error } = useAction(async (decision: 'promote' | 'dismiss') => {
    await call(apiPath`/watchlist/discoveries/${discovery.id}/${decision}`, { method: 'POST' });
    onChanged();
  });
  const facts = [
    chainName(discovery.chain),
    texts.discovered[discovery.direction],
    texts.hop(discovery.hop),
    texts.atMost(dollars(discovery.usd)),
    texts.found(momentText(discovery.discovered_at)),
  ];
  return (
    <article class="entry" aria-label={discovery.address}>
      <div class="row center">
        <LevelBadge level={discovery.risk_level} />
        <AddressText chain={discovery.chain} address={discovery.address} />
        <CategoryBadge category={discovery.category} />
        {discovery.label}
        <a href={linkTo('investigate', [discovery.chain, discovery.address])}>{texts.openCanvas}</a>
      </div>
      <p class="muted">{facts.join(' · ')}</p>
      <details>
        <summary>{bracketed(texts.path, discovery.path.length)}</summary>
        <HopTable caption={texts.path} hops={discovery.path} />
      </details>
      {discovery.status === 'active' && (
        <div class="row-actions">
          {(['promote', 'dismiss'] as const).map((decision) => (
            <button
              key={decision}
              type="button"
              disabled={busy}
              aria-label={`${texts[decision]}: ${discovery.address}`}
              onClick={() => run(decision)}
            >
              {texts[decision]}
            </button>
          ))}
        </div>
      )}
      <ErrorNote error={error} />
    </article>
  );
}
