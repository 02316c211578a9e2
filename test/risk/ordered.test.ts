import { describe, expect, it } from 'vitest';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { assessed, DAY, label, party, receive, S, send, T0 } from './world.ts';

const [TAKER, CONTRACT, EXCHANGE] = [party(1), party(2), party(3)];
const LABELS = [label(TAKER, 'drainer'), label(EXCHANGE, 'exchange')];

function paid(day: number, usd: number, txSender = TAKER): Transfer {
  return receive(CONTRACT, usd, T0 + day * DAY, { txSender, kind: 'internal', index: 'trace:0' });
}

function found(moved: Transfer[], labels = LABELS) {
  const { detections } = assessed([receive(EXCHANGE, 20_000, T0), ...moved], { labels });
  return detections.find(({ details }) => details.variant === 'ordered') ?? null;
}

const gainOf = (...moved: Transfer[]) => found(moved)?.details.measured.usd ?? 0;

describe('who is paid in transactions that a listed taker signs', () => {
  it('is graded by what it had not paid for before, to the payer or any taker', () => {
    const orders = [paid(2, 3_000), paid(3, 3_000)];
    expect(gainOf(...orders)).toBe(6_000);
    expect(gainOf(send(CONTRACT, 2_000, T0 + DAY), ...orders)).toBe(4_000);
    expect(gainOf(send(TAKER, 2_000, T0 + DAY), ...orders)).toBe(4_000);
    expect(gainOf(send(CONTRACT, 9_000, T0 + DAY), ...orders)).toBe(0);
  });

  it('is not freed by what it pays later or gets back', () => {
    const orders = [paid(2, 3_000), paid(3, 3_000)];
    expect(gainOf(...orders, send(CONTRACT, 9_000, T0 + 4 * DAY))).toBe(6_000);
    expect(gainOf(send(CONTRACT, 9_000, T0 + DAY), ...orders, paid(5, 9_000, S))).toBe(6_000);
  });

  it('is freed by others who sign for more than the taker, and not by dust or its own calls', () => {
    const orders = [paid(2, 3_000), paid(3, 3_000)];
    const many = (usd: number, signer: string) => Array.from({ length: 9 }, (_, i) => paid(10 + i, usd, signer));
    expect(gainOf(...orders, ...many(900, party(9)))).toBe(0);
    expect(gainOf(...orders, ...many(0.5, party(9)))).toBe(6_000);
    expect(gainOf(...orders, ...many(900, S))).toBe(6_000);
  });

  it('names the taker, whose trust with that of the payer sets it aside', () => {
    const orders = [paid(2, 3_000), paid(3, 3_000)];
    const { details } = found(orders)!;
    expect(details.counterparties).toEqual([TAKER, CONTRACT]);
    expect(details.labels).toContainEqual(expect.objectContaining({ address: TAKER, category: 'drainer' }));
    expect(details.evidence).toHaveLength(2);
    const trusted = [label(CONTRACT, 'whitelist'), label(TAKER, 'whitelist')];
    expect(found(orders, [...LABELS, trusted[0]!])).not.toBeNull();
    expect(found(orders, [...LABELS, ...trusted])).toBeNull();
  });
});
