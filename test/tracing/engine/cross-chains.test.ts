import { describe, expect, it } from 'vitest';
import { FOLLOW_MATCHED } from '../../../src/domain/bridges/crossing.ts';
import { joinStatements } from '../../../src/domain/bridges/join-statements.ts';
import { hopsOf } from '../../../src/domain/tracing/hop.ts';
import { fundsRows } from '../../../src/tracing/answers/funds/rows.ts';
import { assetsOf, evidencePath } from '../../../src/tracing/engine/walk/evidence.ts';
import { attributedUsd } from '../../../src/tracing/engine/walk/findings.ts';
import { tracedUsdOfOwn } from '../../../src/tracing/engine/walk/tainted.ts';
import { crossing } from './crossings.ts';
import { amounts, type Edge, left, type Run, run } from './in-memory.ts';

/** HACK pays A, who bridges 100; a solver pays 98 of them to R on Arbitrum, who pays S. */
const THEFT: Edge[] = [
  [1, 'HACK', 'A', 100],
  [2, 'A', 'pool', 100],
  [3, 'arbitrum:solver', 'arbitrum:R', 98],
  [4, 'arbitrum:R', 'arbitrum:S', 98],
  [1, 'arbitrum:CEX', 'arbitrum:solver', 5_000],
];
const BRIDGE = crossing('1', {
  out: { party: 'A', at: 2, amount: '100', explains: [1] },
  arrived: { party: 'arbitrum:R', at: 3, amount: '98', explains: [2] },
});
const BACK: Run = { subject: 'arbitrum:S', crossings: [BRIDGE] };
const ON: Run = { subject: 'HACK', direction: 'sent', crossings: [BRIDGE] };

describe('money that crosses a bridge', () => {
  it('came from its sender on the other chain, in one hop, and nothing of it from the solver', () => {
    const traced = run(THEFT, BACK);
    expect(amounts(traced)).toEqual(['HACK: 98 at 3']);
    expect(left(traced)).toEqual({});
  });

  it('names what moved at the party, which is the quantity of that chain', () => {
    const [party] = run(THEFT, BACK).parties;
    expect(assetsOf(party!, 'received')).toEqual({ USDC: '100' });
    expect(evidencePath(party!, 'received').map(({ transfer }) => transfer.id)).toEqual(['t3', 'crossing-1', 't0']);
  });

  it('goes on to its recipient in the dollars of the subject, less no fee', () => {
    const edges: Edge[] = [...THEFT.slice(0, 3), [4, 'arbitrum:R', 'arbitrum:CEX', 98]];
    const traced = run(edges, ON);
    expect(amounts(traced)).toEqual(['arbitrum:CEX: 98 at 3']);
    expect(assetsOf(traced.parties[0]!, 'sent')).toEqual({ USDC: '98' });
  });

  it('is the same share on both sides where only some of it was stolen', () => {
    const edges: Edge[] = [[0, 'CEX', 'A', 300], ...THEFT];
    const shifted = crossing('1', {
      out: { party: 'A', at: 2, amount: '100', explains: [2] },
      arrived: { party: 'arbitrum:R', at: 3, amount: '98', explains: [3] },
    });
    expect(amounts(run(edges, { ...BACK, crossings: [shifted] }))).toEqual(['CEX: 73.5 at 3', 'HACK: 24.5 at 3']);
  });

  it('ends at the recipient itself where that is a labelled service', () => {
    const edges: Edge[] = [THEFT[0]!, THEFT[1]!, [3, 'arbitrum:solver', 'arbitrum:CEX', 98]];
    const direct = crossing('1', {
      out: { party: 'A', at: 2, amount: '100', explains: [1] },
      arrived: { party: 'arbitrum:CEX', at: 3, amount: '98', explains: [2] },
    });
    const traced = run(edges, { ...ON, crossings: [direct] });
    expect(amounts(traced)).toEqual(['arbitrum:CEX: 98 at 2']);
    expect(assetsOf(traced.parties[0]!, 'sent')).toEqual({ USDC: '98' });
  });

  it('is not the money of who paid the solver', () => {
    const traced = run(THEFT, { subject: 'arbitrum:CEX', direction: 'sent', crossings: [BRIDGE] });
    expect(amounts(traced)).toEqual([]);
    expect(left(traced)).toEqual({ bridge_liquidity: 98, held: 4_902 });
  });

  it('counts as the subject where the subject itself sent or received it', () => {
    expect(amounts(run(THEFT, { ...BACK, subject: 'arbitrum:R' }))).toEqual(['HACK: 98 at 2']);
    expect(amounts(run([...THEFT, [9, 'arbitrum:S', 'arbitrum:CEX', 98]], { ...ON, subject: 'A' }))).toEqual([
      'arbitrum:CEX: 98 at 3',
    ]);
  });

  it('is traced where the graph holds none of the transfers that moved it', () => {
    const edges: Edge[] = [THEFT[0]!, THEFT[3]!];
    const bare = crossing('1', {
      out: { party: 'A', at: 2, amount: '100' },
      arrived: { party: 'arbitrum:R', at: 3, amount: '98' },
    });
    expect(amounts(run(edges, { ...BACK, crossings: [bare] }))).toEqual(['HACK: 98 at 3']);
  });

  it('has the value of what was sent, less the fee, where what arrived is not listed or has no price', () => {
    const sent: Edge[] = [THEFT[0]!, THEFT[1]!];
    const arrived = { party: 'arbitrum:R', at: 3, amount: '98' };
    const bare = crossing('1', { out: { party: 'A', at: 2, amount: '100', explains: [1] }, arrived, usd: 100 });
    const listed = crossing('1', {
      out: { party: 'A', at: 2, amount: '100', explains: [1] },
      arrived: { ...arrived, explains: [2, 3] },
      usd: 100,
    });
    const unpriced: Edge[] = [
      [3, 'arbitrum:pool', 'arbitrum:R', null, { amount: '90', txHash: 'T', index: 'log:1' }],
      [3, 'arbitrum:pool', 'arbitrum:R', null, { amount: '8', txHash: 'T', index: 'log:2' }],
    ];
    const cases: [Edge[], typeof bare, [string, number][]][] = [
      [sent, bare, [['crossing-1', 98]]],
      [
        [...sent, ...unpriced],
        listed,
        [
          ['t2', 90],
          ['t3', 8],
        ],
      ],
    ];
    for (const [edges, one, own] of cases) {
      const traced = run(edges, { ...BACK, subject: 'arbitrum:R', crossings: [one] });
      expect([amounts(traced), traced.totalUsd]).toEqual([['HACK: 98 at 2'], 98]);
      const parts = [...tracedUsdOfOwn(traced, traced.parties, 'received')];
      expect(parts.map(([id, usd]) => [id, Number(usd.toFixed(9))])).toEqual(own);
    }
  });

  it('has the value of what arrived where what was sent has no price, and never more than was sent', () => {
    const burned: Edge[] = [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'arbitrum:gone', null, { amount: '100' }],
    ];
    const arrived = { party: 'arbitrum:CEX', at: 3, amount: '101' };
    const exit = crossing('1', { out: { party: 'A', at: 2, amount: '100', explains: [1] }, arrived, usd: 100 });
    for (const [subject, direction] of [
      ['A', 'sent'],
      ['arbitrum:CEX', 'received'],
    ] as const) {
      const traced = run(burned, { subject, direction, crossings: [exit] });
      expect([traced.totalUsd, amounts(traced)]).toEqual([
        100,
        [direction === 'sent' ? 'arbitrum:CEX: 100 at 1' : 'HACK: 100 at 2'],
      ]);
    }
  });

  it('has the value of the crossing whole where another asset arrives', () => {
    const swapped = crossing('1', {
      out: { party: 'A', at: 2, amount: '100', explains: [1] },
      arrived: { party: 'arbitrum:R', at: 3, amount: '0.03', symbol: 'ETH' },
      usd: 100,
    });
    const traced = run([THEFT[0]!, THEFT[1]!], { ...BACK, subject: 'arbitrum:R', crossings: [swapped] });
    expect(amounts(traced)).toEqual(['HACK: 100 at 2']);
  });

  it('passes through addresses in a loop without coming twice', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'pool', 100],
      [3, 'arbitrum:pool', 'arbitrum:B', 100],
      [4, 'arbitrum:B', 'arbitrum:pool', 100],
      [5, 'pool', 'A', 100],
      [6, 'A', 'S', 100],
    ];
    const crossings = [
      crossing('1', {
        out: { party: 'A', at: 2, amount: '100', explains: [1] },
        arrived: { party: 'arbitrum:B', at: 3, amount: '100', explains: [2] },
      }),
      crossing('2', {
        out: { party: 'arbitrum:B', at: 4, amount: '100', explains: [3] },
        arrived: { party: 'A', at: 5, amount: '100', explains: [4] },
      }),
    ];
    expect(amounts(run(edges, { crossings }))).toEqual(['HACK: 100 at 2']);
  });

  it('is all followed over ten equal messages to one recipient, and never more than arrived', () => {
    const places = Array.from({ length: 10 }, (_, i) => i);
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100],
      ...places.map((i): Edge => [2 + i, 'A', 'pool', 10]),
      ...places.map((i): Edge => [20 + i, 'arbitrum:pool', 'arbitrum:R', 9.5]),
      [40, 'arbitrum:R', 'arbitrum:CEX', 95],
    ];
    const twins = places.map((i) =>
      crossing('1', {
        out: { party: 'A', at: 2 + i, amount: '10', explains: [1 + i] },
        arrived: { party: 'arbitrum:R', at: 20 + i, amount: '9.5', explains: [11 + i] },
      }),
    );
    const statements = twins.flatMap(({ source, destination }, position) =>
      [source!, destination!].map((message) => ({
        message: { ...message, position },
        near: '',
        far: '',
        usd: null,
        missing: null,
        likely: null,
        lookedUpAt: null,
      })),
    );
    const crossings = joinStatements(statements.toReversed());
    expect(crossings.map(({ match, ambiguous }) => [match, ambiguous])).toEqual(places.map(() => ['id', true]));
    const traced = run(edges, { ...ON, crossings });
    expect(amounts(traced)).toEqual(['arbitrum:CEX: 100 at 3']);
    expect(assetsOf(traced.parties[0]!, 'sent')).toEqual({ USDC: '95' });
    expect(amounts(run(edges, { ...BACK, subject: 'arbitrum:CEX', crossings }))).toEqual(['HACK: 95 at 3']);
    const [hop] = hopsOf('sent', evidencePath(traced.parties[0]!, 'sent')).filter(({ bridge }) => bridge);
    expect(hop?.bridge).toMatchObject({ match: 'id', ambiguous: true, reason: null });
  });

  it('is split where two messages share one transfer, and leaves a fee in another asset alone', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'pool', 100, { txHash: 'T', index: 'log:1' }],
      [2, 'A', 'pool', 1, { symbol: 'ETH', amount: '0.001', txHash: 'T', index: 'native' }],
    ];
    const part = (id: string, party: string, amount: string) =>
      crossing(id, {
        out: { party: 'A', at: 2, amount, explains: [1, 2] },
        arrived: { party, at: 3, amount },
      });
    const crossings = [part('1', 'arbitrum:CEX', '30'), part('2', 'base:MIX', '60')];
    const traced = run(edges, { ...ON, crossings });
    expect(amounts(traced)).toEqual([
      `base:MIX: ${Number((200 / 3).toFixed(9))} at 2`,
      `arbitrum:CEX: ${Number((100 / 3).toFixed(9))} at 2`,
    ]);
  });
});

describe('a crossing that is not followed', () => {
  const lone = { ...BRIDGE, destination: null, match: null, reason: 'bridge_pending' as const };

  it('ends the money at the bridge, by name, and stands in the frontier with its reason', async () => {
    const traced = run(THEFT, { ...ON, crossings: [lone] });
    expect(traced.parties.map(({ address, category, label, usd }) => [address, category, label, usd])).toEqual([
      ['ethereum:pool', 'bridge', 'across', 100],
    ]);
    expect(traced.frontier.map(({ reason, bridge }) => [reason, bridge?.crossing.messageId])).toEqual([
      ['bridge_pending', '1'],
    ]);
    expect([attributedUsd(traced), [...traced.lost]]).toEqual([0, [['bridge_pending', 100]]]);
    const { rows } = await fundsRows(traced, { direction: 'sent', pause: () => undefined });
    expect(rows.map(({ kind, label, usd }) => [kind, label, usd])).toEqual([['bridge', 'across', 100]]);
  });

  it('has a row without dollars where what was sent has no price, whether its other side is known or not', async () => {
    const exit: Edge[] = [
      [1, 'S', 'pool', null, { symbol: 'TOK', amount: '100' }],
      [2, 'S', 'spanPool', null, { symbol: 'TOK', amount: '7' }],
      [3, 'arbitrum:solver', 'arbitrum:R', null, { symbol: 'TOK', amount: '98' }],
      [4, 'S', 'a', null, { symbol: 'TOK', amount: '5' }],
      [5, 'S', 'CEX', 40],
    ];
    const known = crossing('1', {
      out: { party: 'S', at: 1, amount: '100', symbol: 'TOK', explains: [0] },
      arrived: { party: 'arbitrum:R', at: 3, amount: '98', symbol: 'TOK', explains: [2] },
    });
    const rowsWith = async (one: typeof known) => {
      const traced = run(exit, { direction: 'sent', crossings: [one] });
      const { totalUsd, rows } = await fundsRows(traced, { direction: 'sent', pause: () => undefined });
      expect([totalUsd, rows.map(({ usd }) => usd)]).toEqual([40, [40, 0, 0]]);
      return rows.slice(1).map(({ kind, address, label, assets, transfers, bridge }) => ({
        ...{ kind, address, label, assets, transfers },
        to: bridge?.destination.address,
      }));
    };
    const named = { kind: 'bridge', label: 'across', transfers: 1 };
    const byContract = { ...named, address: 'spanPool', assets: { TOK: '7' }, to: undefined };
    expect(await rowsWith(known)).toEqual([{ ...named, address: 'R', assets: { TOK: '98' }, to: 'R' }, byContract]);
    const waits = { ...known, destination: null, match: null, reason: 'bridge_pending' as const };
    expect(await rowsWith(waits)).toEqual([{ ...named, address: 'pool', assets: { TOK: '100' }, to: 'R' }, byContract]);
  });

  it('is one wherever money meets a known contract of a bridge, whatever it gave in return', async () => {
    const paid: Edge[] = [
      [1, 'S', 'a', 100],
      [2, 'a', 'spanPool', 60, { txHash: 'deposit' }],
      [2, 'spanPool', 'a', null, { symbol: 'LP', amount: '60', txHash: 'deposit', seq: 1 }],
      [3, 'a', 'CEX', 40],
    ];
    const traced = run(paid, { direction: 'sent' });
    const { rows } = await fundsRows(traced, { direction: 'sent', pause: () => undefined });
    expect(rows.map(({ kind, category, label, usd }) => [kind, category, label, usd])).toEqual([
      ['bridge', 'bridge', 'across', 60],
      ['party', 'exchange', null, 40],
    ]);
    expect([attributedUsd(traced), [...traced.lost]]).toEqual([40, [['bridge_not_looked_up', 60]]]);
    expect(traced.frontier.map(({ address, reason }) => [address, reason])).toEqual([
      ['ethereum:spanPool', 'bridge_not_looked_up'],
    ]);
  });

  it('is the end for what a solver paid too: its money is the origin of nothing', () => {
    const arrived = { ...BRIDGE, source: null, match: null, from: 'arbitrum:solver' };
    const traced = run(THEFT, { ...BACK, crossings: [arrived] });
    expect(amounts(traced)).toEqual(['arbitrum:solver: 98 at 2']);
    expect(traced.frontier.map(({ reason }) => reason)).toEqual(['bridge_not_looked_up']);
  });

  it('is what is only likely, unless it is asked for', () => {
    const likely = { ...BRIDGE, match: 'likely' as const };
    const onward = run(THEFT, { ...ON, crossings: [likely] });
    expect(onward.frontier.map(({ reason, bridge }) => [reason, bridge?.crossing.destination?.tx])).toEqual([
      ['bridge_likely', BRIDGE.destination!.tx],
    ]);
    expect(onward.parties.map(({ category }) => category)).toEqual(['bridge']);
  });

  it('hides no origin of a receipt that only likely came over a bridge, and is shown at it', () => {
    const likely = { ...BRIDGE, match: 'likely' as const };
    for (const crossChain of [true, false]) {
      const traced = run(THEFT, { ...BACK, crossings: [likely], policy: { ...FOLLOW_MATCHED, crossChain } });
      const plain = run(THEFT, { ...BACK, crossings: [] });
      expect([amounts(traced), left(traced)]).toEqual([['arbitrum:CEX: 98 at 3'], {}]);
      expect([amounts(plain), left(plain)]).toEqual([amounts(traced), left(traced)]);
      const hops = hopsOf('received', evidencePath(traced.parties[0]!, 'received'));
      expect(hops.map(({ bridge }) => [bridge?.match, bridge?.reason])).toEqual([
        [undefined, undefined],
        crossChain ? ['likely', 'bridge_likely'] : [undefined, undefined],
        [undefined, undefined],
      ]);
    }
  });

  it('is followed where likely ones are asked for', () => {
    const likely = { ...BRIDGE, match: 'likely' as const };
    const policy = { ...FOLLOW_MATCHED, followsLikely: () => true };
    const traced = run(THEFT, { ...BACK, crossings: [likely], policy });
    expect(amounts(traced)).toEqual(['HACK: 98 at 3']);
    expect(traced.likelyUsd).toBeCloseTo(98, 9);
    const without = [{ crossings: [likely] }, { crossings: [BRIDGE], policy }];
    for (const options of without) expect(run(THEFT, { ...BACK, ...options }).likelyUsd).toBe(0);
  });

  it('is counted once where it goes over two of them, as over two that anybody could have stated', () => {
    const second: Edge[] = [...THEFT, [5, 'arbitrum:S', 'arbitrum:pool', 98], [6, 'optimism:solver', 'optimism:R', 96]];
    const again = crossing('2', {
      out: { party: 'arbitrum:S', at: 5, amount: '98', explains: [5] },
      arrived: { party: 'optimism:R', at: 6, amount: '96', explains: [6] },
    });
    const counted = (more: Partial<typeof BRIDGE>, followsLikely = () => false) => {
      const crossings = [BRIDGE, again].map((one) => ({ ...one, ...more }));
      const edges: Edge[] = [...second, [1, 'HACK', 'B', 900]];
      return run(edges, { ...ON, crossings, policy: { ...FOLLOW_MATCHED, followsLikely } });
    };
    expect(counted({ match: 'likely' }, () => true).likelyUsd).toBeCloseTo(100, 9);
    expect(counted({}).openUsd).toBeCloseTo(100, 9);
  });

  it('is every one where the trace stays on its chain', () => {
    const traced = run(THEFT, { ...BACK, policy: { ...FOLLOW_MATCHED, crossChain: false } });
    expect(amounts(traced)).toEqual(['arbitrum:solver: 98 at 2']);
    expect(traced.frontier.map(({ reason }) => reason)).toEqual(['cross_chain_off']);
  });
});

describe('a crossing that anybody can state, where that is left out', () => {
  const policy = { ...FOLLOW_MATCHED, followsOpen: false } as const;

  it('leaves the origin that the transfers alone show, whatever is stated', () => {
    const plain = amounts(run(THEFT, { ...BACK, crossings: [] }));
    for (const match of ['id', 'likely', 'confirmed', null] as const) {
      const stated = { ...BRIDGE, match };
      const alone = { ...stated, source: null, from: 'arbitrum:solver', match: null };
      for (const one of [stated, alone])
        expect(amounts(run(THEFT, { ...BACK, crossings: [one], policy }))).toEqual(plain);
    }
  });

  it('leads to who brought the money to the contract that paid it out', () => {
    const edges: Edge[] = [
      [1, 'arbitrum:HACK', 'arbitrum:P', 98],
      [3, 'arbitrum:P', 'arbitrum:router', 98],
      [3, 'arbitrum:router', 'arbitrum:R', 98],
      [4, 'arbitrum:R', 'arbitrum:S', 98],
    ];
    const given = crossing('1', {
      out: { party: 'A', at: 2, amount: '100' },
      arrived: { party: 'arbitrum:R', at: 3, amount: '98', explains: [1, 2] },
    });
    const destination = { ...given.destination!, behind: { party: 'P', transfer: 't1' } };
    const forged = { ...given, destination };
    expect(amounts(run(edges, { ...BACK, crossings: [forged], policy }))).toEqual(['arbitrum:HACK: 98 at 3']);
  });
});
