import { describe, expect, it } from 'vitest';
import { noteCells } from '../../reports/sections/case-notes.ts';
import { type CaseEvent, MATCH_DECISIONS, textOfEvent } from '../../src/domain/case.ts';
import { WORDS } from '../../src/words/words.ts';

const matches = MATCH_DECISIONS.map(
  (decision): CaseEvent => ({
    kind: 'match_decided',
    decision,
    source: { chain: 'ethereum', tx_hash: '0xout' },
    destination: { chain: 'base', tx_hash: '0xin' },
    reason: 'Betrag passt $& {from}',
  }),
);
const events: CaseEvent[] = [
  { kind: 'status_changed', from: 'open', to: 'in_review' },
  { kind: 'report_downloaded' },
  { kind: 'package_generated', generation_id: 'gen-7' },
  ...matches,
];
const note = (event?: CaseEvent) => ({
  id: 'n',
  case_id: 'c',
  content: event ? textOfEvent(event) : 'As the analyst wrote it',
  note_type: 'decision' as const,
  author: event && event.kind !== 'match_decided' ? 'system' : 'Ana',
  created_at: '2026-11-20T10:00:00.000Z',
  ...(event && { event }),
});

describe.each(['ja', 'es'] as const)('the notes of a case in %s', (language) => {
  it.each(events)('show what the service wrote in that language, with every value: %j', (event) => {
    const [author, , text] = noteCells(note(event), WORDS[language].cases, language);
    expect(author).toBe(event.kind === 'match_decided' ? 'Ana' : WORDS[language].cases.system);
    expect(text).not.toMatch(/status|report downloaded|package generated|likely|confirmed|rejected|withdrawn/i);
    if (event.kind === 'match_decided') {
      for (const value of ['Ethereum', '0xout', 'Base', '0xin', event.reason]) expect(text).toContain(value);
    }
    if (event.kind === 'package_generated') expect(text).toContain('gen-7');
  });

  it('say each of the three decisions on a match in its own words', () => {
    expect(new Set(matches.map((event) => noteCells(note(event), WORDS[language].cases, language)[2])).size).toBe(3);
  });

  it.each(matches)('name the key that decided on a match, also where it is called system: %j', (event) => {
    expect(noteCells({ ...note(event), author: 'system' }, WORDS[language].cases, language)[0]).toBe('system');
  });

  it('show as it is what an analyst wrote, whatever the name of the key', () => {
    expect(noteCells(note(), WORDS[language].cases, language)[2]).toBe('As the analyst wrote it');
    const posed = { ...note(), author: 'system', content: 'Report downloaded as PDF' };
    expect(noteCells(posed, WORDS[language].cases, language)).toEqual([
      'system',
      WORDS[language].cases.noteTypes.decision,
      'Report downloaded as PDF',
    ]);
  });
});
