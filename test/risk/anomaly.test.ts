import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { backgroundWallet } from '../../fixtures/anomaly/background.ts';
import { fitModel } from '../../fixtures/anomaly/fit.ts';
import { fitForest, isolationScore, mulberry32, readTrees, writeTrees } from '../../src/risk/anomaly/anomaly.ts';
import { robustZ } from '../../src/risk/anomaly/robust-z.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { assessed, HOUR, inputOf, party, receive, send, T0 } from './world.ts';

describe('the isolation forest', () => {
  const random = mulberry32(1);
  const rows = Array.from({ length: 1_000 }, () => Array.from({ length: 5 }, () => random()));
  const options = { trees: 100, sampleSize: 256, seed: 7 };
  const forest = fitForest(rows, options);

  it('is the same for the same seed and data, also after being written and read', () => {
    expect(fitForest(rows, options)).toEqual(forest);
    expect(fitForest(rows, { ...options, seed: 8 })).not.toEqual(forest);
    expect(readTrees(writeTrees(forest))).toEqual(forest.trees);
  });

  it('distinguishes a far point from a usual one', () => {
    expect(isolationScore(forest, [0.5, 0.5, 0.5, 0.5, 0.5])).toBeLessThan(0.5);
    expect(isolationScore(forest, [9, -9, 9, -9, 9])).toBeGreaterThan(0.65);
  });
});

describe('the robust z', () => {
  it('agrees with values worked out by hand', () => {
    const sample = [10, 12, 11, 13, 12, 11, 10, 12, 50];
    expect(robustZ(50, sample)).toBeCloseTo(25.631, 3);
    expect(robustZ(9, [5, 5, 5, 5, 9])).toBeCloseTo(4 / (1.253314 * 0.8), 6);
    expect(robustZ(5, [5, 5, 5])).toBe(0);
  });
});

describe('the anomaly score', () => {
  it('comes from a model that its own program makes again, bit for bit', () => {
    const wallet = backgroundWallet(3);
    const { anomaly } = assess({
      ...inputOf(wallet.transfers),
      subject: { chain: 'ethereum', address: wallet.address, labels: [], addressType: 'wallet' },
    });
    expect(anomaly.model_sha256).toBe(createHash('sha256').update(JSON.stringify(fitModel())).digest('hex'));
    expect(anomaly.population).toMatch(/generated wallets/);
  }, 120_000);

  it('is 0 with the reason when there is too little to judge', () => {
    const { anomaly } = assessed([receive(party(1), 5)]);
    expect(anomaly).toMatchObject({ score: 0, reason: 'too_few_transfers', top_features: [] });
  });

  it('is low for most ordinary wallets, and high for a machine-like one, whose features it names', () => {
    const ordinary = Array.from({ length: 50 }, (_, n) => backgroundWallet(90_000 + n)).map(
      ({ address, transfers }) =>
        assess({
          ...inputOf(transfers),
          subject: { chain: 'ethereum', address, labels: [], addressType: 'wallet' },
        }).ml_anomaly_score,
    );
    expect(ordinary.filter((score) => score < 0.6).length).toBeGreaterThan(45);
    const relay = Array.from({ length: 400 }, (_, i) => [
      receive(party(i), 90_000, T0 + i * HOUR),
      send(party(1_000 + i), 90_000, T0 + i * HOUR + 60_000),
    ]).flat();
    const { anomaly, ml_anomaly_score } = assessed(relay);
    expect(ml_anomaly_score).toBeGreaterThan(0.6);
    expect(anomaly.top_features.map((feature) => feature.name)).toContain('passed_share_24h');
  });

  it('cannot be raised by dust and unknown tokens that others send', () => {
    const usual = Array.from({ length: 30 }, (_, i) => receive(party(i % 4), 40 + i, T0 + i * 31 * HOUR));
    const dust = Array.from({ length: 500 }, (_, i) => receive(party(500 + i), 0.01, T0 + i * 1_000));
    const spam = Array.from({ length: 500 }, (_, i) =>
      receive(party(1_500 + i), null, T0 + i, { token: '0x9', asset: 'FREE' }),
    );
    expect(assessed([...usual, ...dust, ...spam]).ml_anomaly_score).toBe(assessed(usual).ml_anomaly_score);
  });
});
