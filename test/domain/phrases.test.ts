import { expect, it } from 'vitest';
import { cutToWidth, phrasesOf, wrapped } from '../../src/domain/text/lines.ts';

it.each([
  ['資金はヘアカット法で帰属させます。', '資金は|ヘアカット|法で|帰属させます。'],
  ['2026年11月10日 05:00:00にW1へ3件、', '2026年11月10日 |05:00:00に|W1へ|3件、'],
  ['窃盗の4〜10ホップ先（「高」以上）です。', '窃盗の|4〜10ホップ|先|（「高」|以上）です。'],
  ['また、この取引所の支払者は', 'また、|この|取引所の|支払者は'],
  ['742件中0件：0.0%（0.0–0.1）', '742件中|0件：|0.0%|（0.0–0.1）'],
])('a line of Japanese ends between phrases, never within a word, a figure or a bracket: %s', (text, phrases) => {
  expect(phrasesOf(text)?.join('|')).toBe(phrases);
});

it('lines hold the whole text, also where a word is wider than a line, and Latin words stay whole', () => {
  expect(phrasesOf('two words')).toBeNull();
  expect(wrapped('two words', 40, 12)).toEqual(['two', 'words']);
  expect(wrapped('Northgate Exchange（demo）', 60, 8)).toEqual(['Northgate', 'Exchange', '（demo）']);
  const text = `資金は${'ア'.repeat(30)}へ移転しました。`;
  const lines = wrapped(text, 100, 10);
  expect(lines.join('')).toBe(text);
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(10);
});

it('a name that is read from right to left goes on at the left, where its reader ends', () => {
  expect(cutToWidth('Northgate Exchange', 60, 12)).toMatch(/^North\S*…$/);
  // Behind the mark of direction the sign belongs to the letters before it.
  expect(cutToWidth('بورصة البوابة الشمالية', 60, 12)).toMatch(/^بورصة .*…\u200f$/);
});
