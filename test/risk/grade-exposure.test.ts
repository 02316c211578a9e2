import { describe, expect, it } from 'vitest';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import type { IndirectExposure } from '../../src/risk/assessment.ts';
import { type GradedShare, gradeExposure } from '../../src/risk/exposure/grade-exposure.ts';
import { assessed, DAY, label, party, receive, send, T0 } from './world.ts';

function flow(usd: number, ofUsd: number, recentUsd: number, recentOfUsd: number): GradedShare {
  const [share, recentShare] = [usd / ofUsd, recentUsd / recentOfUsd];
  return { usd, share, recentUsd, recentShare, unpricedShare: null, hasUnpriced: false };
}

it.each([
  { kind: 'sanctioned', usd: 160, of: 9_000, recentOf: 160, level: 'MEDIUM' },
  { kind: 'sanctioned', usd: 300, of: 9_000, recentOf: 300, level: 'MEDIUM' },
  { kind: 'illicit', usd: 101, of: 1_900, recentOf: 101, level: 'MEDIUM' },
  { kind: 'illicit', usd: 900, of: 50_000, recentOf: 900, level: 'MEDIUM' },
  { kind: 'illicit', usd: 600, of: 1_200, recentOf: 1_200, level: 'HIGH' },
  { kind: 'illicit', usd: 1_500, of: 200_000, recentOf: 3_000, level: 'HIGH' },
  { kind: 'sanctioned', usd: 100_000, of: 17_000_000, recentOf: 17_000_000, level: 'MEDIUM' },
  { kind: 'sanctioned', usd: 100_000, of: 17_000_000, recentOf: 5_000_000, level: 'CRITICAL' },
  { kind: 'illicit', usd: 300_000, of: 50_000_000, recentOf: 50_000_000, level: 'MEDIUM' },
  { kind: 'illicit', usd: 300_000, of: 15_000_000, recentOf: 15_000_000, level: 'CRITICAL' },
  { kind: 'mixer', usd: 60_000, of: 10_000_000, recentOf: 10_000_000, level: 'MEDIUM' },
] as const)('$usd USD of $kind money received, of $of, is $level', ({ kind, usd, of, recentOf, level }) => {
  const exposure = { kind, direction: 'in', subject: 'address' } as const;
  expect(gradeExposure(flow(usd, of, usd, recentOf), exposure)).toBe(level);
});

it('what was sent goes by the whole history: a little spent of late weighs little beside what is saved', () => {
  const exposure = { kind: 'mixer', direction: 'out', subject: 'address' } as const;
  expect(gradeExposure(flow(2_000, 96_000, 2_000, 2_000), exposure)).toBe('MEDIUM');
});

const SCAM = party(1);
const old = [receive(party(2), 96_000, T0), send(party(3), 90_000, T0 + DAY)];

it('the recent days are those before the last transfer, however long ago that was, and dust does not make it later', () => {
  const late = receive(SCAM, 2_000, T0 + 200 * DAY);
  const measured = (more: Transfer[]) => {
    const { detections } = assessed([...old, late, ...more], { labels: [label(SCAM, 'scam')] });
    const found = detections.find(({ detector_id: id }) => id === 'scam_exposure');
    const { recent_usd, recent_share } = found!.details.measured;
    return { severity: found!.severity, recent_usd, recent_share };
  };
  // A third of the 6,000 USD that were held.
  expect(measured([])).toEqual({ severity: 'HIGH', recent_usd: 2_000, recent_share: 0.333333 });
  expect(measured([receive(party(4), 0.5, T0 + 400 * DAY)])).toMatchObject({ severity: 'HIGH', recent_usd: 2_000 });
  expect(measured([receive(party(4), 5_000, T0 + 400 * DAY)])).toEqual({
    severity: 'MEDIUM',
    recent_usd: 0,
    recent_share: 0,
  });
});

const exposed = (transfers: Transfer[], more: { indirect?: IndirectExposure[] } = {}) =>
  assessed(transfers, { labels: [label(SCAM, 'scam')], more }).detections.find(
    ({ detector_id: id }) => id === 'scam_exposure',
  )!;

const savings = receive(party(2), 1_100_000, T0);

/** Money of a thief over the wallet `party(5)`, in the recent days. */
const farther = (usd: number): IndirectExposure => ({
  ...{
    direction: 'received',
    category: 'theft',
    share: usd / 1_100_000,
    usd,
    recentUsd: usd,
    recentShare: 0.5,
    minHops: 2,
  },
  ...{ evidence: [], counterparties: [party(5)], ways: [] },
});

it('each bad receipt is weighed by what was held before it: a coin before the savings go hides nothing after', () => {
  const spent = send(party(3), 1_095_000, T0 + 201 * DAY);
  const late = receive(SCAM, 9_900, T0 + 202 * DAY);
  expect(exposed([savings, receive(SCAM, 2, T0 + 200 * DAY), spent, late]).severity).toBe('HIGH');
  expect(exposed([savings, receive(SCAM, 2, T0 + 200 * DAY), late]).severity).toBe('LOW');
});

it('savings weigh against all adverse money of the recent days together, direct and behind wallets', () => {
  const direct = receive(SCAM, 9_900, T0 + 200 * DAY);
  const through = receive(party(5), 9_900, T0 + 201 * DAY);
  expect(exposed([savings, direct, through]).severity).toBe('LOW');
  expect(exposed([savings, direct, through], { indirect: [farther(9_900)] }).severity).toBe('HIGH');
});

describe('indirect exposure', () => {
  const found = (more: Partial<IndirectExposure>) => {
    const fact: IndirectExposure = {
      direction: 'received',
      category: 'theft',
      share: 0.04,
      usd: 200_000,
      minHops: 2,
      evidence: [],
      counterparties: [],
      ways: [],
      ...more,
    };
    const { detections } = assessed(old, { more: { indirect: [fact] } });
    const [one] = detections.filter(({ detector_id: id }) => id === 'indirect_exposure');
    return one!;
  };

  it('of an old rich wallet goes by the money of its last 90 days, and says so', () => {
    const high = found({ recentUsd: 200_000, recentShare: 0.98 });
    expect(high.severity).toBe('HIGH');
    expect(high.details.measured).toMatchObject({ share: 0.04, recent_usd: 200_000, recent_share: 0.98 });
    expect(high.description).toContain('4% of the inflow (200,000 USD), 98% of that of its last 90 days, comes from');
    expect(found({ recentUsd: 200_000, recentShare: 0.05 }).severity).toBe('MEDIUM');
  });

  it.each(['en', 'es', 'ja'] as const)('says in %s that its share is of savings, and what they were', (lang) => {
    const held = receive(party(2), 20_000, T0);
    const through = receive(party(5), 5_000, T0 + 200 * DAY);
    const spent = send(party(3), 10_000, T0 + DAY);
    const { detections } = assessed([held, spent, through], {
      more: { lang, indirect: [{ ...farther(5_000), share: 0.2, recentShare: 1 }] },
    });
    const one = detections.find(({ detector_id: id }) => id === 'indirect_exposure')!;
    expect(one.details.measured).toMatchObject({ recent_usd: 5_000, held_share: 0.5, held_usd: 10_000 });
    expect(one.details.measured).not.toHaveProperty('recent_share');
    const said = { en: '50% of the 10,000 USD that it held before,', es: 'que tenía antes,', ja: '以前の保有額' };
    expect(one.description).toContain(said[lang]);
    expect(one.description).not.toContain('90');
  });

  it('is MEDIUM at most for what was bought, unless the rest alone is HIGH', () => {
    const kind = { share: 0.12, usd: 12_000 };
    expect(found(kind).severity).toBe('HIGH');
    expect(found({ ...kind, bought: { usd: 6_000, recentUsd: 0 } })).toMatchObject({
      severity: 'MEDIUM',
      details: { measured: { share: 0.12, bought_at_market: true } },
    });
    const mixed = found({ share: 0.22, usd: 22_000, bought: { usd: 11_000, recentUsd: 0 } });
    expect(mixed.severity).toBe('HIGH');
    expect(mixed.details.measured).not.toHaveProperty('bought_at_market');
    const recent = { ...kind, recentUsd: 6_000, recentShare: 0.9 };
    expect(found({ ...recent, bought: { usd: 6_000, recentUsd: 0 } }).severity).toBe('HIGH');
    expect(found({ ...recent, bought: { usd: 6_000, recentUsd: 6_000 } }).severity).toBe('MEDIUM');
  });

  it('is not raised by recent dust, nor by what was sent, nor where the whole share is larger', () => {
    const usual = found({});
    expect(usual.severity).toBe('MEDIUM');
    for (const more of [
      { recentUsd: 900, recentShare: 1 },
      { recentUsd: 200_000, recentShare: 0.03 },
    ]) {
      expect(found(more)).toMatchObject({ severity: 'MEDIUM', description: usual.description });
    }
    expect(found({ direction: 'sent', recentUsd: 200_000, recentShare: 1 }).severity).toBe('MEDIUM');
  });
});
