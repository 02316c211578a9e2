import { expect, it } from 'vitest';
import { longText, nameText, shortText } from '../../src/routes/schemas.ts';

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

it('refuses invisible characters in the name of a key, which stands for a person, and writes each letter one way', () => {
  for (const hidden of [
    ...BIDI,
    '\0',
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u200d',
    '\u200e',
    '\u2028',
    '\u2060',
    '\ufe0f',
    '\ufeff',
  ]) {
    expect(nameText(20).safeParse(`Mi${hidden}a`).error!.issues[0]).toMatchObject({
      message: 'String should not have control or invisible characters',
    });
  }
  for (const text of ["Mia O'Hara", '山田　太郎', 'שלום', 'Jos\u00e9', '🤖 bot'])
    expect(nameText(20).parse(text)).toBe(text);
  expect(nameText(20).parse('Jose\u0301')).toBe('Jos\u00e9');
});
