import { describe, expect, it } from 'vitest';
import { ATTACKS } from '../../fixtures/levels/attacks.ts';
import { Planted } from '../../fixtures/levels/planted.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { seed } from '../setup/seed.ts';

const ORDER = ['LOW', 'UNKNOWN', 'MEDIUM', 'HIGH', 'CRITICAL'];

const judged = (plant: (planted: Planted) => void, round: number) => {
  const planted = new Planted(seed + round);
  plant(planted);
  if (round % 2 === 1) planted.noise();
  return assess(planted.input());
};

describe.each(ATTACKS)('$name: a launderer $does', ({ plain, evading, least }) => {
  it(`and is still rated ${least} at least`, () => {
    for (let round = 0; round < 6; round++) {
      const { risk_level, risk_score, detections } = judged(evading, round);
      const found = detections.map(({ detector_id, severity }) => `${detector_id} ${severity}`);
      const enough = ORDER.indexOf(risk_level) >= ORDER.indexOf(least);
      expect({ round, risk_level, risk_score, found, enough }).toMatchObject({ enough: true });
    }
  });

  it('gains something only where the table says so', () => {
    for (let round = 0; round < 6; round++) {
      const [before, after] = [judged(plain, round), judged(evading, round)].map((one) =>
        ORDER.indexOf(one.risk_level),
      );
      expect(Math.min(before!, ORDER.indexOf(least))).toBeLessThanOrEqual(after!);
    }
  });
});

it('there are twenty of them and more', () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(20);
});
