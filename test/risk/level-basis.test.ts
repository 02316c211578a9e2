import { expect, it } from 'vitest';
import { levelNote } from '../../src/risk/scoring/level-note.ts';
import { LANGUAGES } from '../../src/words/language.ts';
import { assessed, DAY, party, receive, send, T0 } from './world.ts';

const cut = { complete: false, sources: ['test'], reasons: ['page_limit'], historyRead: true };

it('a truncated history of less than 30 days and 1,000 transfers is UNKNOWN where it would be LOW', () => {
  const days = (n: number) => [receive(party(1), 50, T0), send(party(2), 20, T0 + n * DAY)];
  expect(assessed(days(29), { more: { coverage: cut } })).toMatchObject({
    risk_level: 'UNKNOWN',
    level_basis: 'partial',
  });
  expect(assessed(days(30), { more: { coverage: cut } })).toMatchObject({ risk_level: 'LOW', level_basis: 'partial' });
  expect(assessed(days(1))).toMatchObject({ risk_level: 'LOW', level_basis: 'full' });
  const many = Array.from({ length: 1_000 }, (_, i) => receive(party(i % 40), 50, T0 + i));
  expect(assessed(many, { more: { coverage: cut } }).risk_level).not.toBe('UNKNOWN');
});

it.each(LANGUAGES)('the line of a level says in %s what share of the money is explained, of a full one too', (lang) => {
  for (const basis of ['full', 'partial'] as const) expect(levelNote(0.839, basis, lang)).toMatch(/83 ?%/);
  expect(levelNote(0.839, 'full', lang)).not.toBe(levelNote(0.839, 'partial', lang));
  expect(levelNote(null, 'full', lang)).toBeNull();
  expect(levelNote(0.839, 'labels_only', lang)).toBeNull();
});

it('what a source never lists is not a truncation', () => {
  const coverage = { ...cut, reasons: ['native_not_listed'] };
  expect(assessed([receive(party(1), 50, T0)], { more: { coverage } }).risk_level).toBe('LOW');
});

it('without a history only labels are behind a level', () => {
  expect(assessed([], { historyRead: false, complete: false }).level_basis).toBe('labels_only');
});

it('a level over 1,000 USD or more of which less than half is explained rests on a part', () => {
  const basis = (usd: number, explained: number | null) =>
    assessed([receive(party(1), 50, T0)], { more: { received: { usd, explained } } }).level_basis;
  expect(basis(1_000, 0.49)).toBe('partial');
  expect(basis(1_000, 0.5)).toBe('full');
  expect(basis(999, 0)).toBe('full');
  expect(basis(0, null)).toBe('full');
});
