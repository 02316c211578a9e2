import { describe, expect, it } from 'vitest';
import { beginning } from '../../reports/sections/left-out.ts';
import { roomOf } from '../../reports/sections/room.ts';
import { WORDS } from '../../words/words.ts';

const words = WORDS.en.report;

function address({ findings, evidence, text }: { findings: number; evidence: number; text: number }) {
  const detection = { details: { evidence: Array.from({ length: evidence }, (_, i) => `0x${i}#0`) } };
  const detections = Array.from({ length: findings }, () => detection);
  const record = { investigator_notes: 'x'.repeat(text) };
  return { record, dispositions: [], report: { scan: { detections } } } as never;
}

describe('room in a report', () => {
  it('is without bound for a case that fits', () => {
    const room = roomOf({ addresses: [address({ findings: 40, evidence: 50, text: 100_000 })] });
    expect(room).toEqual({ evidence: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY });
  });

  it('is the same for each finding and each text of a larger case', () => {
    const addresses = Array.from({ length: 100 }, () => address({ findings: 2, evidence: 50, text: 10_000 }));
    expect(roomOf({ addresses })).toEqual({ evidence: 10, characters: 1_000 });
    const full = Array.from({ length: 100 }, () => address({ findings: 40, evidence: 50, text: 0 }));
    expect(roomOf({ addresses: full }).evidence).toBe(1);
  });
});

it('what is left out of a report is counted', () => {
  expect(beginning(words, 'abcdef', 4, 'en')).toBe('abcd … and 2 more characters');
  expect(beginning(words, 'abcd', 4, 'en')).toBe('abcd');
});
