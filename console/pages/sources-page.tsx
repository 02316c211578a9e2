import { useState } from 'preact/hooks';
import { CHAINS, type Chain, chainName } from '../../src/domain/chain.ts';
import { count, percentOnLine, relativeText, writtenDay } from '../browser/figures.ts';
import { comma, words } from '../browser/words.ts';
import { MomentText } from '../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../parts/notes.tsx';
import { Table } from '../parts/table.tsx';
import type { SourceCheck, Sources, Watched, Watchlist } from '../service/answers.ts';
import { call } from '../service/api.ts';
import { useAction } from '../service/use-action.ts';
import { useAnswer } from '../service/use-answer.ts';
import { isFailing } from './sources-summary.tsx';

/** `#/sources`: the sources of data that the operator configured, the lists, and what waits for a decision. */
export function SourcesPage() {
  const { answer, error, loading } = useAnswer((signal) => call<Sources>('/sources', { signal }), []);
  return (
    <>
      <h1>{words().sources.title}</h1>
      <ErrorNote error={error} />
      {loading && <Loading />}
      {answer && (
        <>
          <ChainStates {...answer} />
          <ListStates {...answer} />
          <PriceSources prices={answer.prices} />
        </>
      )}
    </>
  );
}

interface ListRow {
  key: string;
  source: string;
  kept: Sources['lists'][number] | null;
  loaded: Sources['loaded_lists'][number] | undefined;
}

function licenceOf({ kept, loaded }: ListRow) {
  return kept?.licence ?? loaded?.licence;
}

/** The lists that the service keeps current and those that were loaded by hand; first what waits for a decision. */
function ListStates({ lists, loaded_lists: loaded, list_gap }: Sources) {
  const texts = words().sources;
  const kept = lists.map((list): ListRow => {
    const ofSource = loaded.find(({ source }) => source === list.source);
    return { key: `${list.source} ${list.place} ${list.next_at}`, source: list.source, kept: list, loaded: ofSource };
  });
  const others = loaded
    .filter(({ source }) => !lists.some((list) => list.source === source))
    .map((list): ListRow => ({ key: list.source, source: list.source, kept: null, loaded: list }));
  const rows = [...kept, ...others];
  return (
    <section class="card" aria-labelledby="lists">
      <h2 id="lists">{texts.lists}</h2>
      {list_gap && (
        <div class="note error">
          {words().coverage.listGaps[list_gap]}
          <div class="hint">{texts.closeGap[list_gap]}</div>
        </div>
      )}
      {lists.map(({ source, place, state, next_at }) =>
        state === 'failed' || state === 'waiting' ? (
          <p key={`${source} ${place} ${next_at}`} class="note error">
            {source}: {state === 'waiting' ? texts.decide(source) : texts.notRefreshed}
          </p>
        ) : null,
      )}
      <Table
        caption={texts.lists}
        empty={texts.noLists}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { title: texts.list, cell: ({ source }) => source },
          { title: texts.state, cell: (row) => texts.listStates[row.kept?.state ?? 'loaded'] },
          { title: texts.entries, numeric: true, cell: (row) => (row.loaded ? count(row.loaded.entries) : '') },
          { title: texts.day, cell: ({ loaded }) => loaded && writtenDay(loaded.as_of) },
          // What was loaded by hand has neither.
          {
            title: texts.next,
            says: (row) => row.kept !== null,
            cell: (row) => row.kept && <MomentText at={row.kept.next_at} />,
          },
          { title: texts.licence, says: (row) => Boolean(licenceOf(row)), cell: licenceOf },
        ]}
      />
    </section>
  );
}

/** The sources of daily prices, and prices that were refused. */
function PriceSources({ prices }: { prices: Sources['prices'] }) {
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

type Used = Sources['sources'][number];
type Checked = SourceCheck['sources'][number];

interface ChainRow {
  chain: Chain;
  sources: Used[];
  /** Sources that were asked. */
  found: Checked[];
  labels: Sources['labels_by_chain'][number] | undefined;
}

/** Every chain with the health of its sources, the age of its newest block, live watch and labels; a button asks the sources. */
function ChainStates({ sources, labels_by_chain: labels }: Sources) {
  const texts = words().sources;
  const [checked, setChecked] = useState<Checked[]>([]);
  const check = useAction(async () => {
    setChecked((await call<SourceCheck>('/sources/check', { method: 'POST' })).sources);
  });
  const watched = useAnswer((signal) => watchedLive(signal), []);
  const rows = CHAINS.map((chain): ChainRow => {
    const isOfChain = (one: { chain: Chain }) => one.chain === chain;
    return {
      ...{ chain, sources: sources.filter(isOfChain), found: checked.filter(isOfChain) },
      labels: labels.find(isOfChain),
    };
  });
  const liveOf = (row: ChainRow) => watched.answer?.filter(({ chain }) => chain === row.chain) ?? [];
  const unasked = rows.filter((row) => healthOf(row.sources, row.found) === null);
  return (
    <section class="card" aria-labelledby="chain-sources">
      <h2 id="chain-sources">{texts.chains}</h2>
      <Table
        caption={texts.chains}
        empty={texts.noChains}
        rows={rows}
        keyOf={({ chain }) => chain}
        columns={[
          { title: words().parts.chain, cell: ({ chain }) => chainName(chain) },
          { title: texts.state, cell: (row) => <Health {...row} /> },
          {
            title: texts.blockAge,
            // Known of what was asked here alone.
            says: ({ found }) => found.length > 0,
            cell: ({ found }) => <BlockAge found={found} />,
          },
          { title: texts.live, says: (row) => liveOf(row).length > 0, cell: (row) => <Live items={liveOf(row)} /> },
          { title: texts.labels, numeric: true, cell: (row) => (row.labels?.labels ? count(row.labels.labels) : '') },
          {
            title: texts.share,
            head: <span title={texts.shareHint}>{texts.share}</span>,
            numeric: true,
            cell: (row) => (row.labels?.labelled_share == null ? '' : percentOnLine(row.labels.labelled_share)),
          },
        ]}
      />
      {unasked.length > 0 && (
        <p class="muted">{texts.notAsked(unasked.map(({ chain }) => chainName(chain)).join(comma()))}</p>
      )}
      <ErrorNote error={check.error ?? watched.error} />
      {sources.length > 0 && (
        <button type="button" disabled={check.busy} onClick={() => check.run()}>
          {check.busy ? texts.checking : texts.check}
        </button>
      )}
      <SourceStates sources={sources} checked={checked} />
    </section>
  );
}

/** All watched addresses that are to be listened to. */
async function watchedLive(signal: AbortSignal): Promise<Watched[]> {
  const limit = 100;
  const live: Watched[] = [];
  for (let offset = 0; ; offset += limit) {
    const { items, total } = await call<Watchlist>('/watchlist', { query: { limit, offset }, signal });
    live.push(...items.filter((item) => item.live.state !== 'off'));
    if (items.length === 0 || offset + items.length >= total) return live;
  }
}

/** The best that a source of the chain can do: one that answers is enough. */
function Health({ sources, found }: ChainRow) {
  const texts = words().sources;
  const health = healthOf(sources, found);
  if (!health) return null;
  const [mark, text] = health;
  const problems = found.length > 0 ? found.map(({ problem }) => problem) : sources.map((one) => one.last_problem);
  const problem = mark === 'bad' ? problems.find((one) => one !== null) : null;
  return (
    <>
      <span class={`health ${mark}`}>{text}</span>
      {problem && <small class="hint block">{texts.problems[problem]}</small>}
    </>
  );
}

/** Null where none of the sources was asked yet. */
function healthOf(sources: Used[], found: Checked[]): [mark: 'good' | 'poor' | 'bad' | 'none', text: string] | null {
  const { states, noSource, answered } = words().sources;
  if (sources.length === 0) return ['none', noSource];
  if (found.some(({ state }) => state === 'ok')) return ['good', states.ok];
  if (found.some(({ state }) => state === 'behind')) return ['poor', states.behind];
  if (found.length > 0 || sources.every(isFailing)) return ['bad', states.failed];
  return sources.some((one) => one.last_success_at !== null) ? ['good', answered] : null;
}

/** How old the newest block is that a source of the chain knows. */
function BlockAge({ found }: { found: Checked[] }) {
  const newest = found
    .filter(({ height_at }) => height_at !== null)
    .toSorted((a, b) => (b.height ?? 0) - (a.height ?? 0))[0];
  if (!newest?.height_at) return null;
  return (
    <>
      <time dateTime={newest.height_at}>{relativeText(newest.height_at)}</time>
      {newest.height !== null && <small class="hint block numeric-left">{count(newest.height)}</small>}
    </>
  );
}

function Live({ items }: { items: Watched[] }) {
  const texts = words().sources;
  const heard = items.filter(({ live }) => live.state === 'listening').length;
  const lost = items.filter(({ live }) => live.state === 'unavailable');
  const [reason] = lost.flatMap(({ live }) => live.reason ?? []);
  return (
    <>
      {heard > 0 && <span class="health good">{texts.heard(heard)}</span>}
      {lost.length > 0 && <span class="health bad">{texts.unheard(lost.length)}</span>}
      {reason && <small class="hint block">{words().monitoring.liveReasons[reason]}</small>}
    </>
  );
}

interface SourceStatesProps {
  sources: Sources['sources'];
  /** Sources that were asked. */
  checked: SourceCheck['sources'];
}

/** The sources one by one, with their settings and what they lack. */
function SourceStates({ sources, checked }: SourceStatesProps) {
  const texts = words().sources;
  const rows = sources.map((source) => ({ source, found: checked.find((one) => one.setting === source.setting) }));
  const problems = rows.flatMap(({ source, found }) => {
    const problem = found ? found.problem : source.last_success_at === null ? source.last_problem : null;
    return problem === null ? [] : [`${source.setting}: ${texts.problems[problem]}`];
  });
  return (
    <>
      {problems.map((problem) => (
        <p key={problem} class="note error">
          {problem}
        </p>
      ))}
      {sources.length > 0 && (
        <details class="add">
          <summary>{texts.perSource}</summary>
          <Table
            caption={texts.perSource}
            empty={texts.noChains}
            rows={rows}
            keyOf={({ source }) => source.setting}
            columns={[
              { title: texts.setting, cell: ({ source }) => <code>{source.setting}</code> },
              { title: texts.host, cell: ({ source }) => source.host ?? texts.own },
              { title: texts.state, cell: ({ found }) => texts.states[found?.state ?? 'unasked'] },
              {
                title: texts.rate,
                cell: ({ source }) =>
                  source.requests_per_second === null ? '' : texts.perSecond(count(source.requests_per_second)),
              },
              {
                title: texts.height,
                numeric: true,
                cell: ({ found }) => (found?.height == null ? '' : count(found.height)),
              },
              {
                title: texts.lastSuccess,
                cell: ({ source, found }) => {
                  const at = found && found.state !== 'failed' ? found.height_at : source.last_success_at;
                  return at && <MomentText at={at} />;
                },
              },
              { title: texts.lacks, cell: ({ found }) => found?.lacks.map((lack) => texts.lacking[lack]).join(', ') },
            ]}
          />
        </details>
      )}
    </>
  );
}
