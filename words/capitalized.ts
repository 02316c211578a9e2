/** The words with a capital, as they stand alone on a page. */
export function capitalized<Code extends string>(words: Record<Code, string>): Record<Code, string> {
  const entries = Object.entries<string>(words).map(([code, word]) => [
    code,
    word.charAt(0).toUpperCase() + word.slice(1),
  ]);
  return Object.fromEntries(entries) as Record<Code, string>;
}
