import { momentText } from '../../../browser/figures.ts';
import { bracketed, words } from '../../../browser/words.ts';
import type { Desk } from '../../../desk/desk.ts';
import { readScene } from '../../../scene/fit-scene.ts';
import type { Board, BoardVersions } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAnswer } from '../../../service/use-answer.ts';

/** The kept versions of a board; opening one puts its picture here, as a step that undo takes back. */
export function Versions({ desk, board }: { desk: Desk; board: Board }) {
  const texts = words().canvas;
  const { answer } = useAnswer<BoardVersions>(
    (signal) => call(apiPath`/boards/${board.id}/versions`, { signal }),
    [board.version],
  );
  const open = (version: number) =>
    desk.run(async (signal) => {
      const path = apiPath`/boards/${board.id}/versions/${String(version)}`;
      const found = await call<{ version: { scene: unknown } }>(path, { signal });
      const scene = await readScene(found.version.scene);
      if (!scene) throw new Error(texts.noScene);
      desk.edit(() => scene);
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
