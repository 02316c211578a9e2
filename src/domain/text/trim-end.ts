/** The text without the `character`s at its end, in linear time: `/x+$/` tries each run of them again from each place. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
