import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Label } from '../../src/domain/label.ts';
import { labelledShare, summarizeFlow } from '../../src/domain/transfers/flow.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { label, party, receive, S, send, T0, transfer } from '../risk/world.ts';

const none = () => [];

const flowTotals = (address: string, transfers: Transfer[]) =>
  summarizeFlow(address, transfers, { labelsOf: none, limit: 5, asOf: T0 }).totals;

const topCounterparties = (
  address: string,
  transfers: Transfer[],
  labelsOf: (address: string) => Label[],
  limit: number,
) => summarizeFlow(address, transfers, { labelsOf, limit, asOf: T0 + 1 }).counterparties;

describe('flow totals', () => {
  it('sum exactly what floating point would not, and show it as a JSON number', () => {
    const tenths = [0.1, 0.2].map((n) => receive(party(1), 1, T0, { amount: String(n) }));
    expect(flowTotals(S, tenths)).toEqual({ sent: {}, received: { ETH: 0.3 } });
  });

  it('add smallest units of different decimals and plain decimals of one asset', () => {
    const mixed = [
      send(party(1), 1, T0, { amount: '1.5', amountRaw: '1500000', decimals: 6 }),
      send(party(1), 1, T0, { amount: '0.25', amountRaw: '250000000000000000', decimals: 18 }),
      send(party(1), 1, T0, { amount: '0.000000000000000001' }),
    ];
    expect(flowTotals(S, mixed).sent.ETH).toBe(1.75);
  });

  it('count a repeated transfer once and leave out failed, zero-value and own ones', () => {
    const once = receive(party(1), 5, T0, { amount: '2' });
    const nothing = [
      receive(party(1), 5, T0, { failed: true }),
      receive(party(1), null, T0, { amount: '0.00' }),
      transfer({ from: S, to: S }),
      transfer({ from: party(1), to: party(2) }),
    ];
    expect(flowTotals(S, [once, once, { ...once }, ...nothing])).toEqual({ sent: {}, received: { ETH: 2 } });
  });

  it('keep the hundred assets of most dollars, then of most transfers, whoever rains tokens on an address', () => {
    const rain = Array.from({ length: 300 }, (_, i) =>
      receive(party(1), null, T0, { token: `0x${i}`, asset: `SPAM${i}` }),
    );
    const often = Array.from({ length: 2 }, (_, i) => receive(party(2), null, T0 + i, { token: '0xz', asset: 'ZZZ' }));
    const { received } = flowTotals(S, [...rain, ...often, receive(party(2), 5, T0)]);
    expect(Object.keys(received)).toHaveLength(100);
    expect(Object.keys(received)).toEqual(expect.arrayContaining(['ETH', 'SPAM0', 'ZZZ']));
    expect(topCounterparties(S, rain, none, 5)[0]!.tokens).toHaveLength(100);
  });

  it('do not depend on the order of transfers', () => {
    const amounts = fc.array(fc.record({ amount: fc.integer({ min: 1, max: 1e9 }), out: fc.boolean() }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(amounts, fc.integer(), (rows, turn) => {
        const all = rows.map(({ amount, out }) => (out ? send : receive)(party(1), 1, T0, { amount: `0.${amount}` }));
        const turned = [...all.slice(turn % (all.length + 1)), ...all.slice(0, turn % (all.length + 1))];
        expect(flowTotals(S, turned)).toEqual(flowTotals(S, all));
        expect(topCounterparties(S, turned, none, 5)).toEqual(topCounterparties(S, all, none, 5));
      }),
    );
  });
});

describe('top counterparties', () => {
  it('carry exactly the fields of the contract', () => {
    const txHash = `0x${'a'.repeat(64)}`;
    const transfers = [
      send(party(1), 10, T0, { amount: '1' }),
      receive(party(1), 50, T0 + 1, { amount: '3', asset: 'USDC', txHash }),
    ];
    const labels = [label(party(1), 'exchange', { label: 'Some Exchange' })];
    expect(topCounterparties(S, transfers, () => labels, 5)).toEqual([
      {
        address: party(1),
        label: 'Some Exchange',
        category: 'exchange',
        tx_count: 2,
        sent_count: 1,
        received_count: 1,
        value_by_asset: { ETH: 1, USDC: 3 },
        tokens: ['ETH', 'USDC'],
        tx_hash: txHash,
        label_source: 'registry',
      },
    ]);
  });

  it('show a scam as other with its label and the category of it, and an unlabelled party as unknown', () => {
    const labelsOf = (address: string) =>
      address === party(1) ? [label(party(1), 'scam', { label: 'Fake shop' })] : [];
    const [scam, plain] = topCounterparties(S, [send(party(1), 10), send(party(2), 5)], labelsOf, 5);
    expect(scam).toMatchObject({ category: 'other', label: 'Fake shop', label_category: 'scam' });
    expect(plain).not.toHaveProperty('label_category');
    expect(plain).toMatchObject({ category: 'unknown', label: null, label_source: null });
  });

  it('name labels of explorers and of the tenant as such, and pass over ended ones', () => {
    const ended = label(party(1), 'sanctioned', { validTo: T0 });
    const tag = label(party(1), 'dex', { source: 'explorer_tag' });
    const [shown] = topCounterparties(S, [send(party(1), 1)], () => [ended, tag], 5);
    expect(shown).toMatchObject({ category: 'dex', label_source: 'explorer_tag' });
  });

  it('are ordered by dollars, then transactions, then address, and cut at the limit', () => {
    const [low, high] = [party(3), party(4)].sort() as [string, string];
    const transfers = [
      send(high, null),
      send(low, null),
      send(party(2), null),
      send(party(2), null),
      receive(party(1), 7),
      send(party(5), null, T0, { amount: '0' }),
    ];
    const order = topCounterparties(S, transfers, none, 9).map((c) => c.address);
    expect(order).toEqual([party(1), party(2), low, high]);
    expect(topCounterparties(S, transfers, none, 2)).toHaveLength(2);
    const { counterpartyCount } = summarizeFlow(S, transfers, { labelsOf: none, limit: 2, asOf: T0 });
    expect(counterpartyCount).toBe(4);
  });

  it('say which part of what moved was with labelled ones, those beyond the limit too', () => {
    const known = new Map([
      [party(1), [label(party(1), 'dex')]],
      [party(2), [label(party(2), 'exchange', { validTo: T0 })]],
    ]);
    const transfers = [
      send(party(3), 60),
      receive(party(1), 20),
      send(party(1), 5),
      send(party(2), 15),
      send(party(1), null),
    ];
    const { moved } = summarizeFlow(S, transfers, { labelsOf: (one) => known.get(one) ?? [], limit: 1, asOf: T0 + 1 });
    expect([moved, labelledShare(moved)]).toEqual([{ usd: 100, labelledUsd: 25 }, 0.25]);
    expect(labelledShare({ usd: 0, labelledUsd: 0 })).toBeNull();
  });
});

it('sums up a long history in any order with the same result', () => {
  const transfers = Array.from({ length: 5_000 }, (_, i) => (i % 2 ? send : receive)(party(i % 700), i + 1));
  const options = { labelsOf: none, limit: 10, asOf: T0 };
  expect(summarizeFlow(S, transfers, options)).toEqual(summarizeFlow(S, transfers.toReversed(), options));
});
