import { useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import { type CarriedAnswer, carryToCanvas } from '../../desk/carried.ts';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import type { Boards } from '../../service/answers.ts';
import { call } from '../../service/api.ts';
import { useAnswer } from '../../service/use-answer.ts';

/** Draws an answer on a new canvas, or adds it to a saved board. */
export function ToCanvas({ carried }: { carried: CarriedAnswer }) {
  const texts = words().query;
  const [board, setBoard] = useState('');
  const { answer } = useAnswer<Boards>((signal) => call('/boards', { query: { limit: 200 }, signal }), []);
  const boards = Object.fromEntries((answer?.boards ?? []).map(({ id, title }) => [id, title]));
  return (
    <>
      <ChoiceSelect
        aria-label={texts.canvas}
        value={board}
        none={texts.newCanvas}
        choices={boards}
        onChange={setBoard}
      />
      <button type="button" onClick={() => carryToCanvas(carried, board)}>
        {texts.toCanvas}
      </button>
    </>
  );
}
