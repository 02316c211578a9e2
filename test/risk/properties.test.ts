import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES, type Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { type Detection, SEVERITIES } from '../../src/risk/detection.ts';
import { FAMILY_WEIGHT, type Family, STRENGTH } from '../../src/risk/rules.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { DETECTORS } from '../../src/risk/scoring/detectors.ts';
import { applyOverrides } from '../../src/risk/scoring/overrides.ts';
import { familyTerms, scoreOf } from '../../src/risk/scoring/score.ts';
import { DAY, HOUR, inputOf, label, party, receive, S, send, T0 } from './world.ts';

const runs = { numRuns: 300 };

const found = fc.record({
  detector: fc.constantFrom(...DETECTORS),
  severity: fc.constantFrom(...SEVERITIES),
});
const foundMany = fc.array(
  found.map(({ detector, severity }) => ({ detector_id: detector.id, family: detector.family, severity })),
  { maxLength: 12 },
);

const world = fc.record({
  moves: fc.array(
    fc.record({
      other: fc.integer({ min: 0, max: 14 }),
      out: fc.boolean(),
      usd: fc.oneof(fc.constant(null), fc.double({ min: 0.01, max: 60_000, noNaN: true })),
      at: fc.integer({ min: 0, max: 40 * DAY }),
      failed: fc.boolean(),
    }),
    { maxLength: 40 },
  ),
  labels: fc.array(fc.record({ other: fc.integer({ min: 0, max: 14 }), category: fc.constantFrom(...CATEGORIES) }), {
    maxLength: 6,
  }),
});

function build({ moves, labels }: typeof world extends fc.Arbitrary<infer T> ? T : never) {
  const transfers = moves.map(({ other, out, usd, at, failed }) =>
    (out ? send : receive)(party(other), usd, T0 + at, { failed }),
  );
  return { transfers, labels: labels.map(({ other, category }) => label(party(other), category)) };
}

/** A detection without what depends on the others. */
function facts({ details: { counted_in: _, ...details }, ...detection }: Detection) {
  return { ...detection, details };
}

function judged(transfers: Transfer[], labels: Label[]) {
  return assess(inputOf(transfers, { labels }));
}

describe('the score', () => {
  it('is never lowered by one more detection', () => {
    fc.assert(
      fc.property(foundMany, foundMany, (some, more) => {
        expect(scoreOf(familyTerms([...some, ...more]))).toBeGreaterThanOrEqual(scoreOf(familyTerms(some)));
      }),
      runs,
    );
  });

  it('is 0 without detections, at most 100, and 100 for a CRITICAL sanction', () => {
    fc.assert(
      fc.property(foundMany, (some) => {
        const sanctioned = { detector_id: 'sanctions_direct', family: 'sanctions', severity: 'CRITICAL' } as const;
        expect(scoreOf(familyTerms(some))).toBeLessThanOrEqual(100);
        expect(scoreOf(familyTerms([...some, sanctioned]))).toBe(100);
      }),
      runs,
    );
    expect(scoreOf(familyTerms([]))).toBe(0);
  });

  it('counts each family once: one HIGH structural and one MEDIUM behaviour make 55', () => {
    const terms = familyTerms([
      { detector_id: 'fan_in', family: 'structural', severity: 'HIGH' },
      { detector_id: 'cycle', family: 'structural', severity: 'HIGH' },
      { detector_id: 'high_velocity', family: 'behaviour', severity: 'MEDIUM' },
    ]);
    expect(scoreOf(terms)).toBe(55);
  });

  it('gets at most 10 points from the anomaly, which alone stays LOW', () => {
    const terms = familyTerms([{ detector_id: 'ml_anomaly', family: 'anomaly', severity: 'CRITICAL' }]);
    expect(scoreOf(terms)).toBe(10);
  });
});

describe('an assessment', () => {
  it('does not depend on the order of transfers or on repetition', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: 1, max: 1_000 }), (given, turn) => {
        const { transfers, labels } = build(given);
        const mixed = [...transfers, ...transfers.slice(turn % 7)].sort(
          (a, b) => ((a.at * turn) % 97) - ((b.at * turn) % 97),
        );
        expect(judged(mixed, labels)).toEqual(judged(transfers, labels));
      }),
      runs,
    );
  });

  it('loses by a whitelisted party only what rests wholly on it, and never a sanctions hit', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: 0, max: 14 }), (given, n) => {
        const { transfers, labels } = build(given);
        const before = judged(transfers, labels);
        const after = judged(transfers, [...labels, label(party(n), 'whitelist')]);
        const kept = before.detections.filter(
          ({ detector_id, details }) =>
            detector_id.startsWith('sanctions_') ||
            details.counterparties.some((address) => address !== party(n)) ||
            details.counterparties.length === 0,
        );
        const trustedAlready = labels.some((l) => l.category === 'self' || l.category === 'whitelist');
        if (!trustedAlready) expect(after.detections.map(facts)).toEqual(kept.map(facts));
        expect(after.risk_score).toBeLessThanOrEqual(before.risk_score);
      }),
      runs,
    );
  });

  it('seen with a whitelist afterwards equals one made with it', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: 0, max: 14 }), (given, n) => {
        const { transfers, labels } = build(given);
        const late = applyOverrides(judged(transfers, labels), { whitelist: new Set([party(n)]), weights: {} });
        const early = judged(transfers, [...labels, label(party(n), 'whitelist')]);
        if (labels.some((l) => l.category === 'self' || l.category === 'whitelist')) return;
        expect(late.detections).toEqual(early.detections);
        expect([late.risk_score, late.risk_level]).toEqual([early.risk_score, early.risk_level]);
      }),
      runs,
    );
  });

  it('is never LOW without a history, and never worse known by knowing less', () => {
    fc.assert(
      fc.property(world, (given) => {
        const { labels } = build(given);
        expect(assess(inputOf([], { labels, historyRead: false })).risk_level).toBe('UNKNOWN');
      }),
      runs,
    );
  });

  it('has weights that an account may change within bounds, sanctions never downwards', () => {
    const families = Object.keys(FAMILY_WEIGHT) as Family[];
    const isSanction = ({ detector_id }: { detector_id: string }) => detector_id === 'sanctions_direct';
    const weights = fc.dictionary(fc.constantFrom(...families), fc.double({ min: 0, max: 2, noNaN: true }));
    fc.assert(
      fc.property(world, weights, (given, changed) => {
        const { transfers, labels } = build(given);
        const before = judged(
          [...transfers, send(party(99), 1_000, T0 + HOUR)],
          [...labels, label(party(99), 'sanctioned')],
        );
        const after = applyOverrides(before, { whitelist: new Set([party(99)]), weights: changed });
        expect(after.detections.find(isSanction)?.severity).toBe(before.detections.find(isSanction)?.severity);
        const least = 100 * STRENGTH[before.detections.find(isSanction)!.severity];
        expect(after.risk_score).toBeGreaterThanOrEqual(Math.min(95, least));
      }),
      runs,
    );
  });

  it('lets an account weigh other families up and down', () => {
    const before = judged([send(party(1), 1_500)], [label(party(1), 'mixer')]);
    const at = (weight: number) =>
      applyOverrides(before, { whitelist: new Set(), weights: { illicit_exposure: weight } }).risk_score;
    expect([at(0), at(0.5), at(1), at(2)]).toEqual([0, 34, 68, 75]);
    const subject = judged([], [label(S, 'drainer')]);
    expect(applyOverrides(subject, { whitelist: new Set(), weights: { illicit_exposure: 0 } }).risk_score).toBe(95);
  });
});
