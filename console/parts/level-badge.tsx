import type { ConsoleWords } from '../browser/words.ts';
import { words } from '../browser/words.ts';

type Level = keyof ConsoleWords['parts']['levels'];

/** A risk level in its colour; the word carries the meaning. */
export function LevelBadge({ level, score }: { level: Level; score?: number }) {
  return (
    <span class={`badge level-${level.toLowerCase()}`}>
      {words().parts.levels[level]}
      {score === undefined ? '' : ` ${score}`}
    </span>
  );
}
