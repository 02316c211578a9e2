/** Space, control, format and private characters, and the letters of Unicode that show nothing. */
const INVISIBLE = /^[\p{C}\p{Z}\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0\p{Variation_Selector}\u034F]*$/u;

/** False for a text in which nobody sees anything. */
export function isVisible(text: string): boolean {
  return !INVISIBLE.test(text);
}
