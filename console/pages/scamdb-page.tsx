import { useState } from 'preact/hooks';
import { chainName } from '../../src/domain/chain.ts';
import { count, dollars, momentText } from '../browser/figures.ts';
import { linkTo, type Route } from '../browser/route.ts';
import { words } from '../browser/words.ts';
import { CopyText } from '../parts/address-text.tsx';
import { Field } from '../parts/field.tsx';
import { AddressFields, CHAIN_CHOICES } from '../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../parts/form/choice-select.tsx';
import { Form, given } from '../parts/form/form.tsx';
import { LevelBadge } from '../parts/level-badge.tsx';
import { MomentText } from '../parts/moment-text.tsx';
import { EmptyNote, ErrorNote, Loading } from '../parts/notes.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProgressBar } from '../parts/progress-bar.tsx';
import { Table } from '../parts/table.tsx';
import type { ScamEntry, ScamLookup, ScamPage, ScamSearch, ScamStats } from '../service/answers.ts';
import { apiPath, call } from '../service/api.ts';
import { useAnswer } from '../service/use-answer.ts';

/** `#/scamdb`; `#/scamdb/<id>` shows one entry. */
export function ScamdbPage({ route }: { route: Route }) {
  const [id] = route.parts;
  return (
    <>
      <h1>{words().scamdb.title}</h1>
      {id ? (
        <EntryView key={id} id={id} />
      ) : (
        <>
          <ScamLookupForm />
          <Entries />
          <Statistics />
          <ReportForm />
        </>
      )}
    </>
  );
}

/** One entry with its history. */
function EntryView({ id }: { id: string }) {
  const texts = words().scamdb;
  const { answer, error, loading } = useAnswer<ScamEntry>(
    (signal) => call(apiPath`/scamdb/entries/${id}`, { signal }),
    [id],
  );
  return (
    <section class="card" aria-labelledby="entry">
      <a href={linkTo('scamdb')}>← {texts.back}</a>
      <h2 id="entry">{texts.entry}</h2>
      <ErrorNote error={error} />
      {loading && <Loading />}
      {answer && (
        <>
          <EntryFacts entry={answer} />
          {answer.chains[0] && (
            <p>
              <a href={linkTo('scan', [answer.chains[0], answer.address])}>{texts.scan}</a>
            </p>
          )}
          <h3>{texts.history}</h3>
          <ol>
            {answer.history.map((one) => (
              <li key={`${one.at} ${one.action} ${one.source}`}>
                {momentText(one.at)} · {texts.actions[one.action]} · {one.source} {one.reason}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

/** Form that looks up if an address or a domain is listed. */
function ScamLookupForm() {
  const texts = words().scamdb;
  const [found, setFound] = useState<{ asked: string; answer: ScamLookup } | null>(null);
  const lookUp = async (fields: FormData) => {
    setFound(null);
    const asked = given(fields, 'asked') ?? '';
    setFound({ asked, answer: await call(apiPath`/scamdb/lookup/${asked}`) });
  };
  return (
    <section class="card" aria-labelledby="look-up">
      <h2 id="look-up">{texts.lookUp}</h2>
      <Form label={texts.lookUp} submit={texts.lookUp} onSubmit={lookUp}>
        <Field label={texts.lookUpLabel}>
          <input name="asked" required spellcheck={false} autocomplete="off" />
        </Field>
      </Form>
      <div role="status">
        {found && !found.answer.found && <EmptyNote text={`${found.asked}: ${texts.notListed}`} />}
        {found?.answer.domain && (
          <p>
            {texts.listed}: {found.answer.domain.name} ({found.answer.domain.sources.join(', ')})
          </p>
        )}
        {found?.answer.entry && (
          <article class="entry" aria-label={found.asked}>
            <h3>
              {texts.listed}: {found.asked}
            </h3>
            <p>{found.answer.match_type && texts.matches[found.answer.match_type]}</p>
            <EntryFacts entry={found.answer.entry} />
          </article>
        )}
      </div>
    </section>
  );
}

/** Reports a scam to the operator. */
function ReportForm() {
  const texts = words().scamdb;
  const [reportId, setReportId] = useState<string | null>(null);
  const report = async (fields: FormData) => {
    setReportId(null);
    const stolen = given(fields, 'stolen_usd');
    const body = {
      address: given(fields, 'address'),
      chain: given(fields, 'chain'),
      type: given(fields, 'type'),
      description: given(fields, 'description'),
      domains: given(fields, 'domains')?.split(/\s+/),
      evidence_url: given(fields, 'evidence_url'),
      stolen_usd: stolen === undefined ? undefined : Number(stolen),
    };
    const { report_id } = await call<{ report_id: string }>('/scamdb/report', { method: 'POST', body });
    setReportId(report_id);
  };
  return (
    <details class="card add">
      <summary>{texts.report}</summary>
      <Form label={texts.report} submit={texts.send} onSubmit={report}>
        <div class="fields">
          <AddressFields />
          <Field label={texts.type}>
            <ChoiceSelect name="type" choices={texts.types} initial="phishing" />
          </Field>
          <Field label={texts.stolenUsd}>
            <input name="stolen_usd" type="number" min={0} step="any" />
          </Field>
        </div>
        <Field label={texts.description}>
          <textarea name="description" required rows={3} maxLength={2_000} />
        </Field>
        <Field label={texts.domains} hint={texts.domainsHint}>
          <textarea name="domains" rows={2} spellcheck={false} />
        </Field>
        <Field label={texts.evidence}>
          <input name="evidence_url" type="url" maxLength={2_048} />
        </Field>
      </Form>
      <div role="status">{reportId && <EmptyNote text={texts.reported(reportId)} />}</div>
    </details>
  );
}

/** How much is listed: in all, and by kind, severity and chain. */
function Statistics() {
  const texts = words().scamdb;
  const { answer, error, loading } = useAnswer<ScamStats>((signal) => call('/scamdb/stats', { signal }), []);
  return (
    <section class="card" aria-labelledby="statistics">
      <h2 id="statistics">{texts.statistics}</h2>
      <ErrorNote error={error} />
      {loading && <Loading />}
      {answer && (
        <>
          <dl class="facts">
            <dt>{texts.verified}</dt>
            <dd>{count(answer.verified_entries)}</dd>
            <dt>{texts.total}</dt>
            <dd>{count(answer.total_entries)}</dd>
            {answer.total_stolen_usd > 0 && (
              <>
                <dt>{texts.stolen}</dt>
                <dd>{dollars(answer.total_stolen_usd)}</dd>
              </>
            )}
            <dt>{texts.updated}</dt>
            <dd>{momentText(answer.updated_at)}</dd>
          </dl>
          {answer.verified_entries > 0 && (
            <div class="columns">
              <Counts title={texts.byType} counts={answer.by_type} all={answer.verified_entries} names={texts.types} />
              <Counts
                title={texts.bySeverity}
                counts={answer.by_severity}
                all={answer.verified_entries}
                names={words().parts.levels}
              />
              <Counts
                title={texts.byChain}
                counts={answer.by_chain}
                all={answer.verified_entries}
                names={CHAIN_CHOICES}
              />
            </div>
          )}
        </>
      )}
    </section>
  );
}

interface CountsProps {
  title: string;
  counts: Record<string, number>;
  /** Value of a full bar. */
  all: number;
  names: Record<string, string>;
}

function Counts({ title, counts, all, names }: CountsProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {Object.entries(counts)
        .filter(([, n]) => n > 0)
        .sort(([, a], [, b]) => b - a)
        .map(([value, n]) => (
          <ProgressBar key={value} label={names[value] ?? value} share={n / all} text={count(n)} />
        ))}
    </section>
  );
}

/** Shows the fields of an entry. */
function EntryFacts({ entry }: { entry: ScamEntry }) {
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

const PAGE = 20;

interface Filter {
  /** Words to search for; with them, kind and severity do not count. */
  q: string;
  type: string;
  severity: string;
}

/** The verified entries, newest first, or those that hold the searched words. */
function Entries() {
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
            <Field label={texts.search}>
              <input name="q" type="search" maxLength={200} aria-describedby="search-hint" />
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
      <small id="search-hint" class="hint block">
        {texts.searchHint}
      </small>
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
              { title: texts.domains, says: ({ domain_count }) => domain_count > 0, cell: domainsOf },
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
