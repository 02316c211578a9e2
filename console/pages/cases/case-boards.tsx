import { useState } from 'preact/hooks';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import type { Boards } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';

const PAGE = 20;

/** The boards that are attached to a case. */
export function CaseBoards({ caseId }: { caseId: string }) {
  const texts = words().cases;
  const [offset, setOffset] = useState(0);
  const { answer, error, loading } = useAnswer<Boards>(
    (signal) => call('/boards', { query: { case_id: caseId, limit: PAGE, offset }, signal }),
    [caseId, offset],
  );
  return (
    <section class="card" aria-labelledby="boards">
      <h2 id="boards">{texts.boards}</h2>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && (
        <Table
          caption={texts.boards}
          rows={answer.boards}
          keyOf={(board) => board.id}
          empty={texts.noBoards}
          columns={[
            {
              title: texts.caseTitle,
              cell: (board) => <a href={linkTo('investigate', ['board', board.id])}>{board.title}</a>,
            },
            { title: texts.boardNodes, cell: (board) => board.nodes, numeric: true },
            { title: texts.boardVersion, cell: (board) => board.version, numeric: true },
            { title: texts.boardSaved, cell: (board) => <MomentText at={board.saved_at} /> },
            { title: texts.boardBy, cell: (board) => <bdi>{board.saved_by}</bdi> },
          ]}
        />
      )}
      {answer && <Pager page={answer} onOffset={setOffset} />}
      <p>
        <a href={linkTo('investigate')}>{texts.newBoard}</a>
      </p>
    </section>
  );
}
