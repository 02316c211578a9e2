import { amountText, FORMS, shareText, trimmed } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import type { Language } from '../../../words/language.ts';
import { WORDS } from '../../../words/words.ts';
import { LIST_GAPS, type ListGap } from '../../domain/label.ts';
import type { EndReason } from '../../domain/tracing/flow-portion.ts';
import type { MoneyBeyond, UnvaluedAmount } from '../assessment.ts';
import type { LevelBasis } from '../detection.ts';

/** Ground of a level beside the address's own transfers. */
export interface LevelGround {
  basis: LevelBasis;
  /** Part (0-1) of the received money with a labelled origin; null where none was received. */
  known: number | null;
  /** Part of it that no limit of ours left without one. */
  explained: number | null;
  listGap: ListGap | null;
  /** Why the history of the address is not whole, and why its money was not followed. */
  own: readonly string[];
  behind: readonly string[];
  /** Adverse dealings in assets without a price; default: none. */
  unvalued?: readonly UnvaluedAmount[];
  /** Directions of which more than half ended at a limit of hops or time; default: none. */
  beyond?: readonly Beyond[];
}

type Beyond = Pick<MoneyBeyond, 'direction' | 'usd' | 'share'>;

const UNSEEN = 'received_unseen' satisfies EndReason;
/** Reasons by which what is known contradicts that all was read. */
const CONTRADICTIONS = [UNSEEN, 'conflict', 'moved_since'] as const;

/** The same of a recorded scan. */
export function groundOf(
  basis: LevelBasis,
  coverage:
    | {
        reasons?: string[];
        unvalued?: UnvaluedAmount[];
        trace?: { attributed?: Received; explained?: Received; reasons?: string[]; beyond?: Beyond[] };
      }
    | undefined,
): LevelGround {
  const { reasons = [], unvalued = [], trace } = coverage ?? {};
  const listGap = LIST_GAPS.find((gap) => reasons.includes(gap)) ?? null;
  const shares = { known: trace?.attributed?.received ?? null, explained: trace?.explained?.received ?? null };
  return {
    basis,
    ...shares,
    listGap,
    own: reasons,
    behind: trace?.reasons ?? [],
    beyond: trace?.beyond ?? [],
    unvalued,
  };
}

type Received = { received: number | null };

/**
 * The line beside a level: lists that are wanting, how much of the received money has a known origin or was looked at, and what
 * contradicts that all was read.
 */
export function levelNote(ground: LevelGround, lang: Language): string | null {
  const { basis, known, explained, listGap, own, behind, beyond = [], unvalued = [] } = ground;
  const {
    listGaps,
    origins,
    betweenNotes,
    readings,
    mayLack,
    overspentBehind,
    unvalued: withoutPrice,
    beyond: beyondReach,
  } = WORDS[lang].coverage;
  const contradictions = CONTRADICTIONS.filter((reason) => own.includes(reason)).map((reason) => readings[reason]);
  const notes = [
    ...beyond.map(({ direction, usd, share }) =>
      fill(beyondReach[direction], { usd: FORMS[lang].number(trimmed(usd, 2)), share: shareText(share, lang) }),
    ),
    ...(unvalued.length > 0 ? [fill(withoutPrice, { amounts: amountsText(unvalued, lang) })] : []),
    ...(listGap ? [listGaps[listGap]] : []),
    ...(basis !== 'labels_only' && explained !== null
      ? [fill(origins, { known: shareText(known ?? 0, lang), share: shareText(explained, lang) })]
      : []),
    ...(basis !== 'labels_only' && contradictions.length > 0
      ? [fill(mayLack, { reasons: contradictions.join(FORMS[lang].comma) })]
      : []),
    ...(basis === 'partial' && behind.includes(UNSEEN) ? [overspentBehind] : []),
  ];
  return notes.length > 0 ? notes.join(betweenNotes) : null;
}

/** Most assets named in a note. */
const AMOUNTS_MAX = 3;

function amountsText(amounts: readonly UnvaluedAmount[], lang: Language): string {
  const named = amounts.slice(0, AMOUNTS_MAX).map(({ amount, asset }) => amountText(`${amount} ${asset}`, lang));
  return [...named, ...(amounts.length > AMOUNTS_MAX ? ['…'] : [])].join(FORMS[lang].comma);
}
