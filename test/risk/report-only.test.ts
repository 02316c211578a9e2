import { expect, it } from 'vitest';
import { assess } from '../../src/risk/scoring/assess.ts';
import { WORDS } from '../../words/words.ts';
import { assessed, DAY, inputOf, label, party, receive, severities, T0 } from './world.ts';

const [REPORTED, SURE] = [party(1), party(2)];
const unsure = { confidence: 60, source: 'a forum' };

it.each(['scam', 'sanctioned'] as const)(
  'a party that is only reported as %s makes a wallet MEDIUM at most, by name',
  (category) => {
    const id = category === 'scam' ? 'scam_exposure' : 'sanctions_direct';
    const assessment = assessed([receive(REPORTED, 500_000)], { labels: [label(REPORTED, category, unsure)] });
    expect(severities(assessment, id)).toEqual(['MEDIUM']);
    expect(assessment.risk_level).toBe('MEDIUM');
    const found = assessment.detections.find(({ detector_id }) => detector_id === id);
    expect(found?.details.measured.reported_by).toEqual(['a forum']);
    expect(found?.description).toContain('a forum');
  },
);

it('a sure label beside the unsure one decides, and money from both kinds of party is graded apart', () => {
  const both = assessed([receive(REPORTED, 500_000)], {
    labels: [label(REPORTED, 'scam', unsure), label(REPORTED, 'scam')],
  });
  expect(severities(both, 'scam_exposure')).toEqual(['CRITICAL']);
  const apart = assessed([receive(REPORTED, 500_000), receive(SURE, 400_000, T0 + DAY)], {
    labels: [label(REPORTED, 'scam', unsure), label(SURE, 'scam')],
  });
  expect(severities(apart, 'scam_exposure').sort()).toEqual(['CRITICAL', 'MEDIUM']);
});

it('a report of a graver category does not hide an adverse label that is sure', () => {
  const assessment = assessed([receive(REPORTED, 500_000)], {
    labels: [label(REPORTED, 'sanctioned', unsure), label(REPORTED, 'scam')],
  });
  expect(severities(assessment, 'scam_exposure')).toEqual(['CRITICAL']);
  expect(severities(assessment, 'sanctions_direct')).toEqual([]);
});

it.each([
  [unsure, 'MEDIUM'],
  [{}, 'CRITICAL'],
])('money that comes from such a party over others is graded alike: %j is %s', (more, severity) => {
  const way = { address: REPORTED, usd: 500_000, hops: 3, path: [] };
  const input = inputOf([receive(SURE, 500_000)], { labels: [label(REPORTED, 'scam', more)] });
  const { detections } = assess({
    ...input,
    indirect: [
      {
        direction: 'received',
        category: 'scam',
        share: 1,
        usd: 500_000,
        minHops: 3,
        evidence: [],
        counterparties: [SURE],
        ways: [way],
      },
    ],
  });
  expect(detections.find(({ detector_id }) => detector_id === 'indirect_exposure')?.severity).toBe(severity);
});

it('every language says who reports it, and nothing where a label is sure', () => {
  for (const { detections } of Object.values(WORDS)) expect(detections.report).toMatch(/^\[.*\{reported_by\}.*\]$/);
});
