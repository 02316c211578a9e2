import { expect, it } from 'vitest';
import { printable } from '../../../reports/pdf/fonts.ts';

it('breaks runs that are longer than any address, and leaves Japanese sentences as they are', () => {
  for (const character of ['a', 'ー', '々', 'ぁ']) {
    const longest = Math.max(
      ...printable(character.repeat(1_000))
        .split(' ')
        .map((run) => run.length),
    );
    expect(longest).toBe(120);
  }
  const address = `0x${'ab'.repeat(32)}#log:12`;
  expect(printable(address)).toBe(address);
  const sentence =
    '本資料より前に作成したファイルのハッシュ値です。全ファイルのハッシュ値はmanifest.jsonにあります。'.repeat(5);
  expect(printable(sentence)).toBe(sentence);
});
