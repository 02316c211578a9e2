import { describe, expect, it } from 'vitest';
import type { Category, Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { applyOverrides } from '../../src/risk/scoring/overrides.ts';
import { scoreOf } from '../../src/risk/scoring/score.ts';
import { AS_OF, assessed, DAY, HOUR, inputOf, label, party, receive, S, send, severities, T0 } from './world.ts';

const X = party(1);

describe('what the subject itself is', () => {
  it.each([
    ['sanctioned', 100, 'CRITICAL'],
    ['terrorism', 100, 'CRITICAL'],
    ['darknet', 95, 'CRITICAL'],
    ['child_abuse', 95, 'CRITICAL'],
    ['drainer', 95, 'CRITICAL'],
    ['theft', 95, 'CRITICAL'],
    ['ransomware', 95, 'CRITICAL'],
    ['scam', 90, 'CRITICAL'],
    ['mixer', 90, 'CRITICAL'],
    ['high_risk_exchange', 68, 'HIGH'],
    ['gambling', 0, 'LOW'],
    ['exchange', 0, 'LOW'],
  ] as const)('%s scores %i, %s', (category, score, level) => {
    const assessment = assessed([], { labels: [label(S, category)] });
    expect([assessment.risk_score, assessment.risk_level]).toEqual([score, level]);
    expect(assessment.is_sanctioned).toBe(category === 'sanctioned');
  });

  it.each(['sanctioned', 'darknet', 'scam', 'mixer'] as const)(
    'an unsure label as %s is a report: HIGH, and the text says who reports it',
    (category) => {
      const assessment = assessed([], { labels: [label(S, category, { confidence: 69, source: 'somebody' })] });
      expect(assessment.risk_level).toBe('HIGH');
      expect(assessment.detections[0]?.description).toContain('reported by somebody');
      expect(assessed([], { labels: [label(S, category, { confidence: 70 })] }).risk_level).toBe('CRITICAL');
    },
  );

  it('a malicious contract scores at least 90, one that is only reported 65', () => {
    const assessment = assessed([], { labels: [label(S, 'other', { maliciousContract: true })] });
    expect(assessment.risk_score).toBe(90);
    expect(severities(assessment, 'known_malicious')).toEqual(['CRITICAL']);
    const reported = assessed([], { labels: [label(S, 'other', { maliciousContract: true, confidence: 60 })] });
    expect(reported.risk_score).toBe(65);
    expect(reported.detections).toMatchObject([
      { severity: 'HIGH', description: expect.stringContaining('reported by test') },
    ]);
  });

  it('a delisted address is shown as such and no longer scores as sanctioned', () => {
    const assessment = assessed([], { labels: [label(S, 'sanctioned', { validTo: T0 })] });
    expect(assessment).toMatchObject({ is_sanctioned: false, risk_score: 20, risk_level: 'LOW' });
    expect(assessment.detections[0]?.details).toMatchObject({ variant: 'delisted' });
  });

  it('a designation that is still to come does not count yet', () => {
    const assessment = assessed([], { labels: [label(S, 'sanctioned', { validFrom: AS_OF + 1 })] });
    expect([assessment.risk_score, assessment.detections]).toEqual([0, []]);
  });
});

describe('exposure to sanctions', () => {
  const designated = label(X, 'sanctioned', { validFrom: T0, label: 'Listed Ltd' });

  it('what is sent after the designation counts by amount and share, and never ranks with the listed party', () => {
    const of = (usd: number) =>
      assessed([send(X, usd, T0), send(party(2), 9_000, T0), send(party(3), 9_000, T0)], { labels: [designated] });
    expect([0.5, 10, 1_000].map((usd) => [of(usd).risk_score, of(usd).risk_level])).toEqual([
      [45, 'MEDIUM'],
      [75, 'HIGH'],
      [95, 'CRITICAL'],
    ]);
    expect(of(0.5).detections[0]?.details.measured).toMatchObject({ entities: ['Listed Ltd'], usd: 0.5 });
  });

  it('before the designation counts one level lower', () => {
    const assessment = assessed([send(X, 500, T0 - DAY)], { labels: [designated] });
    expect(severities(assessment, 'sanctions_direct')).toEqual(['HIGH']);
    expect(assessment.detections[0]?.details.variant).toBe('sent_before');
  });

  it('before a designation by a country or sector is MEDIUM at most, below 1,000 USD LOW, and taints no structure', () => {
    const judge = (programme: string | undefined, usd: number) => {
      const wages = [1, 2, 3].map((n) => receive(X, usd / 3, T0 - n * DAY));
      const onward = wages.map(({ at }) => send(party(2), usd / 3, at + HOUR));
      return assessed([...wages, ...onward], { labels: [{ ...designated, ...(programme && { programme }) }] });
    };
    const of = (programme: string | undefined, usd: number) => {
      const { detections, risk_level } = judge(programme, usd);
      const { severity, details } = detections.find(({ detector_id }) => detector_id === 'sanctions_direct')!;
      return [severity, details.variant, risk_level];
    };
    expect(of('RUSSIA-EO14024', 900)).toEqual(['LOW', 'received_before_country', 'LOW']);
    expect(of('IFSR, IRAN-EO13902', 60_000)).toEqual(['MEDIUM', 'received_before_country', 'MEDIUM']);
    for (const conduct of ['CYBER2', 'RUSSIA-EO14024, CYBER2', 'CARTELS', undefined]) {
      expect(of(conduct, 60_000)).toEqual(['HIGH', 'received_before', 'HIGH']);
    }
    const found = judge('RUSSIA-EO14024', 60_000).detections.find((one) => one.detector_id === 'sanctions_direct');
    expect(found?.details.measured).toMatchObject({ programmes: ['RUSSIA-EO14024'] });
    expect(found?.description).toContain('names a country or sector (RUSSIA-EO14024)');
  });

  it('before the designation of a party that is also labelled a thief or mixer, that label grades', () => {
    const of = (other: Partial<Label>) =>
      assessed([receive(X, 20_000, T0 - DAY), receive(party(3), 20_000, T0)], {
        labels: [designated, label(X, 'theft', other)],
      });
    expect(severities(of({}), 'theft_exposure')).toEqual(['CRITICAL']);
    expect(severities(of({}), 'sanctions_direct')).toEqual([]);
    // Nobody is sure that it is a thief.
    expect(severities(of({ confidence: 60 }), 'sanctions_direct')).toEqual(['HIGH']);
  });

  it('during the designation counts also when the other side was delisted since, and afterwards does not', () => {
    const delisted = { ...designated, validTo: T0 + DAY };
    expect(severities(assessed([send(X, 5, T0 + DAY - 1)], { labels: [delisted] }), 'sanctions_direct')).toEqual([
      'MEDIUM',
    ]);
    expect(severities(assessed([send(X, 5, T0 + DAY)], { labels: [delisted] }), 'sanctions_direct')).toEqual([]);
    expect(severities(assessed([send(X, 5, T0 - 1)], { labels: [delisted] }), 'sanctions_direct')).toEqual([]);
  });

  it('a forged token transfer in the name of the subject proves nothing', () => {
    const forged = { token: '0x7777777777777777777777777777777777777777', asset: 'FAKE', txSender: party(2) };
    expect(assessed([send(X, null, T0, forged)], { labels: [designated] }).risk_score).toBe(0);
  });

  it('an unknown token counts as sent where the signer asked for that transfer, and is listed where the contract alone says so', () => {
    const fake = {
      token: '0x7777777777777777777777777777777777777777',
      asset: 'FAKE',
      txSender: S,
      kind: 'token',
    } as const;
    const found = (more: Partial<Transfer>, category: Category = 'sanctioned') => {
      const sale = { txHash: '0x5a1e', index: 'native' };
      const money = receive(party(3), 500, T0, sale);
      const { detections, risk_level } = assessed([money, send(X, null, T0, { ...fake, ...more })], {
        labels: [category === 'sanctioned' ? designated : label(X, category)],
      });
      const one = detections.find(({ details }) => details.category === category);
      return [risk_level, one?.severity, one?.details.variant];
    };
    expect(found({ asked: true })).toEqual(['MEDIUM', 'MEDIUM', 'sent']);
    expect(found({ txHash: '0x5a1e', index: 'log:7' })).toEqual(['LOW', 'LOW', 'claimed']);
    for (const asked of [false, null]) expect(found({ asked })).toEqual(['LOW', 'LOW', 'claimed']);
    for (const category of ['scam', 'theft', 'mixer', 'terrorism'] as const) {
      expect(found({ asked: false }, category)).toEqual(['LOW', 'LOW', 'claimed']);
      expect(found({ asked: false, kind: 'nft', tokenId: '7' }, category)).toEqual(['LOW', 'LOW', 'claimed']);
    }
    // A coin without a price is really sent.
    expect(found({ token: null, asset: 'ETH', kind: 'native' })[1]).toBe('HIGH');
  });

  it('a coin without a price is graded by its share, never taken for dust', () => {
    const half = [receive(X, null, T0, { amount: '5' }), receive(party(2), null, T0, { amount: '5' })];
    expect(severities(assessed(half, { labels: [designated] }), 'sanctions_direct')).toEqual(['HIGH']);
    const crumb = [receive(X, null, T0, { amount: '0.01' }), receive(party(2), null, T0, { amount: '5' })];
    expect(severities(assessed(crumb, { labels: [designated] }), 'sanctions_direct')).toEqual(['LOW']);
  });

  it('indirect exposure is graded by its share together with its amount', () => {
    const fact = {
      direction: 'received',
      category: 'sanctioned',
      minHops: 2,
      evidence: ['0xe#1'],
      counterparties: [X],
    } as const;
    const at = (share: number, usd = 9_000) => {
      const indirect = [
        { ...fact, share, usd, ways: [], evidence: [...fact.evidence], counterparties: [...fact.counterparties] },
      ];
      return assessed([], { more: { indirect } });
    };
    expect([0.0009, 0.001, 0.02, 0.1, 0.25].map((share) => severities(at(share), 'sanctions_indirect')[0])).toEqual([
      undefined,
      'LOW',
      'MEDIUM',
      'HIGH',
      'CRITICAL',
    ]);
    const severityOf = (share: number, usd: number) => severities(at(share, usd), 'sanctions_indirect')[0];
    expect([999, 1_000].map((usd) => severityOf(0.25, usd))).toEqual(['MEDIUM', 'CRITICAL']);
    expect([999, 1_000].map((usd) => severityOf(0.1, usd))).toEqual(['MEDIUM', 'HIGH']);
    expect([249_999, 250_000].map((usd) => severityOf(0.01, usd))).toEqual(['MEDIUM', 'HIGH']);
    expect([99, 100].map((usd) => severityOf(0.02, usd))).toEqual(['LOW', 'MEDIUM']);
    expect([9_999, 10_000].map((usd) => severityOf(0.0001, usd))).toEqual([undefined, 'MEDIUM']);
    expect(at(0.25)).toMatchObject({ risk_score: 80, risk_level: 'HIGH' });
    expect(at(0.25).detections[0]?.description).toContain('inferred across unlabelled wallets');
    expect(at(0.25).detections[0]?.details.evidence).toEqual(['0xe#1']);
  });
});

describe('dust resistance', () => {
  /** August 2022: a tenth of an ether from a designated pool to each of hundreds of well-known wallets. */
  const pool = label(X, 'sanctioned', { label: 'Tornado Cash pool', validFrom: T0 - DAY, validTo: T0 + 900 * DAY });
  const mixer = label(X, 'mixer', { label: 'Tornado Cash pool' });
  const known = Array.from({ length: 60 }, (_, i) => receive(party(100 + (i % 10)), 900, T0 - (i + 1) * DAY));

  it('unsolicited dust from a sanctioned mixer does not make its victim HIGH', () => {
    const victim = assessed([...known, receive(X, 90, T0)], { labels: [pool, mixer] });
    expect(victim.risk_level).toBe('LOW');
    const found = victim.detections.filter((d) => d.detector_id !== 'ml_anomaly');
    expect(found.map((d) => [d.detector_id, d.severity])).toEqual([['sanctions_direct', 'LOW']]);
  });

  it('many such gifts below the mark do not either', () => {
    const gifts = Array.from({ length: 100 }, (_, i) => receive(X, 0.9, T0 + i));
    expect(assessed([...known, ...gifts], { labels: [pool, mixer] }).risk_level).toBe('LOW');
  });

  it('real deposits from the same pool do', () => {
    expect(assessed([...known, receive(X, 20_000, T0)], { labels: [pool, mixer] }).risk_level).toBe('CRITICAL');
  });

  it('after the delisting the pool is a mixer again', () => {
    const after = assessed([...known, receive(X, 20_000, T0 + 901 * DAY)], {
      labels: [pool, mixer],
      more: { asOf: T0 + 950 * DAY },
    });
    expect(after.detections.map((d) => d.detector_id)).toContain('mixer_exposure');
    expect(after.detections.map((d) => d.detector_id)).not.toContain('sanctions_direct');
  });
});

describe('strict sanctions of an account', () => {
  const overrides = { whitelist: new Set<string>(), weights: {}, strictSanctions: true };
  const honest = receive(party(9), 1_000_000, T0);
  const listed = label(X, 'sanctioned', { validFrom: T0 - DAY });

  it('any amount sent is CRITICAL, received HIGH from one dollar on, and the score follows', () => {
    for (const [transfer, usual, strict, score] of [
      [send(X, 0.5, T0 + DAY), 'MEDIUM', 'CRITICAL', 95],
      [receive(X, 1.5, T0 + DAY), 'LOW', 'HIGH', 75],
      [receive(X, 0.9, T0 + DAY), 'LOW', 'LOW', 20],
    ] as const) {
      const before = assessed([honest, transfer], { labels: [listed] });
      const after = applyOverrides(before, overrides);
      const severityOf = ({ detections }: typeof before) =>
        detections.find(({ detector_id }) => detector_id === 'sanctions_direct')?.severity;
      expect([severityOf(before), severityOf(after)]).toEqual([usual, strict]);
      expect(after.risk_score).toBe(scoreOf(after.score_terms));
      expect(after.risk_score).toBeGreaterThanOrEqual(score);
    }
  });

  it('what was dealt before a designation stays one level lower', () => {
    const later = label(X, 'sanctioned', { validFrom: T0 + 5 * DAY });
    const before = assessed([honest, send(X, 50, T0 + DAY)], { labels: [later] });
    expect(applyOverrides(before, overrides)).toEqual(before);
  });
});

describe('levels', () => {
  it('are UNKNOWN with score 0 when no history could be read and no adverse label is known', () => {
    const setting = { historyRead: false, complete: false };
    expect(assessed([], setting)).toMatchObject({ risk_score: 0, risk_level: 'UNKNOWN' });
    expect(assessed([], { ...setting, labels: [label(S, 'exchange')] }).risk_level).toBe('UNKNOWN');
    expect(assessed([], { ...setting, labels: [label(S, 'mixer')] }).risk_level).toBe('CRITICAL');
  });

  it('are UNKNOWN without terms for a delisted address of which nothing could be read, settings or not', () => {
    const labels = [label(S, 'sanctioned', { validTo: T0 })];
    const unread = assessed([], { historyRead: false, complete: false, labels });
    for (const one of [unread, applyOverrides(unread, { whitelist: new Set(), weights: { sanctions: 2 } })]) {
      expect(one).toMatchObject({ risk_score: 0, risk_level: 'UNKNOWN', score_terms: [] });
      expect(one.detections.map(({ detector_id, severity }) => [detector_id, severity])).toEqual([
        ['sanctions_self', 'LOW'],
      ]);
    }
  });

  it('are LOW with score 0 for a history without anything to report', () => {
    expect(assessed([])).toMatchObject({ risk_score: 0, risk_level: 'LOW', detections: [], ml_anomaly_score: 0 });
  });

  it('come from the printed terms alone', () => {
    const labels = [label(X, 'mixer'), label(S, 'scam')];
    const moves = [send(X, 500), receive(party(2), 20_000), send(party(3), 19_500, T0 + 60_000)];
    const own = assessed(moves, { labels });
    expect(own.score_terms.map((term) => term.family)).toEqual(['floor', 'illicit_exposure', 'structural']);
    expect(scoreOf(own.score_terms)).toBe(own.risk_score);
    const other = assessed(moves, { labels: [label(X, 'mixer')] });
    expect(other.score_terms.map((term) => term.family)).toEqual(['illicit_exposure', 'structural', 'ceiling']);
    expect(scoreOf(other.score_terms)).toBe(other.risk_score);
  });
});

describe('a whitelist label', () => {
  it('sets aside what rests wholly on that party, and never sanctions', () => {
    const mixing = [send(X, 500), send(X, 10)];
    const trusted = [label(X, 'whitelist', { source: 'tenant' })];
    const assessment = assessed(mixing, { labels: [...trusted, label(X, 'mixer')] });
    expect(assessment.detections).toEqual([]);
    expect(assessment.suppressed).toMatchObject([
      { detector_id: 'mixer_exposure', detector_name: 'Exposure to mixers', suppressed_by: 'whitelist' },
    ]);
    expect(assessed(mixing, { labels: [...trusted, label(X, 'sanctioned')] }).risk_score).toBe(95);
    const two = [...mixing, send(party(2), 5)];
    const labels = [...trusted, label(X, 'mixer'), label(party(2), 'mixer')];
    expect(severities(assessed(two, { labels }), 'mixer_exposure')).toEqual(['MEDIUM']);
  });
});

describe('an assessment', () => {
  it('keeps at most 50 pieces of evidence, the most valuable, oldest first, and says so', () => {
    const many = Array.from({ length: 80 }, (_, i) => send(X, i + 1, T0 + i * DAY));
    const assessment = assessed(many, { labels: [label(X, 'mixer')] });
    const { details } = assessment.detections.find((d) => d.detector_id === 'mixer_exposure')!;
    expect(details.evidence).toEqual(many.slice(30).map((t) => `${t.txHash}#native`));
    expect(details).toMatchObject({ truncated: true, counterparty_count: 1 });
  });

  it('does not change its input', () => {
    const input = inputOf([receive(X, 5, T0 + 1), send(X, 3)]);
    const before = structuredClone(input.transfers);
    assess(input);
    expect(input.transfers).toEqual(before);
  });

  it('is stable JSON', () => {
    const assessment = assessed([send(X, 500)], { labels: [label(X, 'darknet')] });
    expect(JSON.parse(JSON.stringify(assessment))).toEqual(assessment);
  });
});
