import { expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import type { Category, Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { seed } from '../setup/seed.ts';
import { assessed, DAY, label, party, receive, send, T0, USDC } from './world.ts';

const dice = new Dice(seed);
let serial = 0;

/** A payer sends to receivers through the contract in one transaction. */
function batch(payer: string, usd: number | null, { to = party(900), ...more }: Partial<Transfer> = {}): Transfer[] {
  const txHash = `0xbb${(++serial).toString(16).padStart(62, '0')}`;
  const when = T0 + serial * DAY;
  return [
    receive(payer, usd, when, { txHash, txSender: payer, ...more }),
    send(to, usd, when, { txHash, index: 'trace:0', seq: 1, txSender: payer, ...more }),
  ];
}

const crowd = (usd: number) => Array.from({ length: 20 }, (_, i) => batch(party(100 + i), usd / 20)).flat();

const levelOf = (transfers: Transfer[], labels: Label[]) =>
  assessed(transfers, { labels, addressType: 'contract' }).risk_level;

it('several kinds of crime that pass a contract are graded by what they are together', () => {
  const kinds: Category[] = ['theft', 'scam', 'ransomware', 'darknet'];
  const usd = dice.int(200_000, 900_000);
  const levelWith = (count: number) => {
    const parts = kinds.slice(0, count).map((kind, i) => ({ kind, who: party(1 + i) }));
    return levelOf(
      [...crowd((1 - 0.13 * count) * usd), ...parts.flatMap(({ who }) => batch(who, 0.13 * usd))],
      parts.map(({ who, kind }) => label(who, kind)),
    );
  };
  expect([1, 2, 4].map(levelWith)).toEqual(['MEDIUM', 'CRITICAL', 'CRITICAL']);
});

it('parts of one kind, listed and inferred, are graded by what they are together', () => {
  const usd = dice.int(200_000, 900_000);
  const [thief, helper] = [party(1), party(2)];
  const labels = [label(thief, 'theft'), label(helper, 'theft', { source: 'inference', confidence: 70 })];
  const passed = [...crowd(0.72 * usd), ...batch(thief, 0.14 * usd)];
  expect(levelOf([...passed, ...batch(helper, 0.14 * usd)], labels)).toBe('HIGH');
  expect(levelOf([...passed, ...batch(party(3), 0.14 * usd)], labels)).toBe('MEDIUM');
});

it('what has no price passes no contract: it may have stayed there', () => {
  const [thief, usd] = [party(1), dice.int(20_000, 900_000)];
  const labels = [label(thief, 'theft')];
  const kept = receive(thief, null, T0 + 90 * DAY, { asset: 'USDC', token: USDC, kind: 'token', index: 'log:1' });
  expect(levelOf([...crowd(usd), kept], labels)).toBe('HIGH');
  expect(levelOf([...crowd(usd), ...batch(thief, 0.02 * usd), kept], labels)).toBe('HIGH');
  expect(levelOf([...crowd(usd), ...batch(thief, 0.02 * usd)], labels)).not.toBe('HIGH');
});

it('what passes a contract to sanctioned and terrorist parties is graded as anywhere', () => {
  const usd = dice.int(200_000, 900_000);
  for (const category of ['sanctioned', 'terrorism'] as const) {
    const to = party(1);
    expect([category, levelOf([...crowd(usd), ...batch(party(2), 0.02 * usd, { to })], [label(to, category)])]).toEqual(
      [category, 'CRITICAL'],
    );
  }
});

it('pools at which a contract of a thief swaps do not pass money through it', () => {
  const [thief, usd] = [party(1), dice.int(20_000, 60_000)];
  const labels = [label(thief, 'theft')];
  const owner = party(50);
  const swaps = Array.from({ length: 6 }, (_, i) => {
    const txHash = `0xcc${i.toString(16).padStart(62, '0')}`;
    const dollars = { asset: 'USDC', token: USDC, kind: 'token', txHash, txSender: owner } as const;
    return [
      send(party(200 + i), 20 * usd, T0 + i * DAY, { txHash, txSender: owner, index: 'trace:0' }),
      receive(party(200 + i), 20 * usd, T0 + i * DAY, { ...dollars, index: 'log:0' }),
    ];
  }).flat();
  expect(levelOf([...swaps, ...batch(thief, usd)], labels)).toBe('CRITICAL');
});

it('a small part of what many brought is said to be one behind other wallets too, where the level rests on that', () => {
  const [thief, buyer, usd] = [party(1), party(2), dice.int(200_000, 900_000)];
  const measured = (part: number) => {
    const fact = { direction: 'received', category: 'theft', share: part / (1 + part), usd: part * usd } as const;
    const ways = [{ address: thief, usd: fact.usd, hops: 2, path: [] }];
    const indirect = [{ ...fact, minHops: 2, evidence: [], counterparties: [buyer], ways }];
    const labels = [label(thief, 'theft')];
    return assessed([...crowd(usd), ...batch(buyer, fact.usd)], {
      ...{ labels, addressType: 'contract', more: { indirect } },
    }).detections.find(({ detector_id: id }) => id === 'indirect_exposure')?.details.measured;
  };
  expect([0.15, 0.03, 0.5].map((part) => measured(part)?.of_many)).toEqual([true, undefined, undefined]);
});

it('a part of which some went in a circle keeps its base', () => {
  const [thief, usd] = [party(1), dice.int(20_000, 60_000)];
  const stolen = receive(thief, usd);
  const clean = receive(party(2), usd, T0 + DAY);
  const measured = (circled: number) =>
    assessed([stolen, clean, send(party(3), usd, T0 + 2 * DAY)], {
      labels: [label(thief, 'theft')],
      more: { circled: new Map([[stolen.id, circled]]) },
    }).detections.find(({ detector_id: id }) => id === 'theft_exposure')?.details.measured;
  for (const circled of [0, 0.5, 1]) expect(measured(circled)).toMatchObject({ share: 0.5, of_usd: 2 * usd });
});
