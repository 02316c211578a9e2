import { expect, it } from 'vitest';
import { levelNote } from '../../src/risk/scoring/level-note.ts';
import { LANGUAGES } from '../../words/language.ts';
import { assessed, DAY, label, party, receive, S, send, T0 } from './world.ts';

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

it.each(LANGUAGES)(
  'the line of a level says in %s which lists are wanting, what share of the money has a known origin and what was looked at',
  (lang) => {
    const ground = { basis: 'full', known: 0.126, explained: 0.839, listGap: null, own: [], behind: [] } as const;
    expect(levelNote(ground, lang)).toMatch(/12[.,]6\s?%.*83[.,]9\s?%/);
    expect(levelNote({ ...ground, explained: null }, lang)).toBeNull();
    expect(levelNote({ ...ground, basis: 'labels_only' }, lang)).toBeNull();
    const notes = ([null, 'no_lists', 'lists_stale'] as const).map(
      (listGap) => levelNote({ ...ground, listGap }, lang)!,
    );
    expect(new Set(notes).size).toBe(3);
    for (const note of notes) expect(note.endsWith(notes[0]!)).toBe(true);
  },
);

it.each(LANGUAGES)('the line of a level says in %s what contradicts that all was read', (lang) => {
  const none = { basis: 'partial', known: null, explained: null, listGap: null, own: [], behind: [] } as const;
  const [own, behind] = [
    levelNote({ ...none, own: ['received_unseen'] }, lang),
    levelNote({ ...none, behind: ['received_unseen'] }, lang),
  ];
  expect(new Set([own, behind, levelNote({ ...none, own: ['page_limit'], behind: ['not_read'] }, lang)]).size).toBe(3);
  const both = levelNote({ ...none, explained: 0.5, own: ['received_unseen'], behind: ['received_unseen'] }, lang);
  expect(both).toMatch(/50 ?%/);
  for (const part of [own, behind]) expect(both).toContain(part);
  expect(levelNote({ ...none, basis: 'labels_only', own: ['received_unseen'] }, lang)).toBeNull();
  // Where enough is explained, what lies behind need not be said.
  expect(levelNote({ ...none, basis: 'full', behind: ['received_unseen'] }, lang)).toBeNull();
});

it('what a scam sends unasked says nothing until it is moved on or sold for money', () => {
  const [scam, pool, txHash] = [party(1), party(2), `0x${'5e'.repeat(32)}`];
  const token = { token: party(3), asset: 'XYZ', kind: 'token', index: 'log:0' } as const;
  const got = [receive(party(4), 50, T0), receive(scam, null, T0 + DAY, { ...token, txSender: scam })];
  const sold = send(pool, null, T0 + 2 * DAY, { ...token, txHash, txSender: S });
  const paid = (usd: number | null) =>
    receive(pool, usd, T0 + 2 * DAY, { txHash, txSender: S, kind: 'internal', index: 'trace:1' });
  const basisOf = (more: Parameters<typeof assessed>[0]) =>
    assessed([...got, ...more], { labels: [label(scam, 'scam')] }).level_basis;
  expect([[], [sold], [sold, paid(900)]].map(basisOf)).toEqual(['full', 'full', 'partial']);
});

it('what a source never lists is not a truncation', () => {
  const coverage = { ...cut, reasons: ['native_not_listed'] };
  expect(assessed([receive(party(1), 50, T0)], { more: { coverage } }).risk_level).toBe('LOW');
});

it.each(['no_lists', 'lists_stale'] as const)(
  'compared with %s nothing is LOW, and what was found stands',
  (listGap) => {
    const clean = assessed([receive(party(1), 50, T0)], { more: { listGap } });
    expect(clean).toMatchObject({ risk_level: 'UNKNOWN', risk_score: 0, level_basis: 'partial' });
    const listed = assessed([receive(party(1), 50, T0)], { labels: [label(S, 'scam')], more: { listGap } });
    expect(listed).toMatchObject({ risk_level: 'CRITICAL', level_basis: 'partial' });
  },
);

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
