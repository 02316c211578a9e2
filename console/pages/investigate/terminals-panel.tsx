import { useState } from 'preact/hooks';
import { dollars, moment } from '../../../src/words/figures.ts';
import { labelled, words } from '../../browser/words.ts';
import { addTerminals } from '../../graph/money-graph.ts';
import { PartyText } from '../../graph/party-text.tsx';
import { CopyCypher } from '../../parts/copy-cypher.tsx';
import { Table } from '../../parts/table.tsx';
import { apiPath, call } from '../../service/api.ts';
import type { Terminals } from '../../service/tracing-answers.ts';
import type { Investigation } from './investigation.ts';

const HOPS_MAX = 10;

/** The services where the money of the start ended. */
export function TerminalsPanel({ investigation }: { investigation: Investigation }) {
  const texts = words().investigate;
  const { chain, start, busy, grow, run } = investigation;
  const [found, setFound] = useState<Terminals | null>(null);
  const ask = () =>
    run(async (signal) => {
      const query = { chain, max_hops: HOPS_MAX, cypher: 'on' };
      const answer = await call<Terminals>(apiPath`/exposure/${start}/terminals`, { query, signal });
      setFound(answer);
      grow((graph) => addTerminals(graph, answer));
    });
  return (
    <section class="card" aria-labelledby="terminals">
      <h2 id="terminals">{texts.terminals}</h2>
      <button type="button" disabled={busy} onClick={ask}>
        {texts.terminalsOf}
      </button>
      {found?.note && <p class="muted">{found.note}</p>}
      {found && (
        <Table
          caption={texts.terminals}
          rows={found.terminals}
          keyOf={(one) => `${one.chain} ${one.address}`}
          empty={texts.noTerminals}
          columns={[
            {
              title: texts.party,
              cell: (one) => (
                <>
                  <PartyText chain={chain} party={one} category={one.category} />
                  <br />
                  <span class="muted">{labelled(texts.arrived, moment(one.last_at))}</span>
                </>
              ),
            },
            { title: texts.value, cell: (one) => dollars(one.usd), numeric: true },
            { title: texts.hops, cell: (one) => one.hops, numeric: true },
          ]}
        />
      )}
      <CopyCypher text={found?.cypher} />
    </section>
  );
}
