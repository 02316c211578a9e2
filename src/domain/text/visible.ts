/** Space, control, format and private characters, letters that Unicode says show nothing, and the empty braille pattern. */
const INVISIBLE = /^[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Line breaks and tabs apart, characters that no store keeps or that turn text around for the reader. */
const CONTROLS = /[^\P{Cc}\t\n\r]|[\p{Cs}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

// Bidirectional controls turn text around for the reader; PostgreSQL cannot store NUL.
/** Text of one line that a person may write. */
export const ONE_LINE = /^[^\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]*$/u;
/** The same of several lines, with tabs. */
export const LINES = /^(?:[^\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]|\t|\n|\r)*$/u;

/** The text without control characters, and without those that change the direction of what follows. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '');
}

/** False for a text in which nobody sees anything. */
export function isVisible(text: string): boolean {
  return !INVISIBLE.test(text);
}

/** A name of a key or account, each of whose characters shows: two names that look alike must not differ in unseen ones. */
export const PLAIN_NAME = /^[^\p{Cc}\p{Cs}\u2028\u2029\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]*$/u;
