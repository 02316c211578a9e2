import { describe, expect, it } from 'vitest';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { assessed, HOUR, label, party, receive, S, send, T0 } from './world.ts';

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const [TAKER, CONTRACT, EXCHANGE] = [party(1), party(2), party(3)];
const ENTRY_POINT = '0x0000000071727de22e5e9d8baf0edac6f37da032';

/** A call of the subject, and what it moved between two others. */
function signed(n: number, from: string, to: string, { usd = 800, target = CONTRACT } = {}): Transfer[] {
  const at = T0 + n * HOUR;
  const call = send(target, null, at, { amount: '0', method: '0xdeadbeef', txSender: S });
  const token = { token: USDC, asset: 'USDC', kind: 'token', index: 'log:1', seq: 1, amount: String(usd) } as const;
  return [call, { ...send(to, usd, at, token), from, txHash: call.txHash, txSender: S }];
}

/** The severity of a signer with a lawful life of its own; null where nothing is reported. */
function judged(...moved: Transfer[][]): string | null {
  const own = [receive(EXCHANGE, 500, T0), send(party(4), 100, T0 + HOUR)];
  const labels = [label(TAKER, 'drainer', { confidence: 90 }), label(EXCHANGE, 'exchange', { confidence: 90 })];
  const { detections } = assessed([...own, ...moved.flat()], { labels });
  const found = detections.find(({ detector_id }) => detector_id === 'accomplice');
  if (found) expect(found.description).toContain('Signed');
  return found?.severity ?? null;
}

const victims = (count: number) => Array.from({ length: count }, (_, i) => party(100 + i));

describe('who signs the transactions that take tokens of others', () => {
  it('is reported, the graver where several lost', () => {
    expect(judged(...victims(3).map((victim, i) => signed(i, victim, TAKER)))).toBe('HIGH');
    expect(judged(signed(0, party(100), TAKER))).toBe('MEDIUM');
    expect(judged(...victims(2).map((victim, i) => signed(i, victim, TAKER, { usd: 20 })))).toBe('MEDIUM');
    const [call, paid] = signed(0, party(100), TAKER) as [Transfer, Transfer];
    const second = { ...paid, from: party(101), id: `${paid.id}-second`, index: 'log:2', seq: 2 };
    expect(judged([call, paid, second])).toBe('MEDIUM');
  });

  it('is not who signs for all kinds of people, for a smart wallet, or for the payer alone', () => {
    const taken = victims(2).map((victim, i) => signed(i, victim, TAKER));
    const others = victims(9).map((payer, i) => signed(10 + i, payer, party(200 + i)));
    expect(judged(...taken, ...others)).toBeNull();
    expect(judged(...victims(3).map((victim, i) => signed(i, victim, TAKER, { target: ENTRY_POINT })))).toBeNull();
    expect(judged(...victims(3).map((victim, i) => signed(i, victim, TAKER, { target: victim })))).toBeNull();
  });

  it('is not who signs a trade, moves of takers among themselves, or what only a log without a price says', () => {
    const trade = (victim: string, n: number) => {
      const [call, paid] = signed(n, victim, TAKER) as [Transfer, Transfer];
      const back = { ...paid, from: party(300), to: victim, index: 'log:2', seq: 2, id: `${paid.id}-back` };
      return [call, paid, back];
    };
    expect(judged(...victims(3).map(trade))).toBeNull();
    expect(judged(signed(0, TAKER, TAKER), signed(1, TAKER, party(5)))).toBeNull();
    const forged = signed(0, party(100), TAKER).map((one) => ({ ...one, usd: null, token: one.token && party(9) }));
    expect(judged(forged, forged)).toBeNull();
  });
});
