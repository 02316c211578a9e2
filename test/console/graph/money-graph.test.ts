import { describe, expect, it } from 'vitest';
import { arrange } from '../../../console/graph/arrange.ts';
import {
  addCounterparties,
  addFrontier,
  addPath,
  isUnread,
  type MoneyGraph,
  startGraph,
} from '../../../console/graph/money-graph.ts';
import type { HopAnswer } from '../../../console/service/answers.ts';

const AT = '2026-01-01T00:00:00.000Z';
const totals = (usd: number, tx_count = 2) => ({ usd, tx_count, first_at: AT, last_at: AT, tx_hash: `0x${usd}` });
const hop = (from: string, to: string, usd: number, more: Partial<HopAnswer> = {}): HopAnswer => ({
  from,
  to,
  chain: 'ethereum',
  tx_hash: `0x${usd}`,
  asset: 'ETH',
  amount: '1',
  usd,
  at: AT,
  ...more,
});
const side = (chain: string) => ({ chain, address: 'a', tx_hash: null, asset: null, amount: null, at: null });
const bridge = (reason: string | null): HopAnswer['bridge'] => ({
  crossing_id: 'ethereum:0x1:0',
  protocol: 'across',
  message_id: '1',
  match: 'id',
  reason,
  source: side('ethereum'),
  destination: side('base'),
  bridge_fee: null,
});
const counterparties = (more: object[]) =>
  ({ address: 's', chain: 'ethereum', label: 'Start', category: 'unknown', read: true, counterparties: more }) as never;
const far = (address: string, more: object) => ({
  address,
  label: null,
  category: 'unknown',
  read: false,
  sent: null,
  received: null,
  ...more,
});
const edgesOf = ({ edges }: MoneyGraph) => [...edges].map(([id, { usd }]) => `${id} ${usd}`);

describe('the graph of a canvas', () => {
  const start = startGraph('ethereum', 's');

  it('draws what was sent and received as flows of both directions', () => {
    const graph = addCounterparties(start, counterparties([far('a', { sent: totals(5), received: totals(7) })]));
    expect(edgesOf(graph)).toEqual(['ethereum:s>ethereum:a 5', 'ethereum:a>ethereum:s 7']);
    expect(graph.nodes.get('ethereum:s')).toMatchObject({ label: 'Start', read: true });
  });

  it('keeps the sum of all transfers where a path shows one of them, and what was known of an address', () => {
    const summed = addCounterparties(start, counterparties([far('a', { sent: totals(5), read: true })]));
    const graph = addPath(summed, [hop('s', 'a', 3), hop('a', 'b', 2)], [{ key: 'ethereum:b', label: 'Bank' }]);
    expect(edgesOf(graph)).toEqual(['ethereum:s>ethereum:a 5', 'ethereum:a>ethereum:b 2']);
    expect(graph.nodes.get('ethereum:a')?.read).toBe(true);
    expect(graph.nodes.get('ethereum:b')?.label).toBe('Bank');
  });

  it('joins drawn addresses without adding others', () => {
    const drawn = addFrontier(start, [
      { address: 'a', chain: 'ethereum', direction: 'sent', hop: 1, usd: 1, share: 1, reason: 'not_read' },
    ]);
    const all = counterparties([far('a', { sent: totals(5) }), far('b', { sent: totals(9) })]);
    expect([...addCounterparties(drawn, all, true).nodes.keys()]).toEqual(['ethereum:s', 'ethereum:a']);
  });

  it('follows a bridge to the same address on another chain, and not where its other side is missing', () => {
    const carried = addPath(start, [hop('s', 's', 4, { bridge: bridge(null) })]);
    expect(edgesOf(carried)).toEqual(['ethereum:s>base:s>1 4']);
    expect(carried.edges.get('ethereum:s>base:s>1')?.bridge?.protocol).toBe('across');
    const pending = addPath(start, [hop('s', 'a', 4, { bridge: bridge('bridge_pending') })]);
    expect(edgesOf(pending)).toEqual(['ethereum:s>ethereum:a 4']);
  });

  const arrival = (tx: string) => ({ ...bridge(null)!, destination: { ...side('base'), tx_hash: tx } });
  const atRecipient = (...more: object[]) =>
    ({ address: 'r', chain: 'base', label: null, category: 'unknown', read: true, counterparties: more }) as never;

  it.each(['before', 'after'])('draws a crossing instead of its two transfers, known %s it', (when) => {
    const transfers = (graph: MoneyGraph) =>
      addCounterparties(
        addCounterparties(graph, counterparties([far('pool', { sent: totals(100, 1) })])),
        atRecipient(far('solver', { received: totals(98, 1) })),
      );
    const crossing = (graph: MoneyGraph) => addPath(graph, [hop('s', 'r', 100, { bridge: arrival('0x98') })]);
    const graph = when === 'before' ? crossing(transfers(start)) : transfers(crossing(start));
    expect(edgesOf(graph)).toEqual(['ethereum:s>base:r>1 100']);
    expect([...graph.nodes.keys()].toSorted()).toEqual(['base:r', 'ethereum:s']);
  });

  it('keeps what a transaction paid beside the bridge, and sums of several transactions', () => {
    const change = { ...totals(30, 1), tx_hash: '0x100' };
    const paid = addCounterparties(start, counterparties([far('change', { sent: change })]));
    const summed = addCounterparties(paid, atRecipient(far('solver', { received: totals(98, 2) })));
    const graph = addPath(summed, [hop('s', 'r', 100, { bridge: arrival('0x98') })]);
    expect(edgesOf(graph)).toEqual([
      'ethereum:s>ethereum:change 30',
      'base:solver>base:r 98',
      'ethereum:s>base:r>1 100',
    ]);
  });

  it('takes an unlabelled address that was not read as one to read', () => {
    const graph = addCounterparties(
      start,
      counterparties([far('a', { sent: totals(5) }), far('x', { sent: totals(5), category: 'exchange' })]),
    );
    const unread = [...graph.nodes.values()].filter((node) => isUnread(graph, node)).map(({ address }) => address);
    expect(unread).toEqual(['a']);
  });

  it('stands from left to right in the order of the money, the frontier at its hop', () => {
    const chain = addPath(start, [hop('payer', 's', 1), hop('s', 'a', 1), hop('a', 'b', 1)]);
    const graph = addFrontier(chain, [
      { address: 'lost', chain: 'ethereum', direction: 'sent', hop: 3, usd: 1, share: 1, reason: 'not_read' },
    ]);
    const places = arrange(graph);
    const order = [...places].sort(([, one], [, other]) => one.x - other.x).map(([key]) => key.split(':')[1]);
    expect(order).toEqual(['payer', 's', 'a', 'b', 'lost']);
  });

  it('gives five hundred addresses places of their own', () => {
    const many = Array.from({ length: 500 }, (_, index) => far(`a${index}`, { sent: totals(1) }));
    const places = [...arrange(addCounterparties(start, counterparties(many))).values()];
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(501);
  });
});
