/** Size of letters in cards; none is drawn smaller on the screen than `SMALLEST`. */
export const FONT = 12;
export const SMALLEST = 10.9;
/** On the screen, of names that stand for a picture which is too small for all of them. */
export const LOUD = 11.5;
