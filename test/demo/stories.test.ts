import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../fixtures/demo/start.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { gapsOf, type ScanAnswer } from './score-trail.ts';

interface Told {
  level: string;
  /** What a scan detects of the story; other detections may stand beside it. */
  detections?: string[];
  /** What the exposure shows, once everybody in the story was scanned. */
  patterns?: string[];
}

/** What each story of docs/demo-world.md must show, by story and name of the part. */
const STORIES: Record<string, Record<string, Told>> = {
  clean_saver: { saver: { level: 'LOW' } },
  exchange_hot_wallet: { exchange: { level: 'LOW' }, exchange_deposit: { level: 'LOW' } },
  exchange_customer: { customer_0: { level: 'LOW' } },
  gambler: { gambler: { level: 'LOW', detections: ['gambling_exposure MEDIUM'] } },
  bridge_user: { bridge_user: { level: 'LOW' } },
  dex_trader: { trader: { level: 'LOW' } },
  large_transfer: { whale: { level: 'LOW', detections: ['large_transfer MEDIUM'] } },
  dormant_reactivation: { sleeper: { level: 'LOW', detections: ['dormant_reactivation MEDIUM'] } },
  sanctioned: { sanctioned: { level: 'CRITICAL', detections: ['sanctions_self CRITICAL'] } },
  sanctioned_counterparty: { counterparty: { level: 'CRITICAL', detections: ['sanctions_direct CRITICAL'] } },
  delisted: { delisted: { level: 'LOW', detections: ['sanctions_self LOW'] } },
  laundering: {
    thief: { level: 'CRITICAL', detections: ['sanctions_self CRITICAL'] },
    layer_1: { level: 'CRITICAL', detections: ['sanctions_direct CRITICAL', 'pass_through MEDIUM'] },
    layer_2: { level: 'CRITICAL', detections: ['sanctions_indirect CRITICAL'], patterns: ['relay_chain MEDIUM'] },
    layer_3: { level: 'CRITICAL', detections: ['sanctions_indirect CRITICAL'], patterns: ['relay_chain MEDIUM'] },
    layer_4: { level: 'CRITICAL', detections: ['pass_through MEDIUM'], patterns: ['relay_chain MEDIUM'] },
  },
  mixer: {
    mixer_user: { level: 'HIGH', detections: ['mixer_exposure HIGH'] },
    mixer_receiver: { level: 'HIGH', detections: ['mixer_exposure HIGH'] },
  },
  scam: {
    victim: { level: 'MEDIUM', detections: ['scam_exposure MEDIUM'] },
    scammer: { level: 'CRITICAL', detections: ['subject_category CRITICAL', 'fan_in MEDIUM'] },
    scam_cashier: { level: 'CRITICAL', detections: ['scam_exposure CRITICAL', 'cex_cash_out HIGH'] },
  },
  darknet: {
    darknet_buyer: { level: 'CRITICAL', detections: ['darknet_exposure CRITICAL'] },
    darknet_vendor: { level: 'CRITICAL', detections: ['darknet_exposure CRITICAL'] },
  },
  drainer: { drained: { level: 'MEDIUM', detections: ['drainer_exposure MEDIUM'] } },
  dusted_innocent: { dusted: { level: 'LOW', detections: ['sanctions_direct LOW'] } },
  fan_in: { collector: { level: 'LOW', detections: ['fan_in MEDIUM'] } },
  fan_out: { distributor: { level: 'MEDIUM', detections: ['rapid_distribution HIGH', 'fan_out HIGH'] } },
  pass_through: {
    relay: { level: 'MEDIUM', detections: ['pass_through HIGH'], patterns: ['rapid_pass_through HIGH'] },
  },
  structuring: { structurer: { level: 'MEDIUM', detections: ['structuring MEDIUM'] } },
  scatter_gather: {
    scatterer: { level: 'LOW', patterns: ['scatter_gather HIGH'] },
    gatherer: { level: 'LOW', patterns: ['scatter_gather HIGH'] },
  },
  round_trip: { circle_a: { level: 'LOW', patterns: ['cycle MEDIUM'] } },
};

/** What single chains add. */
const OWN_STORIES: Partial<Record<Chain, typeof STORIES>> = {
  bitcoin: {
    peel_chain: {
      peel_0: { level: 'LOW', patterns: ['peel_chain HIGH'] },
      // Asked for three hops, it does not see the beginning.
      peel_5: { level: 'LOW', patterns: ['peel_chain MEDIUM'] },
    },
    multi_sender: { joint_a: { level: 'LOW' }, joint_x: { level: 'LOW' } },
    equal_outputs: { round_in_0: { level: 'LOW' } },
  },
  ethereum: {
    address_poisoning: {
      poison_victim: { level: 'LOW', detections: ['address_poisoning LOW'] },
      poison_loser: { level: 'MEDIUM', detections: ['poisoning_loss MEDIUM', 'address_poisoning LOW'] },
      poison_victim_trap: { level: 'HIGH', detections: ['address_poisoning CRITICAL'] },
    },
    drainer_approval: { victim_of_drainer: { level: 'MEDIUM', detections: ['drainer_exposure MEDIUM'] } },
    airdrop: { airdropper: { level: 'LOW' } },
    dex_swap: { swapper: { level: 'LOW' } },
    counterfeit_token: { fake_receiver: { level: 'LOW' } },
  },
  tron: {
    address_poisoning: {
      poison_victim: { level: 'LOW', detections: ['address_poisoning LOW'] },
      poison_victim_trap: { level: 'HIGH', detections: ['address_poisoning CRITICAL'] },
    },
  },
};

interface Exposure {
  patterns: { pattern_id: string; severity: string }[];
}

// One chain for each kind of adapter.
describe.each(['bitcoin', 'ethereum', 'solana', 'tron', 'xrp'] as const)('the stories on %s', (chain) => {
  const stories = { ...STORIES, ...OWN_STORIES[chain] };
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent' });
  });
  afterAll(() => demo.close());
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${demo.url}/api/v1${path}`, { headers: { 'x-api-key': demo.keys.enterprise } });
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  };

  const stated = ({ world }: Demo) =>
    world.labels.filter((label) => label.chain === chain || (chain === 'ethereum' && label.chain === 'evm'));

  it('show over HTTP what they are meant to show', { timeout: 120_000 }, async () => {
    const scans = new Map<string, ScanAnswer>();
    for (const { story, address } of demo.world.roles.filter((role) => role.chain === chain)) {
      if (!stories[story]) continue;
      scans.set(address, await get(`/public/scan?address=${address}&chain=${chain}`));
    }
    for (const [story, parts] of Object.entries(stories)) {
      for (const [name, { level, detections = [], patterns = [] }] of Object.entries(parts)) {
        const { address } = roleOf(demo.world, chain, story, name);
        const scan = scans.get(address)!;
        const found = scan.detections.map(({ detector_id, severity }) => `${detector_id} ${severity}`);
        expect.soft({ name, level: scan.risk_level }).toEqual({ name, level });
        expect.soft(found, name).toEqual(expect.arrayContaining(detections));
        if (level === 'LOW' && detections.length + patterns.length === 0) expect.soft(found, name).toEqual([]);
        const exposure = await get<Exposure>(`/exposure/${address}?chain=${chain}`);
        const shapes = exposure.patterns.map(({ pattern_id, severity }) => `${pattern_id} ${severity}`);
        expect.soft(shapes, name).toEqual(expect.arrayContaining(patterns));
      }
    }
  });

  it('leave no point of a score that a reader cannot trace to a transaction or a label', {
    timeout: 120_000,
  }, async () => {
    const { world } = demo;
    const addresses = new Set(world.roles.filter((role) => role.chain === chain).map((role) => role.address));
    const truth = {
      transfers: world.moves[chain],
      statements: stated(demo),
    };
    let traced = 0;
    for (const address of addresses) {
      const path = `/public/scan?address=${address}&chain=${chain}`;
      const response = await fetch(`${demo.url}/api/v1${path}`, { headers: { 'x-api-key': demo.keys.enterprise } });
      if (response.status === 404) continue;
      const scan = (await response.json()) as ScanAnswer;
      expect.soft({ path, gaps: gapsOf(scan, truth) }).toEqual({ path, gaps: [] });
      traced += scan.risk_score;
    }
    expect(traced).toBeGreaterThan(1_000);
  });

  it('give each warning before signing with the address, the label and the list that states it', async () => {
    const adverse = ['sanctioned', 'darknet', 'drainer', 'scam', 'mixer'];
    for (const { address, category, label, source } of stated(demo)) {
      const { score, reasons } = await get<{ score: number; reasons: string[] }>(
        `/public/presign/check?to=${address}&chain=${chain}`,
      );
      expect.soft({ address, warned: score > 0 }).toEqual({ address, warned: adverse.includes(category) });
      const named = score > 0 ? [address, JSON.stringify(label), `source ${source},`] : [];
      for (const part of named) expect.soft(reasons.join('\n')).toContain(part);
    }
  });
});
