import { partTexts } from '../texts/parts.ts';

type Level = keyof ReturnType<typeof partTexts>['levels'];

/** A risk level in its colour; the word carries the meaning. */
export function LevelBadge({ level, score }: { level: Level; score?: number }) {
  return (
    <span class={`badge level-${level.toLowerCase()}`}>
      {partTexts().levels[level]}
      {score === undefined ? '' : ` ${score}`}
    </span>
  );
}
