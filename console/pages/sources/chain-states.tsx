import { useState } from 'preact/hooks';
import { CHAINS, type Chain, chainName } from '../../../src/domain/chain.ts';
import { count, percentOnLine, relativeText } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { Table } from '../../parts/table.tsx';
import type { SourceCheck, Sources, Watched, Watchlist } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { isFailing } from '../home/sources-summary.tsx';
import { SourceStates } from './source-states.tsx';

type Used = Sources['sources'][number];
type Checked = SourceCheck['sources'][number];

interface ChainRow {
  chain: Chain;
  sources: Used[];
  /** Those that were asked. */
  found: Checked[];
  labels: Sources['labels_by_chain'][number] | undefined;
}

/** Every chain with the health of its sources, the age of its newest block, live watch and labels; a button asks the sources. */
export function ChainStates({ sources, labels_by_chain: labels }: Sources) {
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
          { title: texts.blockAge, cell: ({ found }) => <BlockAge found={found} /> },
          {
            title: texts.live,
            cell: ({ chain }) => <Live items={watched.answer?.filter((item) => item.chain === chain) ?? []} />,
          },
          { title: texts.labels, numeric: true, cell: (row) => (row.labels?.labels ? count(row.labels.labels) : '') },
          {
            title: texts.share,
            head: <span title={texts.shareHint}>{texts.share}</span>,
            numeric: true,
            cell: (row) => (row.labels?.labelled_share == null ? '' : percentOnLine(row.labels.labelled_share)),
          },
        ]}
      />
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
  const [mark, text] = healthOf(sources, found);
  const problems = found.length > 0 ? found.map(({ problem }) => problem) : sources.map((one) => one.last_problem);
  const problem = mark === 'bad' ? problems.find((one) => one !== null) : null;
  return (
    <>
      <span class={`health ${mark}`}>{text}</span>
      {problem && <small class="hint block">{texts.problems[problem]}</small>}
    </>
  );
}

function healthOf(sources: Used[], found: Checked[]): ['good' | 'poor' | 'bad' | 'none', string] {
  const { states, noSource, answered } = words().sources;
  if (sources.length === 0) return ['none', noSource];
  if (found.some(({ state }) => state === 'ok')) return ['good', states.ok];
  if (found.some(({ state }) => state === 'behind')) return ['poor', states.behind];
  if (found.length > 0 || sources.every(isFailing)) return ['bad', states.failed];
  return sources.some((one) => one.last_success_at !== null) ? ['good', answered] : ['none', states.unasked];
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
