import { describe, expect, it } from 'vitest';
import { match } from '../../../src/domain/bridges/match.ts';
import type { BridgeMessage } from '../../../src/domain/bridges/message.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { destinationMessage, SENDER, SENT_AT, sourceMessage } from './messages.ts';

const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';

describe('a match', () => {
  it('joins two sides that agree in everything', () => {
    expect(match(sourceMessage(), destinationMessage())).toBe('id');
  });

  it.each<[string, Partial<BridgeMessage>]>([
    ['another protocol', { protocol: 'across' }],
    ['another id', { id: '62884' }],
    ['no id', { id: null }],
    ['another recipient', { recipient: SENDER }],
    ['no recipient', { recipient: null }],
    ['another origin', { route: { from: { chain: 'base', raw: '6' }, to: { chain: 'arbitrum', raw: '3' } } }],
    [
      'another number of the origin',
      { route: { from: { chain: 'ethereum', raw: '1' }, to: { chain: 'arbitrum', raw: '3' } } },
    ],
    ['a route to another chain', { route: { from: null, to: { chain: 'base', raw: '6' } } }],
    ['another chain', { chain: 'base' }],
    ['another repeated value', { agreed: { amount: '1000000001' } }],
    ['more than was sent', { amount: '1000.000001' }],
    ['less than was sent, where all of it arrives', { amount: '949.999999' }],
    ['another asset', { token: WETH, chain: 'ethereum' }],
    ['a time before the sending', { at: SENT_AT - 3_600_000 }],
    ['the same side', { side: 'source' }],
  ])('is refused by %s', (_, given) => {
    expect(match(sourceMessage(), destinationMessage(given))).toBeNull();
  });

  it('accepts a destination that names neither its source chain nor its sender', () => {
    const destination = destinationMessage({
      sender: null,
      route: { from: null, to: { chain: 'arbitrum', raw: '3' } },
      agreed: {},
    });
    expect(match(sourceMessage(), destination)).toBe('id');
  });

  it('ends with the time until which the protocol delivers', () => {
    const source = sourceMessage({ expiresAt: SENT_AT + DAY_MS });
    expect(match(source, destinationMessage({ at: SENT_AT + DAY_MS }))).toBe('id');
    expect(match(source, destinationMessage({ at: SENT_AT + 2 * DAY_MS }))).toBeNull();
  });

  it('lets a pool pay a little more than it took, and an exchange another asset', () => {
    const pool = { protocol: 'hop', agreed: {} } as const;
    expect(match(sourceMessage(pool), destinationMessage({ ...pool, amount: '1004' }))).toBe('id');
    expect(match(sourceMessage(pool), destinationMessage({ ...pool, amount: '1020' }))).toBeNull();
    const exchange = { protocol: 'thorchain', agreed: {} } as const;
    expect(match(sourceMessage(exchange), destinationMessage({ ...exchange, token: null, amount: '2000' }))).toBe('id');
  });
});
