import { expect, it } from 'vitest';
import type { FundsRow } from '../../../src/domain/tracing/answers.ts';
import { noteOfCase } from '../../../src/tracing/answers/funds/get-case-funds.ts';

function party(category: FundsRow['category'], label: string, share: number): FundsRow {
  return { kind: 'party', category, label, share } as FundsRow;
}

it('the note of a case names the scammers at whose wallets its money was left, and how to follow it on', () => {
  const rows = [party('scam', 'Fake Yield', 0.8), party('exchange', 'Polar', 0.19), party('theft', 'Dust', 0.001)];
  expect(noteOfCase({ rows, note: null }, 1, 'en')).toBe(
    'The money was not followed beyond Fake Yield (scam), as label lists name them. To follow it on, add them to the case ' +
      'with the role "subject": all subjects are one party.',
  );
  expect(noteOfCase({ rows: rows.slice(1), note: 'As before.' }, 1, 'en')).toBe('As before.');
  // By holders: members that are not followed are named, for what they sent on is nowhere.
  const ofHolders = (size: number) => noteOfCase({ rows: [], note: null }, 1, 'en', { size, followed: 100 });
  expect(ofHolders(100)).toBeNull();
  expect(ofHolders(1_200)).toBe(
    'Of 1,200 addresses of the subjects and their holders 100 are followed: what these paid to the others is left out, and ' +
      'where the others sent it is not known.',
  );
});
