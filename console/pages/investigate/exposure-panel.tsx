import { useState } from 'preact/hooks';
import { dollars, percentOnLine } from '../../../src/words/figures.ts';
import { answerLanguage, bracketed, words } from '../../browser/words.ts';
import { addExposure } from '../../graph/money-graph.ts';
import { PartyText } from '../../graph/party-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { CopyCypher } from '../../parts/copy-cypher.tsx';
import { Table } from '../../parts/table.tsx';
import { apiPath, call } from '../../service/api.ts';
import type { Exposures } from '../../service/tracing-answers.ts';
import type { Investigation } from './investigation.ts';

/** Where the money of the start came from and went to, drawn with its paths. */
export function ExposurePanel({ investigation }: { investigation: Investigation }) {
  const texts = words().investigate;
  const { chain, start, busy, grow, run } = investigation;
  const [exposure, setExposure] = useState<Exposures | null>(null);
  const ask = () =>
    run(async (signal) => {
      const query = { chain, max_hops: 5, lang: answerLanguage(), cypher: 'on' };
      const answer = await call<Exposures>(apiPath`/exposure/${start}`, { query, signal });
      setExposure(answer);
      grow((graph) => addExposure(graph, answer));
    });
  return (
    <section class="card" aria-labelledby="exposure">
      <h2 id="exposure">{texts.exposure}</h2>
      <button type="button" disabled={busy} onClick={ask}>
        {texts.exposureOf}
      </button>
      {exposure?.note && <p class="muted">{exposure.note}</p>}
      {exposure && (
        <Table
          caption={texts.exposure}
          rows={[...exposure.direct, ...exposure.indirect]}
          keyOf={(one) => `${one.direction} ${one.category} ${one.min_hops}`}
          empty={texts.noExposure}
          columns={[
            { title: texts.direction, cell: (one) => texts[one.direction] },
            {
              title: texts.party,
              cell: ({ category, top: [party] }) =>
                party ? (
                  <PartyText chain={chain} party={party} category={category} />
                ) : (
                  <CategoryBadge category={category} />
                ),
            },
            { title: texts.value, cell: (one) => bracketed(dollars(one.usd), percentOnLine(one.share)), numeric: true },
            { title: texts.hops, cell: (one) => one.min_hops, numeric: true },
          ]}
        />
      )}
      <CopyCypher text={exposure?.cypher} />
      {exposure?.patterns.map((pattern) => (
        <p key={pattern.pattern_id}>
          <strong>{pattern.name}</strong>: {pattern.description}
        </p>
      ))}
    </section>
  );
}
