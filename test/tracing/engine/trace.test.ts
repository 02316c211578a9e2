import { describe, expect, it } from 'vitest';
import { hopsOf } from '../../../src/domain/tracing/hop.ts';
import { NOT_READ, readUntil } from '../../../src/domain/tracing/reading.ts';
import { payoutsInOrder } from '../../../src/tracing/engine/payouts.ts';
import { restitutionOf } from '../../../src/tracing/engine/restitution.ts';
import { assetsOf, evidencePath, upperUsd } from '../../../src/tracing/engine/walk/evidence.ts';
import { attributedUsd } from '../../../src/tracing/engine/walk/findings.ts';
import { amounts, type Edge, left, NOW, run, transfersOf } from './in-memory.ts';
import { VECTORS } from './vectors.ts';

describe('attribution by replay', () => {
  it.each(VECTORS)('$id $name', ({ transfers, direction, expected, unattributed }) => {
    const traced = run(transfers as Edge[], { direction });
    expect(amounts(traced)).toEqual(expected);
    const leftUsd = [...traced.unattributed.values()].reduce((sum, usd) => sum + usd, 0);
    expect(leftUsd).toBeCloseTo(unattributed, 9);
  });

  it('says how much of a party is money that the subject moved recently', () => {
    const transfers: Edge[] = [
      [10, 'CEX', 'S', 600],
      [20, 'HACK', 'a', 400],
      [30, 'a', 'S', 100],
      [900, 'a', 'S', 300],
      [910, 'CEX', 'S', 100],
    ];
    const recentOf = (recentSince: number) => {
      const { recentUsd, parties } = run(transfers, { recentSince });
      return [recentUsd, ...parties.map((party) => [party.category, party.usd, Number(party.recentUsd.toFixed(9))])];
    };
    expect(recentOf(900)).toEqual([400, ['exchange', 700, 100], ['sanctioned', 400, 300]]);
    expect(recentOf(0)).toEqual([1_100, ['exchange', 700, 700], ['sanctioned', 400, 400]]);
  });

  it('lets the payments of one transaction leave by place where their order is not known', () => {
    const transfers: Edge[] = [
      [1, 'S', 'a', 1],
      [4, 'a', 'CEX', 25, { txHash: 'one', index: 'event:1', seq: 1 }],
      [4, 'a', 'b', 37, { txHash: 'one', index: 'event:0', seq: 0 }],
    ];
    expect(amounts(run(transfers, { direction: 'sent' }))).toEqual([]);
    const [first, , second] = transfers as [Edge, Edge, Edge];
    const other: Edge[] = [first, second, [4, 'a', 'CEX', 25, { txHash: 'one', index: 'event:0', seq: -1 }]];
    expect(amounts(run(other, { direction: 'sent' }))).toEqual(['CEX: 1 at 2']);
  });

  it.each([
    'bc1pfeessrawgf',
    'bc1qft5p2uhsdcdc3l2ua4ap5qqfg4pjaqlp250x7us7a8qqhrxrxfsq2gp3gp',
    '3MaB7QVq3k4pQx3BhsvEADgzQonLSBwMdj',
    'script:4ae81572f06e1b88fd5ced7a1a000945432e83e1551e6f721ee9c00b8cc33260',
  ])('goes on through %s, from which anybody may pay', (anybodys) => {
    const paid: Edge[] = [
      [1, 'bitcoin:THIEF', `bitcoin:${anybodys}`, 10],
      [2, `bitcoin:${anybodys}`, 'bitcoin:S', 10],
    ];
    expect(amounts(run(paid, { subject: 'bitcoin:S' }))).toEqual(['bitcoin:THIEF: 10 at 2']);
  });

  it('counts once what a thief pays back beyond the loss over a wallet of his', () => {
    const transfers: Edge[] = [
      [1, 'a', 'THIEF', 1],
      [2, 'THIEF', 'U', 2],
      [3, 'U', 'a', 2],
      [4, 'a', 'S', 2],
    ];
    const traced = run(transfers);
    expect(amounts(traced)).toEqual(['THIEF: 1 at 3']);
    expect(left(traced)).toEqual({ unknown_origin: 1 });
  });

  it('gives back to no one what others had lent for the transaction of the loss', () => {
    const place = (i: number) => ({ txHash: 'T', index: `log:${i}`, seq: i });
    const paid = (lent: number): Edge[] => [
      [1, 'MIX', 'a', 100],
      ...(lent > 0 ? ([[2, 'pool', 'a', lent, place(0)]] as Edge[]) : []),
      [2, 'a', 'THIEF', 100, place(1)],
      [3, 'THIEF', 'a', 60],
      [4, 'a', 'S', 60],
    ];
    const categories = (lent: number) => run(paid(lent)).parties.map(({ category }) => category);
    expect(categories(0)).toEqual(['mixer']);
    expect(categories(100)).toContain('theft');
  });

  it('says why money could not be attributed', () => {
    const paid: Edge[] = [[2, 'a', 'S', 10]];
    expect(left(run(paid))).toEqual({ unknown_origin: 10 });
    expect(left(run(paid, { readings: { a: NOT_READ } }))).toEqual({ not_read: 10 });
    expect(left(run(paid, { isReadKnown: false }))).toEqual({ not_read: 10 });
    expect(left(run(paid, { readings: { a: readUntil(1, true) } }))).toEqual({ not_read: 10 });
    expect(left(run(paid, { readings: { a: readUntil(5, false) } }))).toEqual({ partial_history: 10 });
    const sent: Edge[] = [[2, 'S', 'a', 10]];
    expect(left(run(sent, { direction: 'sent' }))).toEqual({ held: 10 });
    expect(left(run(sent, { direction: 'sent', readings: { a: NOT_READ } }))).toEqual({ not_read: 10 });
    expect(left(run(sent, { direction: 'sent', readings: { a: readUntil(5, true) } }))).toEqual({ not_read_since: 10 });
    expect(left(run([[1, 'coinbase', 'S', 3]]))).toEqual({ unknown_origin: 3 });
    const zero = `0x${'0'.repeat(40)}`;
    expect(left(run([[1, 'S', zero, 3]], { direction: 'sent' }))).toEqual({ burned: 3 });
  });

  it('does not settle money of which much more was paid than ever came in, though all counts as read', () => {
    const [paid, more] = [(usd: number): Edge => [3, 'a', 'S', usd], (usd: number): Edge => [1, 'CEX', 'a', usd]];
    expect(left(run([paid(10)]))).toEqual({ unknown_origin: 10 });
    expect(left(run([paid(11)]))).toEqual({ received_unseen: 11 });
    expect(left(run([more(1_980), paid(2_000)]))).toEqual({ unknown_origin: 20 });
    expect(left(run([more(1_979), paid(2_000)]))).toEqual({ received_unseen: 21 });
    // Other payments of the asset count too, and its other assets do not.
    expect(left(run([[0, 'a', 'x', 30], more(8), paid(9)]))).toEqual({ received_unseen: 1 });
    expect(left(run([[0, 'a', 'x', 30, { symbol: 'ETH', amount: '1' }], more(8), paid(9)]))).toEqual({
      unknown_origin: 1,
    });
    const entry = { address: 'ethereum:a', usd: 11, reason: 'received_unseen' };
    expect(run([paid(11)]).frontier).toMatchObject([entry]);
    expect(left(run([paid(11)], { readings: { a: readUntil(5, false) } }))).toEqual({ partial_history: 11 });
    const noted: Edge[] = [[2, 'a', 'x', null, { symbol: 'FAKE', amount: '900' }], more(10), paid(10)];
    expect(left(run(noted))).toEqual({});
    expect(left(run([[1, 'coinbase', 'a', 3_000], paid(3_000)]))).toEqual({ unknown_origin: 3_000 });
  });

  it('lists each end without a label by address and reason, with what is there', () => {
    const edges: Edge[] = [
      [1, 'S', 'A', 100, { symbol: 'ETH', amount: '10.000000000000000001' }],
      [2, 'A', 'B', 40, { symbol: 'ETH', amount: '4' }],
      [3, 'A', 'X', 10, { symbol: 'ETH', amount: '1' }],
      [4, 'S', 'X', 35, { symbol: 'USDC', amount: '35' }],
    ];
    const { ends } = run(edges, { direction: 'sent', readings: { X: NOT_READ } });
    const listed = ends.map(({ address, reason, usd, hops, arrivals, quantities }) => [
      `${address.replace('ethereum:', '')} ${reason} ${Number(usd.toFixed(9))} at ${hops}`,
      arrivals.map(({ transfer }) => transfer.id),
      Object.fromEntries([...(quantities ?? [])].map(([asset, quantity]) => [asset, Number(quantity.toFixed(9))])),
    ]);
    expect(listed).toEqual([
      ['A held 50 at 1', ['t0'], { ETH: 5 }],
      ['X not_read 45 at 1', ['t3', 't2'], { USDC: 35, ETH: 1 }],
      ['B held 40 at 2', ['t1'], { ETH: 4 }],
    ]);
  });

  it('counts what passed unread addresses apart, and names them as what to read next', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'A', 10],
      [2, 'A', 'S', 10],
      [3, 'CEX', 'S', 5],
    ];
    const unread = run(edges, { readings: { A: NOT_READ } });
    expect(amounts(unread)).toEqual(['HACK: 10 at 2', 'CEX: 5 at 1']);
    expect(unread.throughUnreadUsd).toBe(10);
    expect(unread.frontier).toMatchObject([
      { address: 'ethereum:A', direction: 'received', hop: 1, usd: 10, reason: 'not_read', around: { id: 't1' } },
    ]);
    const read = run(edges);
    expect([read.throughUnreadUsd, read.frontier]).toEqual([0, []]);
    const forward = run(
      [
        [1, 'S', 'A', 10],
        [2, 'A', 'CEX', 4],
      ],
      { direction: 'sent', readings: { A: NOT_READ } },
    );
    expect(amounts(forward)).toEqual(['CEX: 4 at 2']);
    expect([forward.throughUnreadUsd, left(forward)]).toEqual([4, { not_read: 6 }]);
    expect(forward.frontier).toMatchObject([{ address: 'ethereum:A', usd: 10, reason: 'not_read' }]);
  });

  it('counts as passed unread only money whose end is known', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'B', 30],
      [2, 'B', 'A', 40],
      [3, 'A', 'S', 40],
    ];
    const result = run(edges, { readings: { A: NOT_READ } });
    expect([amounts(result), left(result)]).toEqual([['HACK: 30 at 3'], { unknown_origin: 10 }]);
    expect(result.throughUnreadUsd).toBe(30);
    expect(result.frontier).toMatchObject([{ address: 'ethereum:A', usd: 40, reason: 'not_read' }]);
    const own: Edge[] = [
      [1, 'S', 'A', 10],
      [2, 'A', 'S', 10],
    ];
    const returned = run(own, { readings: { A: NOT_READ } });
    expect([left(returned), returned.throughUnreadUsd]).toEqual([{ own_money: 10 }, 0]);
  });

  it('carries nothing across a gap in what was read', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100],
      [60, 'CEX', 'A', 100],
      [70, 'A', 'S', 100],
    ];
    const span = (opening: string | null) => ({ A: () => [{ from: 50, to: 80, opening, closing: null }] });
    const untold = run(edges, { readings: span(null) });
    expect([amounts(untold), left(untold), untold.throughUnreadUsd]).toEqual([
      ['CEX: 50 at 2'],
      { partial_history: 50 },
      50,
    ]);
    const result = run(edges, { readings: span('0') });
    expect([amounts(result), left(result), result.throughUnreadUsd]).toEqual([['CEX: 100 at 2'], {}, 0]);
    const gone = run(
      [
        [1, 'S', 'A', 100],
        [60, 'A', 'CEX', 20],
      ],
      { direction: 'sent', readings: span('25') },
    );
    expect([amounts(gone), left(gone)]).toEqual([[], { spent_unseen: 75, partial_history: 25 }]);
  });

  it('calls nothing held that a later gap in the reading may have seen leave', () => {
    const readings = {
      A: () => [
        { from: Number.NEGATIVE_INFINITY, to: 20, opening: null, closing: null },
        { from: 50, to: NOW, opening: null, closing: null },
      ],
    };
    const sent = run([[1, 'S', 'A', 100]], { direction: 'sent', readings });
    expect(left(sent)).toEqual({ partial_history: 100 });
  });

  it('calls spent unseen what the balance of the chain lacks at the end of a reading, on both sides', () => {
    const span = (closing: string | null, from = Number.NEGATIVE_INFINITY) => ({
      A: () => [{ from, to: NOW - 1, opening: null, closing }],
    });
    const edges: Edge[] = [
      [1, 'S', 'A', 100],
      [60, 'A', 'CEX', 20],
    ];
    const sent = (closing: string | null, from?: number) =>
      left(run(edges, { direction: 'sent', readings: span(closing, from), heldSince: NOW - 1 }));
    expect(sent('0')).toEqual({ spent_unseen: 80 });
    expect(sent('20')).toEqual({ spent_unseen: 60, held: 20 });
    expect(sent('80')).toEqual({ held: 80 });
    expect(sent('95')).toEqual({ held: 80 });
    expect(sent('79.5')).toEqual({ held: 80 });
    expect(sent(null)).toEqual({ held: 80 });
    // Without the balance at its beginning, what lacks may have been spent before.
    expect(sent('0', 1)).toEqual({ held: 80 });
    const later: Edge[] = [
      [1, 'HACK', 'A', 100],
      [NOW, 'CEX', 'A', 50],
      [NOW + 1, 'A', 'S', 100],
    ];
    expect(amounts(run(later, { readings: span('50') }))).toEqual(['CEX: 50 at 2', 'HACK: 50 at 2']);
    const hidden = run(edges, { direction: 'sent', readings: span('0'), isReadKnown: false });
    expect(left(hidden)).toEqual({ not_read: 80 });
  });

  it('lets fees take their part of the balance, once for each transaction', () => {
    const coin = (amount: string, more = {}) => ({ symbol: 'ETH', amount, ...more });
    const edges: Edge[] = [
      [1, 'S', 'A', 100, coin('10')],
      [2, 'A', 'CEX', 40, coin('4', { txHash: 'x', index: 'native' })],
      [2, 'A', 'MIX', 40, coin('4', { txHash: 'x', index: 'trace:0', seq: 1 })],
    ];
    const traced = run(edges, { direction: 'sent', fees: { A: { x: '1' } } });
    expect([amounts(traced), left(traced)]).toEqual([['CEX: 40 at 2', 'MIX: 40 at 2'], { fees: 10, held: 10 }]);
  });

  it('treats a coin and its wrapped form as one asset, and wrapping as no transfer', () => {
    const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
    const zero = `0x${'0'.repeat(40)}`;
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100, { symbol: 'ETH', amount: '1' }],
      [2, 'A', weth, 100, { symbol: 'ETH', amount: '1', txHash: 'wrap' }],
      [2, zero, 'A', 100, { symbol: 'WETH', token: weth, amount: '1', txHash: 'wrap', index: 'log:1', seq: 1 }],
      [3, 'A', 'S', 100, { symbol: 'WETH', token: weth, amount: '1' }],
    ];
    expect(amounts(run(edges))).toEqual(['HACK: 100 at 2']);
  });

  it('shows the swap on the way, and a transfer for each hop', () => {
    const swap = VECTORS.find(({ id }) => id === 'V17');
    const [party] = run(swap?.transfers as Edge[]).parties;
    const path = evidencePath(party!, 'received');
    expect(path.map(({ transfer, conversions }) => [transfer.id, conversions])).toEqual([
      ['t3', []],
      ['t0', [{ txHash: 'T', from: 'USDT', to: 'ETH', isAccount: false }]],
    ]);
  });

  it('shows what a swap paid out to another wallet as one hop, in what arrived', () => {
    const paid = VECTORS.find(({ id }) => id === 'V20')?.transfers as Edge[];
    const shown = (edges: readonly Edge[], direction: 'received' | 'sent') => {
      const [party] = run(edges, { direction }).parties;
      return hopsOf(direction, evidencePath(party!, direction)).map(({ from, to, asset, amount, usd, conversion }) => [
        `${from} ${to}: ${amount} ${asset}, ${usd}`,
        ...(conversion ?? []).map((swap) => `${swap.tx_hash} ${swap.from_asset} ${swap.to_asset}`),
      ]);
    };
    const across = ['A B: 100 ETH, 300000', 'T USDC ETH'];
    expect(shown(paid, 'received')).toEqual([['HACK A: 300000 USDC, 300000'], across, ['B S: 100 ETH, 300000']]);
    const forward = paid.map(
      (edge): Edge => [edge[0], edge[1].replace('HACK', 'S'), edge[2].replace('S', 'CEX'), edge[3], edge[4]],
    );
    expect(shown(forward, 'sent')).toEqual([['S A: 300000 USDC, 300000'], across, ['B CEX: 100 ETH, 300000']]);
  });

  it('takes a swap out of the subject for a payment to whoever got the proceeds', () => {
    const edges: Edge[] = [
      [1, 'S', 'DEX', 100, { txHash: 'T', index: 'log:0' }],
      [1, 'DEX', 'B', 98, { txHash: 'T', index: 'log:1', seq: 1, symbol: 'ETH', amount: '0.03' }],
    ];
    const { ends, parties } = run(edges, { direction: 'sent' });
    expect(parties).toEqual([]);
    expect(ends).toMatchObject([{ address: 'ethereum:B', reason: 'held', usd: 100, hops: 1 }]);
    expect(left(run(edges, { direction: 'received', subject: 'B' }))).toEqual({ received_unseen: 98 });
  });

  it('takes what a market pays to a party for its own deposit there first, however strangers pay beside it', () => {
    const eth = { symbol: 'ETH', amount: '1' };
    const both = (a: string, b: string, usd: number): Edge[] => [
      [5, a, 'DEX', usd, { txHash: 'T', index: 'log:0' }],
      [5, 'DEX', b, usd, { ...eth, txHash: 'T', index: 'log:1', seq: 1 }],
    ];
    const put: Edge[] = [
      [1, 'CEX', 'S', 100],
      [2, 'S', 'DEX', 100],
    ];
    const framed = (edges: Edge[]) => amounts(run(edges));
    expect(framed([...put, ...both('HACK', 'S', 100)])).toEqual(['CEX: 100 at 1']);
    // Bought with dollars, given back in ether: by its value, with a little gain.
    expect(framed([...put, ...both('HACK', 'S', 109)])).toEqual(['CEX: 100 at 1', 'DEX: 9 at 1']);
    expect(framed([...put, ...both('HACK', 'S', 220)])).toEqual(['HACK: 110 at 1', 'CEX: 100 at 1', 'DEX: 10 at 1']);
    // It is gone once it was taken out, sold, or paid out to another.
    const spent: Edge[][] = [
      [[3, 'DEX', 'S', 100]],
      [[2, 'DEX', 'S', 100, { ...eth, txHash: 'tx1', index: 'log:9', seq: 9 }]],
      [[2, 'DEX', 'other', 100, { ...eth, txHash: 'tx1', index: 'log:9', seq: 9 }]],
    ];
    for (const gone of spent) expect(framed([...put, ...gone, ...both('HACK', 'S', 100)])).toContain('HACK: 100 at 1');
    // The other way round: what was paid beside a stranger's withdrawal stays with the market.
    const stranger: Edge[] = [[2, 'HACK', 'DEX', 100], ...both('S', 'HACK', 100)];
    expect(amounts(run(stranger, { direction: 'sent' }))).toEqual(['DEX: 100 at 1']);
  });

  it('leaves a swap with its giver who got as much, and a payout that nobody gave for with the exchange', () => {
    const swap = { txHash: 'T', symbol: 'ETH', amount: '1' };
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'DEX', 100, { txHash: 'T', index: 'log:0' }],
      [2, 'DEX', 'A', 99, { ...swap, index: 'log:1', seq: 1 }],
      [2, 'DEX', 'B', 50, { ...swap, index: 'log:2', seq: 2 }],
      [3, 'B', 'S', 50, swap],
    ];
    expect(amounts(run(edges))).toEqual(['DEX: 50 at 2']);
    // A pool that nobody knows gave as much as it got: the money did not end there.
    const pool: Edge[] = [
      [1, 'S', 'A', 100],
      [2, 'A', 'DEX', 100, { txHash: 'T', index: 'log:0' }],
      [2, 'DEX', 'pool', 100, { txHash: 'T', index: 'log:1', seq: 1 }],
      [2, 'pool', 'B', 100, { ...swap, index: 'log:2', seq: 2 }],
    ];
    expect(amounts(run(pool, { direction: 'sent' }))).toEqual(['DEX: 100 at 2']);
  });

  it('lets an asset without a price go on as what was paid out at a labelled exchange alone', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'A', null, { symbol: 'NEW', amount: '7' }],
      [2, 'A', 'DEX', null, { txHash: 'T', index: 'log:0', symbol: 'NEW', amount: '7' }],
      [2, 'DEX', 'B', 50, { txHash: 'T', index: 'log:1', seq: 1 }],
      [3, 'B', 'S', 50],
    ];
    expect(amounts(run(edges))).toEqual(['HACK: 50 at 3']);
    const contract = edges.map(
      (edge): Edge => [edge[0], edge[1].replace('DEX', 'vault'), edge[2].replace('DEX', 'vault'), edge[3], edge[4]],
    );
    expect([amounts(run(contract)), left(run(contract))]).toEqual([[], { received_unseen: 50 }]);
  });

  it('follows shares paid out to another at a labelled vault alone, and where one party explains the whole transfer', () => {
    const [back, issued] = ['V35', 'V36'].map((id) => VECTORS.find((vector) => vector.id === id)?.transfers as Edge[]);
    const atVault = (edges: readonly Edge[] = []) =>
      edges.map(([at, from, to, usd, more = {}]): Edge => {
        const named = (name: string) => name.replace('DEX', 'vault');
        return [at, named(from), named(to), usd, { ...more, ...(more.token ? { token: 'vault' } : {}) }];
      });
    expect(left(run(atVault(back), { direction: 'sent' }))).toEqual({ burned: 100 });
    // Who was given the shares had them for nothing that is known: another may have paid.
    expect(left(run(atVault(issued)))).toEqual({ unpriced: 120 });
    const burn = back?.find(([, , , , more]) => more?.txHash === 'U') as Edge;
    const ofTwo: Edge[] = [...(back ?? []), [3, 'C', burn[2], null, { ...burn[4], index: 'log:2', seq: 2 }]];
    expect(left(run(ofTwo, { direction: 'sent' }))).toEqual({ burned: 100 });
  });

  it('takes shares that are bought and redeemed in one transaction for what was paid for them', () => {
    const shares = { symbol: 'SHARE', amount: '90', txHash: 'T' };
    const usd = { txHash: 'T' };
    const edges: Edge[] = [
      [1, 'HACK', 'vault', 100],
      [1, 'CEX', 'A', 95],
      [2, 'A', 'vaultpool', 95, { ...usd, index: 'log:0' }],
      [2, 'vaultpool', 'A', null, { ...shares, index: 'log:1', seq: 1 }],
      [2, 'A', `0x${'0'.repeat(40)}`, null, { ...shares, index: 'log:2', seq: 2 }],
      [2, 'vault', 'A', 100, { ...usd, index: 'log:3', seq: 3 }],
      [3, 'A', 'S', 100],
    ];
    expect(amounts(run(edges))).toEqual(['CEX: 100 at 2']);
    // Paid far more than it gave, it was paid for something else.
    const gift = edges.map(
      (edge): Edge => (edge[1] === 'CEX' || edge[2] === 'vaultpool' ? [edge[0], edge[1], edge[2], 9, edge[4]] : edge),
    );
    expect(amounts(run(gift))).toContain('HACK: 100 at 3');
  });

  it('says where an exchange held the money between two transactions', () => {
    const deposit = VECTORS.find(({ id }) => id === 'V26')?.transfers as Edge[];
    const traced = run(deposit, { direction: 'sent' });
    expect(traced.parties.map((party) => assetsOf(party, 'sent'))).toEqual([{ USDC: '60' }, { ETH: '1' }]);
    const hops = hopsOf('sent', evidencePath(traced.parties[1]!, 'sent'));
    expect(hops.map(({ to, conversion }) => [to, conversion])).toEqual([
      ['A', undefined],
      ['CEX', [{ tx_hash: 'tx2', from_asset: 'USDC', to_asset: 'ETH', contract_account: true }]],
    ]);
  });

  it('takes for a return neither what came before the deposit nor what another exchange or a swap paid', () => {
    const eth = { symbol: 'ETH', amount: '1' };
    const before: Edge[] = [
      [1, 'DEX', 'A', 100, eth],
      [2, 'S', 'A', 100],
      [3, 'A', 'DEX', 100],
      [4, 'A', 'CEX', 100, eth],
    ];
    expect(amounts(run(before, { direction: 'sent' }))).toEqual(['DEX: 100 at 2']);
    const elsewhere: Edge[] = [
      [2, 'S', 'A', 100],
      [3, 'A', 'DEX', 100],
      [4, 'DEXTER', 'A', 100, eth],
      [5, 'A', 'CEX', 100, eth],
    ];
    expect(amounts(run(elsewhere, { direction: 'sent' }))).toEqual(['DEX: 100 at 2']);
    const swapped: Edge[] = [
      [1, 'CEX', 'A', 100, { symbol: 'WBTC', amount: '2' }],
      [2, 'HACK', 'A', 100],
      [3, 'A', 'DEX', 100],
      [4, 'A', 'DEX', 100, { symbol: 'WBTC', amount: '2', txHash: 'T', index: 'log:0' }],
      [4, 'DEX', 'A', 100, { ...eth, txHash: 'T', index: 'log:1', seq: 1 }],
      [5, 'A', 'S', 100, eth],
    ];
    expect(amounts(run(swapped))).toEqual(['CEX: 100 at 2']);
  });

  it('follows a swap forward too, and into several assets by their dollars', () => {
    const edges: Edge[] = [
      [1, 'S', 'A', 100],
      [2, 'A', 'DEX', 100, { txHash: 'T', index: 'log:0' }],
      [2, 'DEX', 'A', 75, { txHash: 'T', symbol: 'ETH', amount: '0.03', index: 'log:1', seq: 1 }],
      [2, 'DEX', 'A', 25, { txHash: 'T', symbol: 'WBTC', amount: '0.001', index: 'log:2', seq: 2 }],
      [3, 'A', 'CEX', 76, { symbol: 'ETH', amount: '0.03' }],
      [3, 'A', 'MIX', 24, { symbol: 'WBTC', amount: '0.001' }],
    ];
    expect(amounts(run(edges, { direction: 'sent' }))).toEqual(['CEX: 75 at 2', 'MIX: 25 at 2']);
    const unpriced = edges.map(
      (edge, i): Edge => (i === 3 ? [2, 'DEX', 'A', null, { ...edge[4], amount: '0.001' }] : edge),
    );
    expect(left(run(unpriced, { direction: 'sent' }))).toEqual({ unpriced: 100 });
  });

  it("takes what an address hands back to the subject for the subject's own money, not for a swap", () => {
    const edges: Edge[] = [
      [1, 'S', 'A', 10, { symbol: 'ETH', amount: '1' }],
      [2, 'S', 'A', 10, { txHash: 'T', index: 'log:0' }],
      [2, 'A', 'S', 10, { txHash: 'T', index: 'log:1', seq: 1, symbol: 'ETH', amount: '1' }],
      [3, 'A', 'CEX', 10],
    ];
    const traced = run(edges, { direction: 'sent' });
    expect([amounts(traced), left(traced)]).toEqual([['CEX: 10 at 2'], { own_money: 10 }]);
  });

  it('converts only as far as the values agree, the rest is an ordinary payment or receipt', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100, { symbol: 'ETH', amount: '0.1' }],
      [2, 'A', 'x', 100, { txHash: 'T', symbol: 'ETH', amount: '0.1' }],
      [2, 'y', 'A', 500, { txHash: 'T', index: 'log:1', seq: 1 }],
      [3, 'A', 'S', 500],
    ];
    const received = run(edges);
    expect([amounts(received), left(received)]).toEqual([['HACK: 110 at 2'], { received_unseen: 390 }]);
    const sent: Edge[] = [
      [1, 'S', 'A', 500],
      [2, 'A', 'MIX', 500, { txHash: 'T' }],
      [2, 'A', 'DEX', 500, { txHash: 'U', symbol: 'ETH', amount: '1' }],
    ];
    expect(amounts(run(sent, { direction: 'sent' }))).toEqual(['MIX: 500 at 2']);
    const dear: Edge[] = [
      [1, 'S', 'A', 500],
      [2, 'A', 'DEX', 500, { txHash: 'T', index: 'log:0' }],
      [2, 'DEX', 'A', 100, { txHash: 'T', index: 'log:1', seq: 1, symbol: 'ETH', amount: '1' }],
      [3, 'A', 'CEX', 100, { symbol: 'ETH', amount: '1' }],
    ];
    const forward = run(dear, { direction: 'sent' });
    expect(amounts(forward)).toEqual(['DEX: 390 at 2', 'CEX: 110 at 2']);
    expect(forward.parties.map((party) => assetsOf(party, 'sent'))).toEqual([{ USDC: '390' }, { ETH: '1' }]);
  });

  it('follows money that was paid against a worthless token, on both sides', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'a', 300_000],
      [2, 'a', 'b', 300_000, { txHash: 'T', index: 'log:0' }],
      [2, 'b', 'a', null, { txHash: 'T', index: 'log:1', seq: 1, symbol: 'JUNK', amount: '1' }],
      [3, 'b', 'CEX', 300_000],
    ];
    const received = [...edges.slice(0, 3), [3, 'b', 'S', 300_000]] as Edge[];
    expect(amounts(run(received))).toEqual(['HACK: 300000 at 3']);
    const sent = [[1, 'S', 'a', 300_000], ...edges.slice(1)] as Edge[];
    expect(amounts(run(sent, { direction: 'sent' }))).toEqual(['CEX: 300000 at 3']);
  });

  it('goes on through what was minted for it, and burned for it, at a contract', () => {
    const zero = `0x${'0'.repeat(40)}`;
    const share = { symbol: 'SHARE', amount: '7' };
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'vault', 100, { txHash: 'T', index: 'log:0' }],
      [2, zero, 'A', null, { txHash: 'T', index: 'log:1', seq: 1, ...share }],
      [3, 'A', 'B', null, share],
      [4, 'B', zero, null, { txHash: 'U', index: 'log:0', ...share }],
      [4, 'vault', 'B', 120, { txHash: 'U', index: 'log:1', seq: 1, symbol: 'ETH', amount: '1' }],
      [5, 'B', 'S', 120, { symbol: 'ETH', amount: '1' }],
    ];
    const traced = run(edges);
    expect([amounts(traced), left(traced)]).toEqual([['HACK: 120 at 3'], {}]);
    const wallet = edges.map(
      (edge): Edge => [edge[0], edge[1].replace('vault', 'w'), edge[2].replace('vault', 'w'), edge[3], edge[4]],
    );
    expect([amounts(run(wallet)), left(run(wallet))]).toEqual([[], { received_unseen: 120 }]);
  });

  it('counts quantities of what arrived, never more than that', () => {
    const edges: Edge[] = [
      [1, 'S', 'A', 300, { symbol: 'ETH', amount: '0.1' }],
      [2, 'x', 'A', 600, { symbol: 'ETH', amount: '0.2' }],
      [3, 'A', 'CEX', 500, { symbol: 'ETH', amount: '0.3' }],
    ];
    const [party] = run(edges, { direction: 'sent' }).parties;
    expect(party?.usd).toBe(300);
    expect(assetsOf(party!, 'sent')).toEqual({ ETH: '0.1' });
  });

  it('bounds what can have come along the ways, shared beginnings counted once', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100],
      [1, 'MIX', 'A', 100],
      [2, 'A', 'S', 10],
    ];
    const traced = run(edges);
    expect(amounts(traced)).toEqual(['HACK: 5 at 2', 'MIX: 5 at 2']);
    expect(traced.parties.map((party) => upperUsd(traced, [party]))).toEqual([10, 10]);
    expect(upperUsd(traced, traced.parties)).toBe(10);
  });

  it('classifies every labelled party, whatever its rank, and bounds only what is opened', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'S', 1],
      [1, 'CEX', 'S', 300],
      [1, 'a', 'S', 50],
      [1, 'b', 'S', 40],
    ];
    const traced = run(edges, { limit: 1 });
    expect(amounts(traced)).toEqual(['CEX: 300 at 1', 'HACK: 1 at 1']);
    expect(left(traced)).toEqual({ received_unseen: 50, limit: 40 });
    expect(traced.frontier).toMatchObject([
      { address: 'ethereum:a', usd: 50, reason: 'received_unseen' },
      { address: 'ethereum:b', usd: 40, reason: 'limit' },
    ]);
  });

  it('finds what a path in time order leads to, though none of the money went there', () => {
    const edges: Edge[] = [
      [1, 'S', 'A', 100],
      [2, 'A', 'x', 100],
      [3, 'y', 'A', 50],
      [4, 'A', 'CEX', 50],
      [0, 'A', 'MIX', 50],
    ];
    expect(amounts(run(edges, { direction: 'sent' }))).toEqual([]);
    const traced = run(edges, { direction: 'sent', withPaths: true });
    expect(amounts(traced)).toEqual(['CEX: 0 at 2']);
    expect(evidencePath(traced.parties[0]!, 'received').map(({ transfer }) => transfer.id)).toEqual(['t0', 't3']);
  });
});

describe('many transfers of one party with another', () => {
  it('cost no more than their number where a transaction swaps for thousands', () => {
    const many = Array.from({ length: 6_000 }, (_, i): Edge[] => [
      [1, `p${i}`, 'vault', 100, { txHash: 'tx', symbol: 'ETH', amount: '1' }],
      [1, 'vault', `q${i}`, 100, { txHash: 'tx' }],
    ]);
    const kindOf = (key: string) => (key.endsWith('vault') ? 'contract' : 'any');
    expect(payoutsInOrder([transfersOf(many.flat())], kindOf)).toEqual([]);
  });

  it('ask once for what was read of a wallet between a taker and his victim', () => {
    const ways = Array.from({ length: 50 }, (_, i): Edge[] => [
      [i, 'THIEF', 'helper', 1],
      [100 + i, 'helper', 'S', 1],
    ]);
    const transfers = transfersOf(ways.flat());
    const toHelper = transfers.filter(({ to }) => to.endsWith('helper'));
    let asked = 0;
    const reading = () => {
      asked += 1;
      return [];
    };
    const replay = {
      steps: [],
      places: new Map(),
      reading: NOT_READ,
      overspent: new Set<never>(),
      unordered: new Set<string>(),
    };
    restitutionOf(
      {
        key: 'ethereum:S',
        kin: new Set(),
        hands: new Set(),
        received: transfers.filter(({ to }) => to.endsWith(':S')),
        sent: [],
      },
      new Map([
        ['ethereum:THIEF', { replay, helpers: new Map([['ethereum:helper', { received: toHelper, reading }]]) }],
      ]),
    );
    expect(asked).toBe(1);
  });
});

describe('an unlabelled contract', () => {
  const payers = (count: number, usd: number): Edge[] =>
    Array.from({ length: count }, (_, i) => [1, `p${i}`, 'vault', usd]);
  const traced = (others: readonly Edge[], usd = 100) => {
    // Less than was put in: as much would be that deposit paid out.
    const result = run([[2, 'HACK', 'vault', usd], ...others, [3, 'vault', 'S', 0.9 * usd]], { limit: 5_000 });
    return [result.parties.length, [...result.unattributed.keys()]];
  };

  it('is opened while few paid it, or one paid more than a fifth', () => {
    expect(traced([])).toEqual([1, []]);
    expect(traced(payers(48, 100))).toEqual([1, ['received_unseen']]);
    expect(traced(payers(49, 100))).toEqual([0, ['contract_not_expanded']]);
    expect(traced(payers(2_000, 9), 1_000)).toEqual([1, ['unknown_origin']]);
    expect(traced(payers(100, 100), 2_600)).toEqual([1, ['received_unseen']]);
    expect(traced(payers(100, 100), 2_400)).toEqual([0, ['contract_not_expanded']]);
  });
});

describe('what an address puts into a contract', () => {
  const crowd: Edge[] = Array.from({ length: 60 }, (_, i) => [1, `p${i}`, 'vault', 100]);
  const eth = (amount: number) => ({ symbol: 'ETH', amount: String(amount) });

  it('ends there as long as it was not seen to come out, and neither there nor at an exchange counts as attributed', () => {
    const put: Edge[] = [
      [2, 'S', 'vault', 60],
      [2, 'S', 'DEX', 30],
      [2, 'S', 'a', 10],
      [3, 'a', 'DEX', 10],
      [4, 'S', 'DEX', 5, { txHash: 'swap' }],
      [4, 'DEX', 'S', 5, { ...eth(1), txHash: 'swap', seq: 1 }],
    ];
    for (const others of [[], crowd]) {
      const traced = run([...put, ...others], { direction: 'sent', limit: 5_000 });
      expect([left(traced), amounts(traced)]).toEqual([{ contract: 60 }, ['DEX: 35 at 1', 'DEX: 10 at 2']]);
      expect([attributedUsd(traced), [...traced.lost]]).toEqual([5, [['contract', 40]]]);
    }
  });

  it('ends without a price where what came for it, or went for it, has none', () => {
    const shares = { symbol: 'SHARE', amount: '7', txHash: 'deal' };
    const given: Edge[] = [
      ...crowd,
      [2, 'S', 'vault', 60, { txHash: 'deal' }],
      [2, 'vault', 'S', null, { ...shares, seq: 1 }],
    ];
    expect(left(run(given, { direction: 'sent', limit: 5_000 }))).toEqual({ unpriced: 60 });
    const got: Edge[] = [...crowd, [2, 'S', 'vault', null, shares], [2, 'vault', 'S', 60, { txHash: 'deal', seq: 1 }]];
    expect(left(run(got, { limit: 5_000 }))).toEqual({ unpriced: 60 });
    // A worthless token of another wallet hides nothing.
    const beside: Edge[] = [
      ...crowd,
      [2, 'S', 'vault', 60, { txHash: 'deal' }],
      [2, 'a', 'S', null, { ...shares, seq: 1 }],
    ];
    expect(left(run(beside, { direction: 'sent', limit: 5_000 }))).toEqual({ contract: 60 });
  });

  it('goes on at the address that took it out, though strangers paid in too', () => {
    const loan: Edge[] = [
      ...crowd,
      [2, 'HACK', 'A', 100],
      [3, 'A', 'vault', 100],
      [4, 'vault', 'A', 70, eth(2)],
      [5, 'A', 'S', 70, eth(2)],
    ];
    const back = run(loan, { limit: 5_000 });
    expect([amounts(back), left(back)]).toEqual([['HACK: 70 at 2'], {}]);
    const on = run(loan, { subject: 'HACK', direction: 'sent', limit: 5_000 });
    expect(left(on)).toEqual({ held: 70, contract: 30 });
    expect(hopsOf('received', evidencePath(back.parties[0]!, 'received')).map(({ conversion }) => conversion)).toEqual([
      undefined,
      [{ tx_hash: 'tx62', from_asset: 'USDC', to_asset: 'ETH', contract_account: true }],
    ]);
  });

  it.each(['vault', 'DEX'])('is the own money of who is traced where it came back, at %s', (market) => {
    const own: Edge[] = [
      [1, 'S', market, 100],
      [2, market, 'S', 80, eth(2)],
    ];
    expect(left(run(own))).toEqual({ own_money: 80 });
    expect(left(run(own, { direction: 'sent' })).own_money).toBe(80);
    expect(left(run(own, { direction: 'sent', only: 't0' })).own_money).toBe(80);
  });

  it('stays with strangers: what one put in is not what another takes out', () => {
    const others: Edge[] = [
      ...crowd,
      [2, 'HACK', 'A', 100],
      [3, 'A', 'vault', 100],
      [4, 'vault', 'B', 70, eth(2)],
      [5, 'B', 'S', 70, eth(2)],
    ];
    expect([amounts(run(others, { limit: 5_000 })), left(run(others, { limit: 5_000 }))]).toEqual([
      [],
      { contract_not_expanded: 70 },
    ]);
  });
});

describe('what validators staked', () => {
  const BEACON = '0x00000000219ab540356cbb839cbe05303d7705fa';
  const eth = (amount: number, index = 'native') => ({ symbol: 'ETH', amount: String(amount), index });
  /** Withdrawals to A; the coin is worth three times what it was when it was staked. */
  const staked: Edge[] = [
    [1, 'HACK', 'A', 3_200, eth(32)],
    [2, 'A', BEACON, 3_200, eth(32)],
    [5, 'coinbase', 'A', 9_000, eth(30, 'withdrawal:7')],
    [6, 'A', 'S', 9_000, eth(30)],
  ];

  it('comes from where its receiver had it who staked it, by quantity', () => {
    const back = run(staked);
    expect([amounts(back), left(back)]).toEqual([['HACK: 9000 at 2'], {}]);
    const on = run(staked, { subject: 'HACK', direction: 'sent' });
    expect(left(on)).toEqual({ held: 3_000, contract: 200 });
  });

  it('has no settled origin where others staked it, or less; what it earned has', () => {
    const others: Edge[] = [
      [1, 'HACK', 'thief', 3_200, eth(32)],
      [2, 'thief', BEACON, 3_200, eth(32)],
      [2, 'CEX', 'A', 1_000, eth(10)],
      [3, 'A', BEACON, 1_000, eth(10)],
      [5, 'coinbase', 'A', 3_200, eth(32, 'withdrawal:7')],
      [6, 'coinbase', 'A', 50, eth(0.5, 'withdrawal:8')],
      [7, 'A', 'S', 3_250, eth(32.5)],
    ];
    const back = run(others);
    expect([amounts(back), left(back)]).toEqual([['CEX: 1000 at 2'], { contract: 2_200, unknown_origin: 50 }]);
    expect(left(run(others, { subject: 'A' }))).toEqual({ own_money: 1_000, contract: 2_200, unknown_origin: 50 });
    expect(left(run(others, { subject: 'HACK', direction: 'sent' }))).toEqual({ contract: 3_200 });
  });

  it('goes in and comes out many times without being counted twice', () => {
    const rounds: Edge[] = [
      [1, 'HACK', 'A', 3_200, eth(32)],
      ...Array.from({ length: 5 }, (_, i): Edge[] => [
        [2 + 2 * i, 'A', BEACON, 3_200, eth(32)],
        [3 + 2 * i, 'coinbase', 'A', 3_200, eth(32, `withdrawal:${i}`)],
      ]).flat(),
      [20, 'A', 'S', 3_200, eth(32)],
    ];
    expect(amounts(run(rounds))).toEqual(['HACK: 3200 at 2']);
    expect(left(run(rounds, { subject: 'HACK', direction: 'sent' }))).toEqual({ held: 3_200 });
  });
});

it('never settles coin that a rollup made: it came over a bridge', () => {
  const minted: Edge[] = [[2, 'optimism:coinbase', 'optimism:S', 100, { symbol: 'ETH', amount: '1', index: 'mint' }]];
  expect(left(run(minted, { subject: 'optimism:S' }))).toEqual({ bridge_not_looked_up: 100 });
});

describe('depth', () => {
  const between = (a: string, b: string, count: number): Edge[] =>
    Array.from({ length: count }, (_, i) => [i + 2, i % 2 ? b : a, i % 2 ? a : b, 100]);

  it('counts parties: two wallets that pay each other five times keep the origin', () => {
    const edges: Edge[] = [[1, 'HACK', 'a', 100], ...between('a', 'b', 5), [9, 'b', 'S', 100]];
    const traced = run(edges, { hopsMax: 3 });
    expect([amounts(traced), left(traced)]).toEqual([['HACK: 100 at 3'], {}]);
    const path = evidencePath(traced.parties[0]!, 'received');
    expect(path.map(({ transfer }) => transfer.id)).toEqual(['t6', 't1', 't0']);
    expect(left(run(edges, { hopsMax: 2 }))).toEqual({ max_hops: 100 });
  });

  it('keeps a detour in the path where the money came back in another asset', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'a', 100],
      [2, 'a', 'b', 100],
      [3, 'b', 'DEX', 100, { txHash: 'T', index: 'log:0' }],
      [3, 'DEX', 'b', 100, { txHash: 'T', index: 'log:1', seq: 1, symbol: 'ETH', amount: '1' }],
      [4, 'b', 'a', 100, { symbol: 'ETH', amount: '1' }],
      [5, 'a', 'S', 100, { symbol: 'ETH', amount: '1' }],
    ];
    const [party] = run(edges).parties;
    expect(party?.hops).toBe(2);
    expect(evidencePath(party!, 'received').map(({ transfer }) => transfer.id)).toEqual(['t5', 't4', 't1', 't0']);
  });

  it('finds what lies behind a straight chain of twelve wallets', () => {
    const chain = Array.from({ length: 13 }, (_, i): Edge => [i, i ? `w${i}` : 'HACK', i < 12 ? `w${i + 1}` : 'S', 5]);
    expect(amounts(run(chain, { hopsMax: 15 }))).toEqual(['HACK: 5 at 13']);
    expect(left(run(chain, { hopsMax: 12 }))).toEqual({ max_hops: 5 });
  });

  it('lets money go on that was too far away, once its wallet turns out to be near', () => {
    // The long way reaches c first; only the money that went on from there shows that a pays it too.
    const edges: Edge[] = [
      [1, 'S', 'a', 100],
      [2, 'a', 'b', 100],
      [3, 'b', 'c', 50],
      [3, 'b', 'a', 50],
      [4, 'a', 'c', 50],
      [5, 'c', 'CEX', 100],
    ];
    const traced = run(edges, { direction: 'sent', hopsMax: 3 });
    expect([amounts(traced), left(traced)]).toEqual([['CEX: 100 at 3'], {}]);
  });

  it.each<['received' | 'sent']>([['received'], ['sent']])(
    'visits each step of two wallets with 5,000 payments to and fro a few times at most, %s',
    (direction) => {
      const edges: Edge[] = [[1, direction === 'sent' ? 'S' : 'HACK', 'a', 100], ...between('a', 'b', 4_999)];
      edges.push([9_000, 'b', direction === 'sent' ? 'CEX' : 'S', 100]);
      const traced = run(edges, { direction });
      expect(traced.parties).toMatchObject([{ usd: 100, hops: 3 }]);
      expect(traced.passes.flat().length).toBeLessThan(3 * edges.length);
    },
  );
});
