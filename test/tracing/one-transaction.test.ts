import { describe, expect, it } from 'vitest';
import { levelsOfTraced } from '../../bench/levels/judge.ts';
import { at, ordinaryLife, Planted, SUBJECT, USDC } from '../../fixtures/levels/planted.ts';
import { seed } from '../setup/seed.ts';

// Each is the scan of the subject over a graph of the whole world.

type Leg = [from: string, to: string, usd: number, kind?: 'log' | 'native' | 'trace'];

/** Transfers of one transaction in their order: logs are of USDC, others of ether. */
function together(p: Planted, when: number, legs: readonly Leg[]): void {
  const txHash = `0x${p.dice.hex(64)}`;
  for (const [seq, [from, to, usd, kind = 'log']] of legs.entries()) {
    const token = { asset: 'USDC', token: USDC, kind: 'token', amount: String(usd) } as const;
    const index = kind === 'native' ? kind : `${kind}:${seq}`;
    p.move(from, to, usd, when, { txHash, seq, index, ...(kind === 'log' ? token : {}) });
  }
}

const usdc = { asset: 'USDC', token: USDC, kind: 'token', index: 'log:0' } as const;
const paid = (p: Planted, from: string, to: string, usd: number, when: number) =>
  p.move(from, to, usd, when, { ...usdc, amount: String(usd) });

const levelOf = async (plant: (p: Planted) => void) => {
  const planted = new Planted(seed);
  plant(planted);
  return (await levelsOfTraced(planted, [SUBJECT])).get(SUBJECT);
};

const MILLION = 1_000_000;

/** A listed thief borrows a million of a pool, drains a victim by it and pays back with a fee. */
function exploit(p: Planted, pool: string, thief = p.labelled('theft')): void {
  const victim = p.someone();
  paid(p, p.labelled('exchange'), victim, 400_000, at(90));
  together(p, at(100), [
    [pool, thief, MILLION],
    [victim, thief, 400_000],
    [thief, pool, MILLION + 500],
  ]);
}

describe('the flash loan of an exploit', () => {
  it('leaves a lender low who was repaid before it, and one whose money still lies there', async () => {
    for (const isRepaid of [true, false]) {
      const lender = await levelOf((p) => {
        const pool = p.someone();
        p.receive(p.labelled('exchange'), 60_000, at(40), { ...usdc, amount: '60000' });
        paid(p, SUBJECT, pool, 50_000, at(50));
        for (let i = 0; i < 8; i++) paid(p, p.someone(), pool, 250_000, at(60 + i));
        if (isRepaid) paid(p, pool, SUBJECT, 50_000, at(90));
        exploit(p, pool);
      });
      expect([isRepaid, lender]).toEqual([isRepaid, 'LOW']);
    }
  });

  it('makes neither the pool nor who borrows there afterwards guilty', async () => {
    const stocked = (p: Planted, pool: string) => {
      for (let i = 0; i < 40; i++) paid(p, p.someone(), pool, 60_000, at(2 * i));
      exploit(p, pool);
    };
    // Forty equal sums are odd by themselves.
    expect(await levelOf((p) => stocked(p, SUBJECT))).toMatch(/LOW|MEDIUM/);
    expect(
      await levelOf((p) => {
        const pool = p.someone();
        stocked(p, pool);
        ordinaryLife(p, { monthlyUsd: 3_000 });
        paid(p, pool, SUBJECT, 8_000, at(120));
      }),
    ).toBe('LOW');
  });

  it('does not hide whose money the thief pays out, whether he borrows for himself or a wallet between does', async () => {
    for (const usd of [0, 5 * MILLION]) {
      const behind = await levelOf((p) => {
        const [pool, between] = [p.someone(), p.someone()];
        paid(p, p.labelled('exchange'), pool, 9 * MILLION, at(60));
        paid(p, p.labelled('theft'), between, 100_000, at(100));
        if (usd > 0) {
          together(p, at(101), [
            [pool, between, usd],
            [between, pool, usd],
          ]);
        }
        paid(p, between, SUBJECT, 90_000, at(102));
        paid(p, SUBJECT, p.someone(), 90_000, at(103));
      });
      expect([usd, behind]).toEqual([usd, 'CRITICAL']);
    }
  });

  it('finds a gift of the thief inside the transaction of a loan', async () => {
    const paidInside = await levelOf((p) => {
      p.receive(p.labelled('exchange'), MILLION, at(40), { ...usdc, amount: String(MILLION) });
      const thief = p.labelled('theft');
      together(p, at(100), [
        [SUBJECT, thief, MILLION],
        [thief, SUBJECT, MILLION + 150_000],
      ]);
    });
    expect(paidInside).toMatch(/HIGH|CRITICAL/);
  });
});

describe('a loan that another party pays back', () => {
  const lent = (p: Planted, pool: string) => {
    for (let i = 0; i < 8; i++) paid(p, p.someone(), pool, 250_000 + i, at(40 + i));
  };

  it('leaves the pool low where a thief repays over others, or another borrowed for him', async () => {
    const ways: ((p: Planted, thief: string) => Leg[])[] = [
      (p, thief) => {
        const router = p.someone();
        return [
          [SUBJECT, thief, MILLION],
          [thief, router, MILLION + 500],
          [router, SUBJECT, MILLION + 500],
        ];
      },
      (p, thief) => {
        const [helper, router, other] = [p.someone(), p.someone(), p.someone()];
        return [
          [SUBJECT, helper, MILLION],
          [helper, thief, MILLION],
          [thief, router, MILLION],
          [router, other, MILLION],
          [other, SUBJECT, MILLION],
        ];
      },
    ];
    for (const [i, way] of ways.entries()) {
      const level = await levelOf((p) => {
        lent(p, SUBJECT);
        together(p, at(100), way(p, p.labelled('theft')));
      });
      expect([i, level]).toEqual([i, expect.stringMatching(/LOW|MEDIUM/)]);
    }
  });

  it('hides no stolen money at the borrower, nor what he pays out while it lasts', async () => {
    const lasts: ((pool: string, thief: string, helper: string) => Leg[])[] = [
      (pool, between, helper) => [
        [pool, between, 5 * MILLION],
        [between, helper, 5 * MILLION],
        [helper, pool, 5 * MILLION],
      ],
      (pool, between, helper) => [
        [pool, between, 5 * MILLION],
        [between, SUBJECT, 90_000],
        [between, helper, 5 * MILLION - 90_000],
        [helper, pool, 5 * MILLION - 90_000],
        [between, pool, 90_000],
      ],
    ];
    for (const [i, legs] of lasts.entries()) {
      const behind = await levelOf((p) => {
        const [pool, between] = [p.someone(), p.someone()];
        paid(p, p.labelled('exchange'), pool, 9 * MILLION, at(60));
        paid(p, p.labelled('theft'), between, 100_000, at(100));
        together(p, at(101), legs(pool, between, p.someone()));
        if (i === 0) paid(p, between, SUBJECT, 90_000, at(102));
        paid(p, SUBJECT, p.someone(), 90_000, at(103));
      });
      expect([i, behind]).toEqual([i, expect.stringMatching(/HIGH|CRITICAL/)]);
    }
  });
});

describe('trades inside one transaction', () => {
  /** Two pools with coin and dollars of an exchange. */
  const poolsOf = (p: Planted): [string, string] => {
    const pools: [string, string] = [p.someone(), p.someone()];
    for (const pool of pools) {
      p.move(p.labelled('exchange'), pool, 300_000, at(20));
      paid(p, p.labelled('exchange'), pool, 300_000, at(20));
    }
    return pools;
  };
  const sells = (p: Planted, seller: string, pool: string, when: number) =>
    together(p, when, [
      [seller, pool, 200_000, 'native'],
      [pool, seller, 200_000],
    ]);
  const round = (who: string, [first, second]: readonly [string, string], usd: number): Leg[] => [
    [who, first, usd, 'native'],
    [first, who, usd],
    [who, second, usd],
    [second, who, 1.004 * usd, 'trace'],
  ];

  it('make no searcher guilty at pools where a thief sold, before or after, nor who is paid by one', async () => {
    for (const when of [90, 150]) {
      for (const isBehind of [false, true]) {
        const level = await levelOf((p) => {
          const pools = poolsOf(p);
          const who = isBehind ? p.someone() : SUBJECT;
          p.move(p.labelled('exchange'), who, 60_000, at(30));
          for (const pool of pools) sells(p, p.labelled('theft'), pool, at(when));
          for (let i = 0; i < 5; i++) together(p, at(100 + i), round(who, pools, 50_000));
          if (isBehind) for (let i = 0; i < 5; i++) p.move(who, SUBJECT, 9_000, at(110 + 9 * i));
        });
        expect([when, isBehind, level]).toEqual([when, isBehind, 'LOW']);
      }
    }
  });

  it('make no trader guilty who buys where a thief had sold', async () => {
    const level = await levelOf((p) => {
      const [pool] = poolsOf(p);
      paid(p, p.labelled('exchange'), SUBJECT, 60_000, at(30));
      sells(p, p.labelled('theft'), pool, at(90));
      together(p, at(100), [
        [SUBJECT, pool, 50_000],
        [pool, SUBJECT, 50_000, 'trace'],
      ]);
    });
    expect(level).toBe('LOW');
  });

  it('hide no gift, neither beside them nor what exceeds them, and no taker who gets his price back', async () => {
    const stolen = (p: Planted) => {
      const wallet = p.someone();
      p.move(p.labelled('theft'), wallet, 400_000, at(80));
      p.move(p.labelled('exchange'), SUBJECT, 60_000, at(30));
      return wallet;
    };
    const worlds: ((p: Planted) => void)[] = [
      (p) => together(p, at(100), [...round(SUBJECT, poolsOf(p), 50_000), [stolen(p), SUBJECT, 20_000, 'trace']]),
      (p) => {
        const wallet = stolen(p);
        together(p, at(100), [
          [SUBJECT, wallet, 20_000],
          [wallet, SUBJECT, 60_000, 'trace'],
        ]);
      },
      (p) => {
        const [thief, wallet] = [p.labelled('theft'), p.someone()];
        paid(p, p.labelled('exchange'), wallet, 100_000, at(30));
        together(p, at(100), [
          [thief, wallet, 100_000, 'native'],
          [wallet, thief, 100_000],
          [thief, wallet, 100_000],
        ]);
        p.move(wallet, SUBJECT, 90_000, at(101));
      },
    ];
    for (const world of worlds) expect(await levelOf(world)).toMatch(/HIGH|CRITICAL/);
  });
});
