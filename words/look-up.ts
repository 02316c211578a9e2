import { NULL_ADDRESSES } from '../src/domain/null-addresses.ts';

/** Returns the code of why a way ends; newly issued units, which no address paid, have a code of their own. */
export function endCode({ kind, address }: { kind: string; address: string | null }): string {
  return kind === 'unknown_origin' && address !== null && NULL_ADDRESSES.has(address) ? 'issued' : kind;
}

/** The word that stands for a code; the code itself where there is none. */
export function lookUp(words: Record<string, string>, code: string): string {
  return words[code] ?? code;
}

/** A category, kind or feature in words; its code with blanks where there is no word. */
export function codeWord(codes: Record<string, string>, code: string): string {
  return codes[code] ?? code.replaceAll('_', ' ');
}

/** Returns a note without the names of codes, fields and routes of the API in it, which say nothing to a person. */
export function plainNote(note: string): string {
  return note.replace(/ ?[(（](?:[a-z]+(?:_[a-z]+)+(?:=[a-z]+)?|(?:GET|POST) \/[^)）]*)[)）]/g, '');
}
