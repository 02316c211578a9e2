import { useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import type { DiscoveryStatus } from '../../../src/domain/watch.ts';
import { dollars, momentText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { bracketed, words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { EndReasonText } from '../../parts/form/end-reason.tsx';
import { HolderLink } from '../../parts/holder-link.tsx';
import { HopTable } from '../../parts/hop-table.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/notes.tsx';
import { Table } from '../../parts/table.tsx';
import type { Discovery, DiscoveryList } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';

const SORTS: Record<'risk' | 'usd' | 'newest', (a: Discovery, b: Discovery) => number> = {
  risk: (a, b) => b.risk_score - a.risk_score || b.usd - a.usd,
  usd: (a, b) => b.usd - a.usd,
  newest: (a, b) => b.discovered_at.localeCompare(a.discovered_at),
};

interface DiscoveriesProps {
  itemId: string;
  /** The watched address. */
  chain: string;
  address: string;
}

/** Lists the discoveries of Follow Mode for one watched address. */
export function Discoveries({ itemId, chain, address }: DiscoveriesProps) {
  const texts = words().monitoring;
  const [status, setStatus] = useState<DiscoveryStatus>('active');
  const [sort, setSort] = useState<keyof typeof SORTS>('risk');
  const { answer, error, loading, reload } = useAnswer<DiscoveryList>(
    (signal) => call(apiPath`/watchlist/${itemId}/discoveries`, { query: { status }, signal }),
    [itemId, status],
  );
  return (
    <section class="card" aria-labelledby="discoveries">
      <a href={linkTo('monitoring')}>← {texts.back}</a>
      <h2 id="discoveries">{texts.discoveriesOf}</h2>
      <div class="row">
        <AddressText chain={chain} address={address} />
        <Field label={texts.status}>
          <ChoiceSelect
            value={status}
            choices={texts.statuses}
            onChange={(chosen) => setStatus(chosen as DiscoveryStatus)}
          />
        </Field>
        <Field label={texts.sortBy}>
          <ChoiceSelect
            value={sort}
            choices={texts.sorts}
            onChange={(chosen) => setSort(chosen as keyof typeof SORTS)}
          />
        </Field>
        <button type="button" disabled={loading} onClick={reload}>
          {words().parts.refresh}
        </button>
      </div>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer?.discoveries.length === 0 && <EmptyNote text={texts.noDiscoveries} />}
      {answer?.discoveries.toSorted(SORTS[sort]).map((discovery) => (
        <DiscoveryItem key={discovery.id} discovery={discovery} onChanged={reload} />
      ))}
      {answer && <EndedBridges coverage={answer.coverage} />}
    </section>
  );
}

/** A discovered address, the transfers that lead to it, and what to do with it. */
function DiscoveryItem({ discovery, onChanged }: { discovery: Discovery; onChanged: () => void }) {
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
        <HolderLink {...discovery} />
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

/** The crossings of bridges at which the last walk of Follow Mode ended; nothing where it ended at none. */
function EndedBridges({ coverage }: { coverage: DiscoveryList['coverage'] }) {
  if (!coverage || coverage.frontier.length === 0) return null;
  const texts = words().monitoring;
  const columns = words().scan;
  return (
    <>
      <h3>{texts.endedBridges(coverage.frontier_count)}</h3>
      <Table
        caption={texts.endedBridges(coverage.frontier_count)}
        rows={coverage.frontier}
        keyOf={(one) => `${one.direction} ${one.bridge?.crossing_id}`}
        empty=""
        columns={[
          { title: columns.address, cell: (one) => <AddressText chain={one.chain} address={one.address} /> },
          { title: columns.chain, cell: (one) => one.chain && chainName(one.chain) },
          { title: columns.direction, cell: (one) => words().parts.directions[one.direction] },
          { title: columns.value, cell: (one) => dollars(one.usd), numeric: true },
          {
            title: columns.reason,
            cell: (one) => <EndReasonText end={one} />,
          },
        ]}
      />
    </>
  );
}
