import { expect, it } from 'vitest';
import { longText, shortText } from '../../src/routes/schemas.ts';

const INVISIBLE = '\u200b\u2060\u3164 ';
const BIDI = ['\u202a', '\u202e', '\u2066', '\u2069'];

it('takes texts of people as they are, in any script', () => {
  for (const text of ['Mule', '日本語', 'שלום', 'پول\u200cشویی', '👩‍💻']) {
    expect(shortText(20).parse(text)).toBe(text);
    expect(longText(20).parse(`${text}\n\ta`)).toBe(`${text}\n\ta`);
  }
});

it('counts a text of invisible characters alone as empty', () => {
  expect(shortText(20).safeParse(INVISIBLE).error!.issues).toMatchObject([{ code: 'too_small' }]);
  expect(longText(20).min(1).safeParse(`${INVISIBLE}\n`).error!.issues).toMatchObject([{ code: 'too_small' }]);
  expect(longText(20).parse(INVISIBLE)).toBe('');
});

it('refuses control characters, those of bidirectional text too, by their name', () => {
  for (const control of [...BIDI, '\0', '\u0085']) {
    for (const text of [control, `a${control}b`]) {
      for (const schema of [shortText(20), longText(20).min(1)]) {
        expect(schema.safeParse(text).error!.issues[0]).toMatchObject({
          message: 'String should not have control characters',
        });
      }
    }
  }
});
