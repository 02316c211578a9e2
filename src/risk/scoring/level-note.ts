import { LIST_GAPS, type ListGap } from '../../domain/label.ts';
import type { Language } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import type { LevelBasis } from '../detection.ts';

/** Ground of a level beside the address's own transfers. */
export interface LevelGround {
  basis: LevelBasis;
  /** Part (0-1) of the received money with a labelled origin; null where none was received. */
  known: number | null;
  /** Part of it that no limit of ours left without one. */
  explained: number | null;
  listGap: ListGap | null;
}

/** The same of a recorded scan. */
export function groundOf(
  basis: LevelBasis,
  coverage: { reasons?: string[]; trace?: { attributed?: Received; explained?: Received } } | undefined,
): LevelGround {
  const { reasons = [], trace } = coverage ?? {};
  const listGap = LIST_GAPS.find((gap) => reasons.includes(gap)) ?? null;
  return { basis, known: trace?.attributed?.received ?? null, explained: trace?.explained?.received ?? null, listGap };
}

type Received = { received: number | null };

/** The line beside a level: lists that are wanting, and how much of the received money has a known origin or was looked at. */
export function levelNote({ basis, known, explained, listGap }: LevelGround, lang: Language): string | null {
  const { listGaps, origins, betweenNotes } = WORDS[lang].coverage;
  const percent = (share: number) => String(Math.floor(100 * share));
  const notes = [
    ...(listGap ? [listGaps[listGap]] : []),
    ...(basis !== 'labels_only' && explained !== null
      ? [origins.replace('{known}', percent(known ?? 0)).replace('{share}', percent(explained))]
      : []),
  ];
  return notes.length > 0 ? notes.join(betweenNotes) : null;
}
