import { useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { CopyText } from '../../parts/address-text.tsx';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import type { ScamEntry, ScamPage, ScamSearch } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';

const PAGE = 20;

interface Filter {
  /** Words to search for; with them, kind and severity do not count. */
  q: string;
  type: string;
  severity: string;
}

/** The verified entries, newest first, or those that hold the searched words. */
export function Entries() {
  const texts = words().scamdb;
  const [filter, setFilter] = useState<Filter>({ q: '', type: '', severity: '' });
  const [offset, setOffset] = useState(0);
  const { answer, error, loading } = useAnswer(
    (signal) => findEntries(filter, { limit: PAGE, offset }, signal),
    [filter, offset],
  );
  const choose = (change: Partial<Filter>) => {
    setFilter({ ...filter, q: '', ...change });
    setOffset(0);
  };
  const { CRITICAL, HIGH, MEDIUM, LOW } = words().parts.levels;
  return (
    <section class="card" aria-labelledby="entries">
      <h2 id="entries">{texts.entries}</h2>
      <search class="row">
        <form
          class="row grow"
          onSubmit={(event) => {
            event.preventDefault();
            choose({ q: String(new FormData(event.currentTarget).get('q') ?? '').trim(), type: '', severity: '' });
          }}
        >
          <div class="grow">
            <Field label={texts.search} hint={texts.searchHint}>
              <input name="q" type="search" maxLength={200} />
            </Field>
          </div>
          <button type="submit">{texts.find}</button>
        </form>
        <Field label={texts.type}>
          <ChoiceSelect
            value={filter.type}
            none={texts.anyType}
            choices={texts.types}
            onChange={(type) => choose({ type })}
          />
        </Field>
        <Field label={texts.severity}>
          <ChoiceSelect
            value={filter.severity}
            none={texts.anySeverity}
            choices={{ CRITICAL, HIGH, MEDIUM, LOW }}
            onChange={(severity) => choose({ severity })}
          />
        </Field>
      </search>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && (
        <>
          <Table
            caption={texts.entries}
            rows={answer.entries}
            keyOf={(entry) => entry.id}
            empty={texts.noEntries}
            columns={[
              { title: texts.severity, cell: (entry) => <LevelBadge level={entry.severity} /> },
              {
                title: texts.address,
                cell: (entry) => <CopyText text={entry.address} link={linkTo('scamdb', [entry.id])} />,
              },
              { title: texts.type, cell: (entry) => texts.types[entry.type] },
              { title: texts.chains, cell: (entry) => entry.chains.map(chainName).join(', ') },
              { title: texts.domains, cell: (entry) => domainsOf(entry) },
              { title: texts.lastSeen, cell: (entry) => <MomentText at={entry.last_seen} /> },
            ]}
          />
          <Pager page={{ offset, limit: PAGE, total: answer.total }} onOffset={setOffset} />
        </>
      )}
    </section>
  );
}

async function findEntries(
  { q, type, severity }: Filter,
  page: { limit: number; offset: number },
  signal: AbortSignal,
): Promise<{ entries: ScamEntry[]; total: number }> {
  if (q === '') return call<ScamPage>('/scamdb/entries', { query: { type, severity, ...page }, signal });
  const { results, total } = await call<ScamSearch>('/scamdb/search', { query: { q, ...page }, signal });
  return { entries: results, total };
}

function domainsOf({ domains, domain_count }: ScamEntry): string {
  const shown = domains.slice(0, 2);
  const more = domain_count - shown.length;
  return [shown.join(', ') || '–', more > 0 && words().scamdb.moreDomains(more)].filter(Boolean).join(' ');
}
