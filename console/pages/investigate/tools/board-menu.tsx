import { useRef, useState } from 'preact/hooks';
import { momentText } from '../../../browser/figures.ts';
import { goTo, linkTo } from '../../../browser/route.ts';
import { bracketed, labelled, words } from '../../../browser/words.ts';
import { type CanvasSession, usualTitle } from '../../../canvas-session/canvas-session.ts';
import { importScene, type Saving } from '../../../canvas-session/saving.ts';
import { Dropdown } from '../../../parts/dropdown.tsx';
import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../../parts/form/confirm-button.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import { WatchSubjects } from '../../../parts/watch-subjects.tsx';
import { readScene } from '../../../scene/fit-scene.ts';
import type { Board, BoardVersions, Cases } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAnswer } from '../../../service/use-answer.ts';

/** The board on which the picture is kept: its name, its case, its versions. */
export function BoardMenu({ session, saving }: { session: CanvasSession; saving: Saving }) {
  const texts = words().canvas;
  const board = saving.board.value;
  const { scene } = session.stage.value;
  const [title, setTitle] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const { answer } = useAnswer<Cases>((signal) => call('/cases', { signal }), []);
  const file = useRef<HTMLInputElement>(null);
  const name = title ?? board?.title ?? usualTitle(session);
  const remove = async () => {
    if (!board) return;
    await call(apiPath`/boards/${board.id}`, { method: 'DELETE', version: board.version });
    goTo(linkTo('investigate'));
  };
  return (
    <Dropdown label={texts.board}>
      <Field label={texts.boardTitle}>
        <input maxLength={200} value={name} onInput={(event) => setTitle(event.currentTarget.value)} />
      </Field>
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={scene.nodes.length === 0 || name.trim() === '' || saving.state.value === 'saving'}
          onClick={() => (board ? saving.change({ title: name.trim() }) : saving.save(name.trim()))}
        >
          {texts.save}
        </button>
        {board && (
          <ConfirmButton
            label={texts.remove}
            about={board.title}
            onConfirm={() => void remove().catch((error: Error) => setRefused(error.message))}
          />
        )}
      </div>
      {board && (
        <>
          <Field label={words().investigate.case}>
            <ChoiceSelect
              value={board.case_id ?? ''}
              none={texts.noCase}
              choices={Object.fromEntries((answer?.cases ?? []).map((one) => [one.id, one.title]))}
              onChange={(id) => saving.change({ case_id: id || null })}
            />
          </Field>
          {board.case_id && <a href={linkTo('cases', [board.case_id])}>{words().investigate.toCase}</a>}
          <p class="muted">{labelled(texts.savedAt, `${momentText(board.saved_at)}, ${board.saved_by}`)}</p>
          <WatchSubjects path={apiPath`/boards/${board.id}`} />
          <Versions session={session} board={board} />
        </>
      )}
      <ErrorNote error={refused ?? (saving.state.value === 'failed' ? saving.error.value : null)} />
      <input
        ref={file}
        type="file"
        accept="application/json"
        hidden
        onChange={async ({ currentTarget: { files } }) => {
          const [chosen] = files ?? [];
          if (chosen) setRefused((await importScene(session, chosen)) ? null : texts.noScene);
        }}
      />
      <button type="button" onClick={() => file.current?.click()}>
        {texts.import}
      </button>
    </Dropdown>
  );
}

/** The kept versions of a board; opening one puts its picture here, as a step that undo takes back. */
function Versions({ session, board }: { session: CanvasSession; board: Board }) {
  const texts = words().canvas;
  const { answer } = useAnswer<BoardVersions>(
    (signal) => call(apiPath`/boards/${board.id}/versions`, { signal }),
    [board.version],
  );
  const open = (version: number) =>
    session.run(async (signal) => {
      const path = apiPath`/boards/${board.id}/versions/${String(version)}`;
      const found = await call<{ version: { scene: unknown } }>(path, { signal });
      const scene = await readScene(found.version.scene);
      if (!scene) throw new Error(texts.noScene);
      session.edit(() => scene);
    });
  const versions = answer?.versions ?? [];
  return (
    <details>
      <summary>{bracketed(texts.versions, versions.length)}</summary>
      <ul class="address-buttons">
        {versions.map(({ version, saved_at, saved_by }) => (
          <li key={version}>
            <button type="button" class="link" onClick={() => open(version)}>
              {momentText(saved_at)}
            </button>{' '}
            <span class="muted">{saved_by}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
