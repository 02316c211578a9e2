/** A NUL, which PostgreSQL does not keep, or half a character, which no store gives back as it was. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/** Returns the text with a mark in place of each character that some store does not keep. */
export function storableText(text: string): string {
  return text.replace(UNSTORABLE, '\ufffd');
}

/** Returns false for a text that some store does not give back as it is. */
export function isStorable(text: string): boolean {
  return text.search(UNSTORABLE) === -1;
}
