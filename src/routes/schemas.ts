import { z } from 'zod';
import { LANGUAGES, type Language } from '../../words/language.ts';
import { isVisible, LINES, ONE_LINE, PLAIN_NAME } from '../domain/text/visible.ts';

/** A value of a closed list whose refusal has a text of its own (400), so any text has the right shape. */
export const choice = (values: readonly string[], description: string) =>
  z
    .string()
    .max(100)
    .meta({ enum: [...values], description });

/** A whole number in the query string; without a fallback it must be there. */
export function wholeNumber({ min, max, fallback }: { min: number; max?: number; fallback?: number }) {
  const whole = max === undefined ? z.int().min(min) : z.int().min(min).max(max);
  return z.preprocess(
    (value) => (typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : value),
    fallback === undefined ? whole : whole.default(fallback),
  );
}

const CONTROLS_REFUSED = 'String should not have control characters';

/** Text for people: 1 to `max` characters, trimmed, without control characters. Invisible text counts as empty. */
export function shortText(max: number) {
  return lineOf(ONE_LINE, CONTROLS_REFUSED, max);
}

/** Name of a key: as `shortText`, with no invisible character, and one way to write each. */
export function nameText(max: number) {
  return lineOf(PLAIN_NAME, 'String should not have control or invisible characters', max).normalize('NFC');
}

function lineOf(allowed: RegExp, refusal: string, max: number) {
  return z.string().trim().overwrite(emptyIfInvisible(allowed)).min(1).max(max).regex(allowed, refusal);
}

/** Text of several lines, at most `max` characters; as `shortText`, but it may be empty, have tabs and line breaks. */
export function longText(max: number) {
  return z.string().overwrite(emptyIfInvisible(LINES)).max(max).regex(LINES, CONTROLS_REFUSED);
}

/** Leaves what `allowed` refuses as it is, so that the refusal names its reason. */
function emptyIfInvisible(allowed: RegExp): (text: string) => string {
  return (text) => (isVisible(text) || !allowed.test(text) ? text : '');
}

/** Any UUID, in lower case as the records keep it. */
export const uuid = z.guid().toLowerCase();

const zoned = z.iso.datetime({ offset: true });

/** A moment to epoch ms: ISO 8601; without a zone it is UTC, a bare day its first moment. */
export const momentField = z
  .string()
  .meta({ format: 'date-time', description: 'UTC where no zone is named' })
  .transform((text, context) => {
    const [day, time = '00:00'] = text.trim().toUpperCase().split(/[T ]/, 2);
    const [, clock = time, zone = 'Z'] = /^(.+?)(Z|[+-]\d{2}:\d{2})$/.exec(time) ?? [];
    const whole = `${day}T${/^\d{2}:\d{2}$/.test(clock) ? `${clock}:00` : clock}${zone}`;
    if (zoned.safeParse(whole).success) return Date.parse(whole);
    context.issues.push({ code: 'invalid_format', format: 'datetime', input: text });
    return z.NEVER;
  });

/** `true` or `false` in the query string; `1` and `0` too. */
export const flag = z
  .enum(['true', 'false', '1', '0'])
  .default('false')
  .transform((text) => text === 'true' || text === '1');

export const CaseParams = z.object({ case_id: uuid.describe('Id of the case') });

const language = z.enum(LANGUAGES);

/** The language of a file in a query: reports say `language`, answers say `lang`, and both take either. */
export const fileLanguage = {
  language: language.optional().describe('Of the text; `ja` where neither is given'),
  lang: language.optional().describe('The same, as other answers call it'),
};

/** Returns the language that a query with `fileLanguage` asks for. */
export function languageOf(query: { language?: Language; lang?: Language }): { language: Language } {
  return { language: query.language ?? query.lang ?? 'ja' };
}
