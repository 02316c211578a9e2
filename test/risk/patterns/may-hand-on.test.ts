import { describe, expect, it } from 'vitest';
import type { Side, TracedTransfer } from '../../../src/domain/tracing/strand.ts';
import { mayHandOn } from '../../../src/risk/patterns/pass-through-candidates.ts';

const HOUR = 3_600_000;
const place = { txHash: '0x', index: 'native', block: null, position: null, seq: 0, asset: 'ETH', amount: '1' };

function side(near: string, ...transfers: [far: string, hours: number, usd: number][]): [string, Side] {
  const listed = transfers.map(([far, hours, usd]): TracedTransfer => {
    return { id: `${near} ${far} ${hours}`, near, far, at: hours * HOUR, usd, ...place };
  });
  return [near, { transfers: listed, hub: false, unpriced: false, scanned: true }];
}

/** The subject S was paid 1,000 by `y` at hour 100; of `y` what it received is known, not what else it paid. */
const upstream = (hours: number, usd: number) => ({
  received: new Map([side('S', ['y', 100, 1_000]), side('y', ['x', hours, usd])]),
  sent: new Map([side('S')]),
});

describe('the second side of an address is wanted', () => {
  it.each([
    ['soon after it was paid about as much', 90, 1_000],
    ['when it kept as much as a round trip allows', 90, 1_420],
    ['a week later', -67, 1_000],
  ])('%s', (_, hours, usd) => expect(mayHandOn(upstream(hours, usd))).toEqual(['y']));

  it('of those that paid on what the subject sent them', () => {
    const sides = { received: new Map([side('S')]), sent: new Map([side('S', ['z', 1, 50]), side('z', ['w', 2, 49])]) };
    expect(mayHandOn(sides)).toEqual(['z']);
  });
});

describe('no chain runs over an address', () => {
  it.each([
    ['that had paid before', 100, 1_000],
    ['that was paid much more', 90, 1_450],
    ['that was paid less', 90, 940],
    ['that held the money longer than a week', -69, 1_000],
  ])('%s', (_, hours, usd) => expect(mayHandOn(upstream(hours, usd))).toEqual([]));

  it('of which both sides are read already, which needs no reading', () => {
    const { received, sent } = upstream(90, 1_000);
    expect(mayHandOn({ received, sent: new Map([...sent, side('y', ['S', 100, 1_000])]) })).toEqual([]);
  });
});
