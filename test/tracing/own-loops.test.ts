import { describe, expect, it } from 'vitest';
import { levelsOfTraced } from '../../bench/levels/judge.ts';
import { at, Planted, SUBJECT } from '../../fixtures/levels/planted.ts';
import { seed } from '../setup/seed.ts';

type World = (p: Planted) => void;

const GRAVE = ['HIGH', 'CRITICAL'];

const levelOf = async (...parts: World[]) => {
  const planted = new Planted(seed);
  for (const part of parts) part(planted);
  return (await levelsOfTraced(planted, [SUBJECT])).get(SUBJECT);
};

/** 100,000 stolen US dollars of 125,000, straight from the thief or over wallets between. */
const stolen =
  (hops: number): World =>
  (p) => {
    p.receive(p.labelled('exchange'), 25_000, at(90));
    let from = p.labelled('theft');
    for (let i = 1; i < hops; i++) {
      const layer = p.someone();
      p.move(from, layer, 100_000, at(100, i));
      from = layer;
    }
    p.receive(from, 100_000, at(100, hops));
  };

const loops = (over: (p: Planted) => string[]): World => {
  return (p) => {
    const wallets = [SUBJECT, ...over(p), SUBJECT];
    for (let round = 0; round < 40; round++) {
      for (let i = 1; i < wallets.length; i++) p.move(wallets[i - 1]!, wallets[i]!, 50_000, at(110 + round, i));
    }
  };
};

const LOOPS: Record<string, World> = {
  'a second wallet': loops((p) => [p.someone()]),
  'a ring of three wallets': loops((p) => [p.someone(), p.someone(), p.someone()]),
  'an account at an exchange': loops((p) => [p.labelled('exchange')]),
  'a second wallet that brought clean money of its own once': (p) => {
    const second = p.someone();
    p.move(p.labelled('exchange'), second, 30_000, at(105));
    loops(() => [second])(p);
  },
  'swaps to and fro': (p) => {
    const pool = p.labelled('dex');
    for (let i = 0; i < 40; i++) {
      const txHash = `0x5a${String(i).padStart(62, '0')}`;
      const usdc = { asset: 'USDC', token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', kind: 'token' } as const;
      p.send(pool, 50_000, at(110 + i), { txHash, ...(i % 2 === 0 ? {} : usdc), index: `log:${2 * i}` });
      p.receive(pool, 50_000, at(110 + i), { txHash, ...(i % 2 === 0 ? usdc : {}), index: `log:${2 * i + 1}` });
    }
  },
};

describe.each(Object.keys(LOOPS))('two millions turned over %s', (name) => {
  it('wash no stolen money, direct or behind other wallets', async () => {
    for (const hops of [1, 2, 4]) {
      const [plain, turned] = [await levelOf(stolen(hops)), await levelOf(stolen(hops), LOOPS[name]!)];
      expect(GRAVE.indexOf(plain!)).toBeGreaterThanOrEqual(0);
      expect([hops, GRAVE.indexOf(turned!) >= GRAVE.indexOf(plain!)]).toEqual([hops, true]);
    }
  });
});

it('a little tainted money in dealings that go both ways stays little', async () => {
  const business: World = (p) => {
    const [exchange, customers, shop] = [p.labelled('exchange'), p.someone(), p.someone()];
    p.move(p.labelled('scam'), customers, 1_500, at(50));
    p.move(exchange, customers, 98_500, at(51));
    p.move(customers, shop, 100_000, at(60));
    p.receive(exchange, 100_000, at(55));
    for (let i = 0; i < 10; i++) {
      p.send(shop, 10_000, at(70 + i * 5));
      p.receive(shop, 9_000, at(72 + i * 5));
    }
  };
  expect(await levelOf(business)).toMatch(/LOW|MEDIUM/);
});
