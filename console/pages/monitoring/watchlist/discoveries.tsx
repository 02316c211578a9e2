import { useState } from 'preact/hooks';
import type { DiscoveryStatus } from '../../../../src/domain/watch.ts';
import { linkTo } from '../../../browser/route.ts';
import { words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/notes.tsx';
import type { Discovery, DiscoveryList } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAnswer } from '../../../service/use-answer.ts';
import { DiscoveryItem } from './discovery-item.tsx';
import { EndedBridges } from './ended-bridges.tsx';

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
