import { describe, expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { seed } from '../setup/seed.ts';
import type { Payment } from './money.ts';
import { scanWithTrace } from './scanned.ts';

const dice = new Dice(seed);
const DAY = 86_400_000;

/** Strangers pay a collector week after week, who pays all of it on to a wallet. */
function collects(collector: string, layer: string, { strangers = 100, kept = 0, elsewhere = 0 } = {}): Payment[] {
  return Array.from({ length: strangers }, (_, i): Payment[] => {
    const [usd, at] = [dice.int(300, 3_000), DAY * (2 * i + 1)];
    return [
      [at, `${collector}v${i}`, collector, usd],
      [at + DAY / 4, collector, layer, usd * (1 - kept - elsewhere)],
      ...(elsewhere > 0 ? [[at + DAY / 3, collector, `${collector}w${i % 3}`, usd * elsewhere] as Payment] : []),
    ];
  }).flat();
}

const found = ({ detections }: Awaited<ReturnType<typeof scanWithTrace>>['assessment']) =>
  detections.find(({ detector_id }) => detector_id === 'shared_layer');

describe.each(['ethereum', 'bitcoin'] as const)('a collector on %s', (chain) => {
  it('that pays the wallet of a listed scam is HIGH, and what excuses a business does not excuse it', async () => {
    const payments = [...collects('c', 'layer'), ...collects('SCAM', 'layer')];
    const { assessment } = await scanWithTrace(payments, 'c', { chain });
    expect(assessment.risk_level).toBe('HIGH');
    expect(found(assessment)?.details).toMatchObject({ measured: { senders: 100, wallets: 1, entities: ['scam'] } });
    expect(assessment.suppressed.map(({ suppressed_by }) => suppressed_by)).not.toContain('recurring_business');
  });

  it('of few strangers is one where it pays nearly all of it there', async () => {
    const payments = [...collects('c', 'layer', { strangers: 6 }), ...collects('SCAM', 'layer')];
    expect((await scanWithTrace(payments, 'c', { chain })).assessment.risk_level).toBe('HIGH');
  });

  it('is found over a wallet in between', async () => {
    const way = collects('c', 'm').flatMap(([at, from, to, usd]): Payment[] => {
      return to === 'm'
        ? [
            [at, from, to, usd],
            [at + 1, 'm', 'layer', usd],
          ]
        : [[at, from, to, usd]];
    });
    const { assessment } = await scanWithTrace([...way, ...collects('SCAM', 'layer')], 'c', { chain });
    expect(found(assessment)?.severity).toBe('HIGH');
  });

  it.each<[string, Payment[]]>([
    ['pays a supplier of its own', collects('c', 'supplier')],
    ['pays one that the scam bought little from', [...collects('c', 'shop'), [DAY * 3, 'SCAM', 'shop', 900]]],
    ['keeps a good part of it', [...collects('c', 'layer', { kept: 0.4 }), ...collects('SCAM', 'layer')]],
    ['has few payers', [...collects('c', 'layer', { strangers: 4 }), ...collects('SCAM', 'layer')]],
    [
      'has few payers and pays it half',
      [...collects('c', 'layer', { strangers: 8, elsewhere: 0.5 }), ...collects('SCAM', 'layer')],
    ],
    [
      'pays a wallet with many other payers, as an exchange has',
      [
        ...[...collects('c', 'hot'), ...collects('SCAM', 'hot')],
        ...Array.from({ length: 30 }, (_, i): Payment => [DAY * i, `u${i}`, 'hot', 900]),
      ],
    ],
  ])('that %s is none', async (_, payments) => {
    const { assessment } = await scanWithTrace(payments, 'c', { chain });
    expect(found(assessment)).toBeUndefined();
    expect(assessment.risk_level).toMatch(/LOW|MEDIUM/);
  });
});
