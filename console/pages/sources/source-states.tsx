import { useState } from 'preact/hooks';
import { count } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { Table } from '../../parts/table.tsx';
import type { SourceCheck, Sources } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';

/** The sources of each chain; a button asks all of them. */
export function SourceStates({ sources }: { sources: Sources['sources'] }) {
  const texts = words().sources;
  const [checked, setChecked] = useState<SourceCheck['sources']>([]);
  const check = useAction(async () => {
    setChecked((await call<SourceCheck>('/sources/check', { method: 'POST' })).sources);
  });
  const rows = sources.map((source) => ({ source, found: checked.find((one) => one.setting === source.setting) }));
  const problems = rows.flatMap(({ source, found }) => {
    const problem = found ? found.problem : source.last_success_at === null ? source.last_problem : null;
    return problem === null ? [] : [`${source.setting}: ${texts.problems[problem]}`];
  });
  return (
    <section class="card" aria-labelledby="chain-sources">
      <h2 id="chain-sources">{texts.chains}</h2>
      <Table
        caption={texts.chains}
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
      {problems.map((problem) => (
        <p key={problem} class="note error">
          {problem}
        </p>
      ))}
      <ErrorNote error={check.error} />
      {sources.length > 0 && (
        <button type="button" disabled={check.busy} onClick={() => check.run()}>
          {check.busy ? texts.checking : texts.check}
        </button>
      )}
    </section>
  );
}
