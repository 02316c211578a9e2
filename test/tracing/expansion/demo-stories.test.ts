import { describe, expect, it } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { CHAINS } from '../../../src/domain/chain.ts';
import { openApp, serveWorld, world } from '../../app/demo-world.ts';

serveWorld();

describe('one scan of the last wallet', () => {
  it.each(CHAINS)('names the theft behind four fresh wallets on %s', async (chain) => {
    const { app, headers } = await openApp();
    const [thief, last] = ['thief', 'layer_4'].map((name) => roleOf(world, chain, 'laundering', name).address);
    const answer = await app.inject({
      url: `/api/v1/public/scan?address=${last}&chain=${chain}`,
      headers: await headers('pro'),
    });
    expect(answer.statusCode).toBe(200);
    const scan = answer.json();
    const indirect = scan.detections.find((d: { detector_id: string }) => d.detector_id === 'sanctions_indirect');
    expect(indirect, JSON.stringify(scan.metadata.coverage)).toBeDefined();
    expect(JSON.stringify(indirect)).toContain(thief);
    expect(scan.risk_level).toBe('CRITICAL');
    expect(scan.metadata.coverage.trace.addresses_read).toBeGreaterThanOrEqual(3);
    expect(scan.metadata.coverage.trace.attributed.received).toBeGreaterThan(0.9);
  });
});
