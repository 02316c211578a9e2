import { count, writtenDay } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { MomentText } from '../../parts/moment-text.tsx';
import { Table } from '../../parts/table.tsx';
import type { Sources } from '../../service/answers.ts';

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
export function ListStates({ lists, loaded_lists: loaded, list_gap }: Sources) {
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
          ...(kept.length > 0
            ? [{ title: texts.next, cell: (row: ListRow) => row.kept && <MomentText at={row.kept.next_at} /> }]
            : []),
          ...(rows.some(licenceOf) ? [{ title: texts.licence, cell: licenceOf }] : []),
        ]}
      />
    </section>
  );
}
