import { describe, expect, it } from 'vitest';
import { ARCHETYPES } from '../../fixtures/levels/archetypes.ts';
import { MORE_ARCHETYPES } from '../../fixtures/levels/more-archetypes.ts';
import { Planted } from '../../fixtures/levels/planted.ts';
import type { Chain } from '../../src/domain/chain.ts';
import type { Label } from '../../src/domain/label.ts';
import type { AssessInput } from '../../src/risk/assessment.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { scoreOf } from '../../src/risk/scoring/score.ts';
import { seed } from '../setup/seed.ts';

const ROUNDS = 6;

const ALL = [...ARCHETYPES, ...MORE_ARCHETYPES];

/** The same history on another chain. */
function movedTo(chain: Chain, { subject, transfers, labelsOf, ...input }: AssessInput): AssessInput {
  const there = (labels: Label[]) => labels.map((label) => ({ ...label, chain }));
  return {
    ...input,
    subject: { ...subject, chain, labels: there(subject.labels) },
    transfers: transfers.map((transfer) => ({ ...transfer, chain })),
    labelsOf: (address) => there(labelsOf(address)),
  };
}

describe.each(['bitcoin', 'tron'] as const)('an archetype on %s', (chain) => {
  it.each(ALL)('$name', ({ plant, levels, isOfAccounts = false }) => {
    for (let round = 0; round < 2; round++) {
      const planted = new Planted(seed + round);
      plant(planted);
      const input = planted.input();
      // Who spends together does so on Bitcoin already.
      if (input.subject.chain !== 'ethereum' || (isOfAccounts && chain === 'bitcoin')) return;
      expect(levels).toContain(assess(movedTo(chain, input)).risk_level);
    }
  });
});

describe.each(ALL)('$name ($story)', ({ plant, levels, score: [least, most] }) => {
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
