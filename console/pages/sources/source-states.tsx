import { count } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { MomentText } from '../../parts/moment-text.tsx';
import { Table } from '../../parts/table.tsx';
import type { SourceCheck, Sources } from '../../service/answers.ts';

interface SourceStatesProps {
  sources: Sources['sources'];
  /** Those that were asked. */
  checked: SourceCheck['sources'];
}

/** The sources one by one, with their settings and what they lack. */
export function SourceStates({ sources, checked }: SourceStatesProps) {
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
