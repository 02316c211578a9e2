/** Size of letters in cards; none is drawn smaller on the screen than `SMALLEST`. */
export const FONT = 12;
export const SMALLEST = 10.9;
