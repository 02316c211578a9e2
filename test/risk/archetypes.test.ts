import { describe, expect, it } from 'vitest';
import { ARCHETYPES, type Archetype } from '../../fixtures/levels/archetypes.ts';
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

function inputOf(plant: Archetype['plant'], from: number): AssessInput {
  const planted = new Planted(from);
  plant(planted);
  return planted.input();
}

/** False for those who spend together, which are planted on Bitcoin already. */
function isOfEthereum({ plant }: Archetype): boolean {
  return inputOf(plant, seed).subject.chain === 'ethereum';
}

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
  const there = ALL.filter(({ isOfAccounts }) => !isOfAccounts || chain !== 'bitcoin');
  it.each(there.filter(isOfEthereum))('$name', ({ plant, levels }) => {
    for (let round = 0; round < 2; round++) {
      expect(levels).toContain(assess(movedTo(chain, inputOf(plant, seed + round))).risk_level);
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

it('what a shop pays a listed supplier is said to be what a collector pays, in each language, and what a victim lost is not', () => {
  const saidOf = (kind: string, lang: 'en' | 'ja' | 'es') => {
    const input = { ...inputOf(ALL.find(({ name }) => name === kind)!.plant, seed), lang };
    return assess(input).detections.filter(({ details }) => details.role === 'victim');
  };
  for (const lang of ['en', 'ja', 'es'] as const) {
    const [shop] = saidOf('busy shop with a listed supplier', lang);
    expect(shop?.details.measured.collected_senders).toBeGreaterThanOrEqual(10);
    expect(shop?.description).toMatch({ en: /collector/, ja: /集金/, es: /recaudador/ }[lang]);
    for (const { description } of saidOf('victim of a scam', lang))
      expect(description).not.toMatch(/collector|集金|recaudador/);
  }
});
