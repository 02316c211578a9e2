/** Size of letters in cards; none is drawn smaller on the screen than `SMALLEST`. */
export const FONT = 12;
export const SMALLEST = 10.9;
/** Heads of arrows, for their width. */
export const ARROW_SCALE = 0.9;
