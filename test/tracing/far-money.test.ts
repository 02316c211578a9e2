import { describe, expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { levelNote } from '../../src/risk/scoring/level-note.ts';
import { seed } from '../setup/seed.ts';
import type { Payment } from './money.ts';
import { scanWithTrace } from './scanned.ts';

const dice = new Dice(seed);
const HOUR = 3_600_000;
const CHAINS = ['ethereum', 'bitcoin'] as const;

/** Wallets `w1` to `w<length>`: each passes on what it got, but for a small part that it peels off. */
function chainOf(from: string, length: number, usd: number, { peels = true } = {}): Payment[] {
  let left = usd;
  return Array.from({ length }, (_, i): Payment[] => {
    const at = HOUR * (i + 1);
    const passed: Payment = [at, i === 0 ? from : `w${i}`, `w${i + 1}`, left];
    const peeled = peels ? left * (0.002 + 0.01 * dice.share()) : 0;
    left -= peeled;
    return peels ? [passed, [at + 1, `w${i + 1}`, `p${i + 1}`, peeled]] : [passed];
  }).flat();
}

/** The same, but each wallet gets and pays as much elsewhere. */
function mixedChain(from: string, length: number, usd: number): Payment[] {
  return chainOf(from, length, usd, { peels: false }).flatMap((payment, i): Payment[] => [
    [payment[0] - 2, `x${i}`, payment[1], 0.9 * usd],
    [payment[0] - 1, payment[1], `y${i}`, 0.9 * usd],
    payment,
  ]);
}

describe.each(CHAINS)('a long chain on %s', (chain) => {
  it.each([16, 99])('reaches the theft from wallet %i as from the first ones', async (n) => {
    const { assessment, trace } = await scanWithTrace(chainOf('THIEF', n, 1_500_000), `w${n}`, { chain });
    expect(assessment.risk_level).toMatch(/HIGH|CRITICAL/);
    expect(trace.beyond).toEqual([]);
  });

  it('counts as beyond reach after a hundred steps, first in the note, and is MEDIUM at least', async () => {
    const { assessment, trace } = await scanWithTrace(chainOf('THIEF', 110, 1_500_000), 'w110', { chain });
    expect(trace).toMatchObject({ max_hops: 15, max_steps: 100, beyond: [{ direction: 'received', share: 1 }] });
    expect(assessment.level_basis).toBe('partial');
    expect(assessment.detections.map(({ detector_id }) => detector_id)).toContain('beyond_reach');
    expect(assessment.risk_level).toMatch(/MEDIUM|HIGH/);
    const ground = {
      basis: 'partial',
      known: 0,
      explained: 0,
      listGap: null,
      own: [],
      behind: [],
      beyond: trace.beyond,
    } as const;
    expect(levelNote(ground, 'en')).toMatch(/^[\d,.]+ USD \(100%\) of what was received came from further/);
  });

  it('is followed to where the money goes, from whom it came', async () => {
    const way = [...chainOf('S', 40, 90_000), [HOUR * 50, 'w40', 'MIX', 60_000] as Payment];
    const funded: Payment[] = [[1, 'CEX', 'S', 90_000], ...way];
    const { assessment } = await scanWithTrace(funded, 'S', { chain });
    expect(assessment.detections).toContainEqual(
      expect.objectContaining({
        detector_id: 'indirect_exposure',
        details: expect.objectContaining({ variant: 'sent' }),
      }),
    );
  });

  it('costs hops where wallets have money of others, and says how far it was followed', async () => {
    const { assessment, trace } = await scanWithTrace(mixedChain('THIEF', 16, 40_000), 'w16', { chain });
    expect(trace.reasons).toContain('max_hops');
    expect(assessment.detections.map(({ detector_id }) => detector_id)).not.toContain('beyond_reach');
  });
});

it('a chain whose end a scan has no time to reach is MEDIUM at least', async () => {
  const { assessment, trace } = await scanWithTrace(chainOf('THIEF', 30, 90_000), 'w30', { rowBudget: 40 });
  expect(trace.reasons).toContain('time_budget');
  expect(assessment).toMatchObject({ level_basis: 'partial' });
  expect(assessment.risk_level).toMatch(/MEDIUM|HIGH/);
});

it('a salary that comes over many lawful wallets stays LOW', async () => {
  const paid: Payment[] = [[1, 'CEX', 'firm', 90_000], ...chainOf('firm', 30, 5_000, { peels: false })];
  const { assessment } = await scanWithTrace([...paid, [HOUR * 40, 'w30', 'shop', 900]], 'w30');
  expect(assessment.risk_level).toBe('LOW');
});
