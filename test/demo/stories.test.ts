import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, END } from '../../fixtures/demo/calendar.ts';
import { OWN_STORIES, STORIES } from '../../fixtures/demo/levels.ts';
import { type Demo, startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { gapsOf, type ScanAnswer } from './score-trail.ts';

interface Exposure {
  patterns: { pattern_id: string; severity: string }[];
}

/** What the adapters read on each chain is what the stories meant (adapters.test.ts): here these share the common ones. */
const SHARING: readonly Chain[] = ['solana', 'tron', 'xrp'];

function storiesOn(chain: Chain): typeof STORIES {
  const place = SHARING.indexOf(chain);
  const common = Object.entries(STORIES).filter((_, nth) => place === -1 || nth % SHARING.length === place);
  return { ...Object.fromEntries(common), ...OWN_STORIES[chain] };
}

// One chain for each kind of adapter; and one in the weeks in which the world's last payments leave what counts as recent.
describe.each([
  [null, ['bitcoin', 'ethereum', ...SHARING]],
  [40, ['ethereum']],
] as const)('the stories, days after the world ended (null: today): %s', (daysAfter, chains) => {
  let demo: Demo;
  let at = daysAfter === null ? Date.now() : END + daysAfter * DAY;
  beforeAll(async () => {
    demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED }, { now: () => at });
  });
  beforeEach(() => {
    // A test may ask as much as an account may in a minute.
    at += MINUTE_MS;
  });
  afterAll(() => demo.close());
  const ask = (path: string) => fetch(`${demo.url}/api/v1${path}`, { headers: { 'x-api-key': demo.keys.enterprise } });
  const get = async <T>(path: string): Promise<T> => {
    const response = await ask(path);
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  };
  /** Null where the chain does not know the address. */
  const scan = async (chain: Chain, address: string): Promise<ScanAnswer | null> => {
    const response = await ask(`/public/scan?address=${address}&chain=${chain}`);
    expect([200, 404]).toContain(response.status);
    return response.status === 404 ? null : ((await response.json()) as ScanAnswer);
  };

  const scanned = new Map<Chain, Map<string, ScanAnswer>>();
  /** The scans of all roles, or of the stories alone. Patterns over several addresses are seen once all are in the graph. */
  const scansOn = async (chain: Chain) => {
    const before = scanned.get(chain);
    if (before) return before;
    const found = new Map<string, ScanAnswer>();
    const roles = demo.world.roles.filter((role) => role.chain === chain);
    const inStories = roles.filter(({ story }) => storiesOn(chain)[story]);
    for (const { address } of inStories) await scan(chain, address);
    const isWhole = daysAfter === null && !SHARING.includes(chain);
    for (const address of new Set([...inStories, ...(isWhole ? roles : [])].map((role) => role.address))) {
      const answer = await scan(chain, address);
      if (answer) found.set(address, answer);
    }
    scanned.set(chain, found);
    return found;
  };

  const stated = ({ world }: Demo, chain: Chain) =>
    world.labels.filter((label) => label.chain === chain || (chain === 'ethereum' && label.chain === 'evm'));

  it.each(chains)('show over HTTP what they are meant to show on %s', { timeout: 120_000 }, async (chain) => {
    const scans = await scansOn(chain);
    for (const [story, parts] of Object.entries(storiesOn(chain))) {
      for (const [name, { level, detections = [], patterns = [] }] of Object.entries(parts)) {
        const { address } = roleOf(demo.world, chain, story, name);
        const scan = scans.get(address)!;
        const found = scan.detections.map(({ detector_id, severity }) => `${detector_id} ${severity}`);
        expect.soft({ name, level: scan.risk_level }).toEqual({ name, level });
        expect.soft(found, name).toEqual(expect.arrayContaining(detections));
        // An unusual rhythm alone says nothing about the story.
        const findings = found.filter((one) => one !== 'ml_anomaly LOW');
        if (level === 'LOW' && detections.length + patterns.length === 0) expect.soft(findings, name).toEqual([]);
        const exposure = await get<Exposure>(`/exposure/${address}?chain=${chain}`);
        const shapes = exposure.patterns.map(({ pattern_id, severity }) => `${pattern_id} ${severity}`);
        expect.soft(shapes, name).toEqual(expect.arrayContaining(patterns));
      }
    }
  });

  it.each(chains)(
    'leave no point of a score that a reader cannot trace to a transaction or a label on %s',
    {
      timeout: 120_000,
    },
    async (chain) => {
      const { world } = demo;
      const truth = {
        transfers: world.moves[chain],
        statements: stated(demo, chain),
      };
      let traced = 0;
      for (const [address, scan] of await scansOn(chain)) {
        expect.soft({ address, gaps: gapsOf(scan, truth) }).toEqual({ address, gaps: [] });
        traced += scan.risk_score;
      }
      expect(traced).toBeGreaterThan(SHARING.includes(chain) ? 1_000 / SHARING.length : 1_000);
    },
  );

  it.each(chains)(
    'give each warning before signing with the address, the label and the list that states it on %s',
    async (chain) => {
      const adverse = ['sanctioned', 'darknet', 'drainer', 'scam', 'theft', 'mixer'];
      for (const { address, category, label, source } of stated(demo, chain)) {
        const { score, reasons } = await get<{ score: number; reasons: string[] }>(
          `/public/presign/check?to=${address}&chain=${chain}`,
        );
        expect.soft({ address, warned: score > 0 }).toEqual({ address, warned: adverse.includes(category) });
        const named = score > 0 ? [address, JSON.stringify(label), `source "${source}",`] : [];
        for (const part of named) expect.soft(reasons.join('\n')).toContain(part);
      }
    },
  );
});
