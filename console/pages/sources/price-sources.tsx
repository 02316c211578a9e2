import { count, writtenDay } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { Table } from '../../parts/table.tsx';
import type { Sources } from '../../service/answers.ts';

/** The sources of daily prices, and prices that were refused. */
export function PriceSources({ prices }: { prices: Sources['prices'] }) {
  const texts = words().sources;
  const { api, held, refused } = prices;
  return (
    <section class="card" aria-labelledby="prices">
      <h2 id="prices">{texts.prices}</h2>
      {api && (
        <p class={api.last_problem === null ? 'muted' : 'note error'}>
          {api.host ?? texts.own}
          {api.last_problem !== null && `: ${texts.problems[api.last_problem]}`}
        </p>
      )}
      <Table
        caption={texts.prices}
        empty={texts.noPrices}
        rows={held}
        keyOf={({ source }) => source}
        columns={[
          { title: texts.source, cell: ({ source }) => (source === 'file' ? texts.listStates.loaded : source) },
          { title: texts.held, numeric: true, cell: ({ days }) => count(days) },
          { title: texts.newest, cell: ({ newest }) => newest && writtenDay(newest) },
        ]}
      />
      {refused.length > 0 && (
        <p class="note error">
          {texts.refused}: {refused.map(({ asset, date, usd }) => `${asset} ${date} ${count(usd)}`).join(', ')}
        </p>
      )}
    </section>
  );
}
