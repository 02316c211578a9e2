/** The end of an earlier step. */
export type End = [block: number, hash: string];

/** Steps for which a node may be behind another; what no node has by then is taken for an end that never was. */
const BEHIND_MAX = 25;
/** Ends that are remembered, to find where a chain was reorganised. */
const ENDS_MAX = 16;

/** Ends of earlier steps. A node that once stated a block far ahead would otherwise hold a chain there for ever. */
export class Trail {
  /** Steps in a row in which the newest block was older than the last end. */
  private behind = 0;

  /** `isCut` where ends were dropped that no node has. */
  read(place: string | null, head: number): { ends: End[]; isCut: boolean } {
    const ends = place === null ? [] : (JSON.parse(place) as End[]);
    this.behind = head < (ends.at(-1)?.[0] ?? -1) ? this.behind + 1 : 0;
    if (this.behind <= BEHIND_MAX) return { ends, isCut: false };
    this.behind = 0;
    return { ends: ends.filter(([block]) => block <= head), isCut: true };
  }
}

/**
 * The last block that was heard and that the chain still has. One more than `gapMax` behind the newest is not asked for: all is
 * looked at after such a gap, and a node without old blocks would answer for it never again.
 */
export async function anchorOf(
  trail: readonly End[],
  { head, gapMax, hashAt }: { head: number; gapMax: number; hashAt: (block: number) => Promise<string> },
): Promise<{ anchor: number | null; isReorganised: boolean }> {
  let isReorganised = false;
  for (const [block, hash] of trail.toReversed()) {
    if (block > head) continue;
    if (head - block > gapMax || (await hashAt(block)) === hash) return { anchor: block, isReorganised };
    isReorganised = true;
  }
  const [oldest] = trail;
  return oldest ? { anchor: Math.min(oldest[0], head) - 1, isReorganised: true } : { anchor: null, isReorganised };
}

/** Writes where the next step goes on. While the node is behind, all ends stay: the chain may have others in their place. */
export function placeAfter(
  ends: readonly End[],
  { anchor, isReorganised, heard }: { anchor: number | null; isReorganised: boolean; heard: readonly End[] },
): string {
  const last = heard.at(-1)?.[0] ?? anchor ?? -1;
  const isBehind = !isReorganised && last < (ends.at(-1)?.[0] ?? -1);
  const kept = isBehind
    ? ends
    : [...ends.filter(([block]) => block <= (anchor ?? -1) && block < (heard[0]?.[0] ?? Infinity)), ...heard];
  return JSON.stringify(kept.slice(-ENDS_MAX));
}
