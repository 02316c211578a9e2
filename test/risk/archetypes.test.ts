import { describe, expect, it } from 'vitest';
import { ARCHETYPES } from '../../fixtures/levels/archetypes.ts';
import { MORE_ARCHETYPES } from '../../fixtures/levels/more-archetypes.ts';
import { Planted } from '../../fixtures/levels/planted.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { scoreOf } from '../../src/risk/scoring/score.ts';
import { seed } from '../setup/seed.ts';

const ROUNDS = 6;

describe.each([...ARCHETYPES, ...MORE_ARCHETYPES])('$name ($story)', ({ plant, levels, score: [least, most] }) => {
  it('has its level in every size and with noise, and its score follows from the terms', () => {
    const wrong: unknown[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const planted = new Planted(seed + round);
      plant(planted);
      if (round % 2 === 1) planted.noise();
      const { risk_level, risk_score, detections, score_terms } = assess(planted.input());
      expect(scoreOf(score_terms)).toBe(risk_score);
      if (levels.includes(risk_level) && risk_score >= least && risk_score <= most) continue;
      const found = detections.map(({ detector_id, severity, details }) =>
        [detector_id, severity, details.variant, details.counted_in && `in ${details.counted_in}`]
          .filter(Boolean)
          .join(' '),
      );
      wrong.push({ round, risk_level, risk_score, found });
    }
    expect(wrong).toEqual([]);
  });
});
