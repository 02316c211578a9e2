/** Letters of other scripts, and signs, that pass for a Latin letter or digit. NFKC has undone styled forms before. */
const LOOK_ALIKES: Record<string, string> = {
  a: 'аɑαᴀꓮꭺ∀',
  b: 'вʙβᏼꓐЬьƀ฿₿ᴃᏴ',
  c: 'сϲᴄꓚⅽ¢ⲥᏟ',
  d: 'ԁɗᴅꓓᎠđꭰ',
  e: 'еєεᴇꓰᎬҽ℮€ꭼ',
  f: 'ƒꓝϝғ',
  g: 'ɡցɢꓖԍᏀ',
  h: 'һʜнηꓧᎻհⲏ',
  i: 'іıɩιɪꓲӏⵏᎥ',
  j: 'јʝᴊꓙᎫϳ',
  k: 'кκᴋꓗᏦⲕ',
  l: 'ⅼʟꓡᏞ|ǀłⵑ',
  m: 'мᴍμꓟᎷⲙ',
  n: 'ոпɴνꓠռℕⲛ',
  o: 'оοօᴏꓳ೦०੦௦๐໐ⲟøѳ',
  p: 'рρᴘꓑᏢⲣ',
  q: 'ԛգʠ',
  r: 'гʀꓣᎡᏒꭱ',
  s: 'ѕʂꜱꓢᏚՏⅯտ',
  t: 'тτᴛꓔᎢ₮ⲧŧꭲ',
  u: 'цսυᴜꓴᑌՍ∪ʋ',
  v: 'ѵᴠꓦᏙⅴ∨',
  w: 'ѡաᴡꓪᎳωшԝ',
  x: 'хχҳꓫ×ⲭ᙭',
  y: 'уүγʏꓬᎩ¥',
  z: 'ᴢꓜᏃʐżζ',
};

const FOLDED = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, forms]) =>
    [...forms].flatMap((form): [string, string][] => [
      [form, letter],
      [form.toLowerCase(), letter],
    ]),
  ),
);
/** Latin characters that readers take for one another, brought to one form on both sides of a comparison. */
const TWINS: Record<string, string> = { i: 'l', '1': 'l', '0': 'o', '5': 's' };
/** White-on-black letters, circled and squared, which NFKC leaves as they are. */
const NEGATIVE_LETTERS = [0x1f150, 0x1f170];

/** One form for all writings of a symbol that look the same; two symbols look alike where these are equal. */
export function skeleton(text: string): string {
  let plain = '';
  for (const char of text.normalize('NFKC').toLowerCase().normalize('NFD')) {
    const letter = FOLDED.get(char) ?? negativeLetter(char) ?? char;
    if (/^[\p{L}\p{N}]$/u.test(letter)) plain += TWINS[letter] ?? letter;
  }
  return plain.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

function negativeLetter(char: string): string | undefined {
  const code = char.codePointAt(0)!;
  const start = NEGATIVE_LETTERS.find((first) => code >= first && code < first + 26);
  return start === undefined ? undefined : String.fromCodePoint(0x61 + code - start);
}
