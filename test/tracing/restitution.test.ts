import { describe, expect, it, onTestFinished } from 'vitest';
import type { Label } from '../../src/domain/label.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { getFunds } from '../../src/tracing/answers/funds/get-funds.ts';
import { findIndirectExposure } from '../../src/tracing/answers/indirect/indirect-exposure.ts';
import { type Payment, pay, tracing } from './money.ts';

const named = (address: string, given: Partial<Label>): Label => ({
  chain: 'ethereum',
  address,
  category: 'other',
  label: address,
  source: 'list',
  confidence: 90,
  entity: null,
  validFrom: null,
  validTo: null,
  maliciousContract: false,
  ...given,
});

async function world(payments: Payment[], labels: Label[] = []) {
  const graph = await openGrafeo({ path: null, shuffleUnordered: true });
  onTestFinished(() => graph.close());
  await pay(graph, payments);
  const find = async (_: unknown, asked: string[]) =>
    new Map(asked.map((one) => [one, labels.filter(({ address }) => address === one)]));
  const ctx = { ...tracing(graph), labels: { find } };
  return {
    find: (address: string) => findIndirectExposure(ctx, 'ethereum', address),
    async rows(address: string, direction: 'received' | 'sent') {
      const asked = { keys: [`ethereum:${address}`], direction, maxHops: 10, lang: 'en' } as const;
      const { rows } = await getFunds({ ...ctx, labels: { find: async () => new Map() } } as never, asked);
      return rows.map(({ kind, category, usd }) => `${category ?? kind} ${usd}`);
    },
  };
}

const ROBBED: Payment[] = [
  [1, 'CEX', 'protocol', 900],
  [2, 'protocol', 'THIEF', 900],
  [3, 'THIEF', 'protocol', 850],
  [4, 'protocol', 'depositor', 400],
];

describe('what a thief pays back', () => {
  it('is own money in the account of his victim, on both sides, and the score hears of it', async () => {
    const { find, rows } = await world(ROBBED);
    expect(await rows('protocol', 'received')).toEqual(['exchange 900', 'own_money 850']);
    expect(await rows('protocol', 'sent')).toEqual(['own_money 850', 'not_read 400', 'theft 50']);
    expect([...(await find('protocol')).returned.values()]).toEqual([1]);
  });

  it('comes from where the lost money came from, for those who are paid from it', async () => {
    const { find, rows } = await world(ROBBED);
    expect(await rows('depositor', 'received')).toEqual(['exchange 400']);
    expect((await find('depositor')).indirect.map(({ category }) => category)).toEqual(['exchange']);
  });

  it('may come over a wallet whose fees somebody else paid', async () => {
    const coin = { asset: 'ETH', token: null, kind: 'native', amount: '0.001' } as const;
    const { rows } = await world([
      ...ROBBED.slice(0, 2),
      [2.5, 'o', 'fund', 2, coin],
      [3, 'THIEF', 'fund', 850],
      [4, 'fund', 'protocol', 850],
    ]);
    expect(await rows('protocol', 'received')).toEqual(['exchange 900', 'own_money 850']);
  });

  it('may come over a wallet that passes on his money alone', async () => {
    const { rows } = await world([
      ...ROBBED.slice(0, 2),
      [3, 'THIEF', 'fund', 850],
      [4, 'fund', 'protocol', 850],
      [5, 'protocol', 'depositor', 400],
    ]);
    expect(await rows('protocol', 'received')).toEqual(['exchange 900', 'own_money 850']);
    expect(await rows('depositor', 'received')).toEqual(['exchange 400']);
  });

  it('is his, where that wallet has other money, where he spent the loss before, or where it is more than the loss', async () => {
    const mixed = await world([
      ...ROBBED.slice(0, 2),
      [3, 'THIEF', 'fund', 850],
      [3, 'o', 'fund', 1],
      [4, 'fund', 'protocol', 851],
    ]);
    expect(await mixed.rows('protocol', 'received')).toContain('theft 850');
    const spent = await world([
      ...ROBBED.slice(0, 2),
      [3, 'THIEF', 'CEX2', 900],
      [4, 'p', 'THIEF', 900],
      [5, 'THIEF', 'protocol', 900],
    ]);
    expect(await spent.rows('protocol', 'received')).toEqual(['exchange 900', 'theft 900']);
    const more = await world([...ROBBED.slice(0, 2), [3, 'p', 'THIEF', 900], [4, 'THIEF', 'protocol', 1_800]]);
    expect(await more.rows('protocol', 'received')).toEqual(['exchange 900', 'own_money 900', 'theft 900']);
    expect([...(await more.find('protocol')).returned.values()]).toEqual([0.5]);
  });

  describe('at another address of his victim', () => {
    const AT_FUND: Payment[] = [...ROBBED.slice(0, 2), [3, 'THIEF', 'fund', 850]];
    const owned = (victim: Partial<Label>, fund: Partial<Label>) => [
      named('protocol', { entity: 'Acme', ...victim }),
      named('fund', { entity: 'acme', ...fund }),
    ];
    const returned = async (labels: Label[], payments = AT_FUND) =>
      [...(await (await world(payments, labels)).find('fund')).returned.values()].map((part) =>
        Number(part.toFixed(9)),
      );

    it('is own money: the same entity, or the same name on the label', async () => {
      expect(await returned(owned({}, {}))).toEqual([1]);
      expect(await returned(owned({ entity: null, label: 'Acme' }, { entity: null, label: 'Acme' }))).toEqual([1]);
      expect(await returned(owned({ category: 'bridge' }, {}))).toEqual([1]);
    });

    it.each<[string, Label[]]>([
      ['bears no label', []],
      ['has another owner', owned({}, { entity: 'Other' })],
      ['has a label that is not sure', owned({}, { confidence: 40 })],
      ['was robbed under a label that is not sure', owned({ confidence: 40 }, {})],
      ['is reported as a scam by anybody', [...owned({}, {}), named('fund', { category: 'scam', confidence: 30 })]],
      ['bore the label once', owned({}, { validTo: 1 })],
      ['belongs to an exchange that paid a customer', owned({ category: 'exchange' }, {})],
    ])('is his money where the other %s', async (_, labels) => {
      expect(await returned(labels)).toEqual([]);
    });

    it('makes good one loss once, whichever address got it', async () => {
      const both: Payment[] = [...ROBBED.slice(0, 3), [4, 'p', 'THIEF', 850], [5, 'THIEF', 'fund', 850]];
      const [part = 0] = await returned(owned({}, {}), both);
      expect(part).toBeLessThan(0.06);
    });
  });

  it('waits for his history: unread, he is the next address to read', async () => {
    const { find, rows } = await world([
      [1, 'CEX', 'protocol', 900],
      [2, 'protocol', 'SCAM', 900],
      [3, 'SCAM', 'protocol', 850],
    ]);
    expect(await rows('protocol', 'received')).toEqual(['exchange 900', 'scam 850']);
    expect((await find('protocol')).trace.frontier).toContainEqual(
      expect.objectContaining({ address: 'SCAM', direction: 'received', reason: 'not_read', usd: 850 }),
    );
  });

  it('waits for it too where the money came back over a wallet', async () => {
    const { find } = await world([
      [1, 'CEX', 'protocol', 900],
      [2, 'protocol', 'SCAM', 900],
      [3, 'SCAM', 'fund', 850],
      [4, 'fund', 'protocol', 850],
    ]);
    expect((await find('protocol')).trace.frontier).toContainEqual(
      expect.objectContaining({ address: 'SCAM', direction: 'received', reason: 'not_read', usd: 850 }),
    );
  });
});
