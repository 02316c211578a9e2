/** Space, control, format and private characters, letters that Unicode says show nothing, and the empty braille pattern. */
const INVISIBLE = /^[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** False for a text in which nobody sees anything. */
export function isVisible(text: string): boolean {
  return !INVISIBLE.test(text);
}
