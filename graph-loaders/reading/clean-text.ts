const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
const LENGTH_MAX = 200;

export interface CleanText {
  text: string;
  /** The characters that were taken out, for the report; null when nothing was. */
  removed: string | null;
}

/** A name as people may see it: no control, bidirectional or invisible characters, one line, at most 200 characters. */
export function cleanText(raw: string): CleanText {
  const bounded = raw.length > LENGTH_MAX * 4 ? raw.slice(0, LENGTH_MAX * 4) : raw;
  const spaced = bounded.replace(/[\t\r\n]+/g, ' ');
  const hadControls = CONTROL.test(spaced);
  const full = (hadControls ? spaced.replace(CONTROLS, '') : spaced).normalize('NFC').replace(/ {2,}/g, ' ').trim();
  const text =
    full.length > LENGTH_MAX
      ? full
          .slice(0, LENGTH_MAX)
          .replace(/[\uD800-\uDBFF]$/, '')
          .trim()
      : full;
  const removed = hadControls
    ? 'control or invisible characters'
    : raw.length > text.length && full !== text
      ? `what is beyond ${LENGTH_MAX} characters`
      : null;
  return { text, removed };
}
