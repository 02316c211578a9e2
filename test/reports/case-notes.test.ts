import { describe, expect, it } from 'vitest';
import { noteCells } from '../../reports/story/appendices.ts';
import { type CaseEvent, MATCH_DECISIONS, textOfEvent } from '../../src/domain/case.ts';
import { timelineEntries } from '../../words/case-event.ts';
import { capitalized } from '../../words/en/forms.ts';
import { FORMS } from '../../words/figures.ts';
import { WORDS } from '../../words/words.ts';

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
  { kind: 'package_generated', generation_id: '5145dda9-0b1c-4a7e-9d55-3c0f6a1e2b47' },
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
    const [author, text] = noteCells([note(event)], WORDS[language].cases, language);
    expect(author).toBe(event.kind === 'match_decided' ? 'Ana' : WORDS[language].cases.system);
    expect(text).not.toMatch(/status|report downloaded|package generated|likely|confirmed|rejected|withdrawn/i);
    if (event.kind === 'match_decided') {
      for (const value of ['Ethereum', '0xout', 'Base', '0xin', event.reason]) expect(text).toContain(value);
    }
    if (event.kind === 'package_generated') expect(text).toMatch(/5145DDA9(?!-)/);
  });

  it('say each of the three decisions on a match in its own words', () => {
    expect(new Set(matches.map((event) => noteCells([note(event)], WORDS[language].cases, language)[1])).size).toBe(3);
  });

  it.each(matches)('name the key that decided on a match, also where it is called system: %j', (event) => {
    expect(noteCells([{ ...note(event), author: 'system' }], WORDS[language].cases, language)[0]).toBe('system');
  });

  it('show as it is what an analyst wrote, whatever the name of the key', () => {
    const say = WORDS[language].cases;
    const text = (content: string) => FORMS[language].labelled(capitalized(say.noteTypes).decision, content);
    expect(noteCells([note()], say, language)).toEqual(['Ana', text('As the analyst wrote it')]);
    const posed = { ...note(), author: 'system', content: 'Report downloaded as PDF' };
    expect(noteCells([posed], say, language)).toEqual(['system', text('Report downloaded as PDF')]);
  });
});

describe('the log of a case', () => {
  const at = (seconds: number, event?: CaseEvent) => ({
    ...note(event),
    created_at: new Date(Date.UTC(2026, 10, 20, 10, 0, seconds)).toISOString(),
  });
  const added = (address: string): CaseEvent => ({ kind: 'address_added', chain: 'ethereum', address });

  it('shows the addresses that were added in one moment as one entry, and others apart', () => {
    const entries = timelineEntries([
      at(0, added('0xa')),
      at(2, added('0xb')),
      at(4),
      at(6, added('0xc')),
      at(600, added('0xd')),
    ]);
    expect(entries.map(({ length }) => length)).toEqual([2, 1, 1, 1]);
    const [author, text] = noteCells(entries[0]!, WORDS.en.cases, 'en');
    expect([author, text]).toEqual(['system', '2 addresses added\nEthereum 0xa\nEthereum 0xb']);
  });

  it('keeps apart what two people added in one moment, each in the own name', () => {
    const entries = timelineEntries([
      { ...at(0, added('0xa')), author: 'Ana' },
      { ...at(1, added('0xb')), author: 'Ben' },
    ]);
    expect(entries.map((entry) => noteCells(entry, WORDS.ja.cases, 'ja')[0])).toEqual(['Ana', 'Ben']);
  });

  it('shows downloads of the report in a row as one entry, until something else happens', () => {
    const downloaded: CaseEvent = { kind: 'report_downloaded' };
    const entries = timelineEntries([at(0, downloaded), at(90, downloaded), at(91), at(92, downloaded)]);
    const texts = entries.map((entry) => noteCells(entry, WORDS.en.cases, 'en')[1]);
    expect(texts).toEqual(['Report downloaded as PDF, 2 times', expect.any(String), 'Report downloaded as PDF']);
  });

  it('says the kind of an entry only of what a person wrote', () => {
    const judged = {
      kind: 'judged',
      address: '0xa',
      chain: 'ethereum',
      detector_id: 'X',
      disposition: 'confirmed',
    } as const;
    const kinds = /comment|decision/i;
    for (const event of [added('0xa'), judged, { kind: 'note_deleted', by: 'Ana' } as const])
      expect(noteCells([{ ...note(event), author: 'Ana' }], WORDS.en.cases, 'en')[1]).not.toMatch(kinds);
  });
});
