import { describe, expect, it } from 'vitest';
import { likelyMatch } from '../../../src/domain/bridges/match.ts';
import type { BridgeMessage } from '../../../src/domain/bridges/message.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { createTransfer, type Transfer } from '../../../src/domain/transfers/transfer.ts';
import { destinationMessage, RECIPIENT, SENDER, SENT_AT, sourceMessage } from './messages.ts';

function receipt(given: Partial<Transfer> = {}): Transfer {
  return createTransfer({
    chain: 'arbitrum',
    txHash: `0x${'02'.repeat(32)}`,
    index: 'log:1',
    at: SENT_AT + 600_000,
    from: SENDER,
    to: RECIPIENT,
    asset: 'USDC',
    token: destinationMessage().token,
    amount: '999',
    kind: 'token',
    ...given,
  });
}

describe('a likely match', () => {
  it('is the one receipt that fits', () => {
    expect(likelyMatch(sourceMessage(), [receipt(), receipt()])).toEqual(receipt());
  });

  it('is ambiguous where two receipts fit', () => {
    expect(likelyMatch(sourceMessage(), [receipt(), receipt({ txHash: `0x${'03'.repeat(32)}` })])).toBe('ambiguous');
  });

  it.each<[string, Partial<Transfer>]>([
    ['another recipient', { to: SENDER }],
    ['another chain', { chain: 'base', token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' }],
    ['another asset', { token: null }],
    ['a counterfeit', { token: `0x${'77'.repeat(20)}` }],
    ['too little', { amount: '989.99' }],
    ['too much', { amount: '1001.01' }],
    ['a late receipt', { at: SENT_AT + 3_600_001 }],
    ['an early receipt', { at: SENT_AT - 600_001 }],
    ['a failed transfer', { failed: true }],
  ])('is refused by %s', (_, given) => {
    expect(likelyMatch(sourceMessage(), [receipt(given)])).toBeNull();
  });

  it('needs a named recipient and a known asset', () => {
    expect(likelyMatch(sourceMessage({ recipient: null }), [receipt()])).toBeNull();
    expect(likelyMatch(sourceMessage({ token: `0x${'77'.repeat(20)}` }), [receipt()])).toBeNull();
  });

  it('waits two weeks for an exit of a rollup', () => {
    const route: BridgeMessage['route'] = {
      from: { chain: 'optimism', raw: '10' },
      to: { chain: 'ethereum', raw: '1' },
    };
    const exit = sourceMessage({ protocol: 'optimism_native', route });
    const claimed = receipt({ chain: 'ethereum', token: sourceMessage().token, at: SENT_AT + 13 * DAY_MS });
    expect(likelyMatch(exit, [claimed])).toEqual(claimed);
  });

  it('waits an hour for a deposit to a rollup', () => {
    const deposit = sourceMessage({ protocol: 'arbitrum_native' });
    expect(likelyMatch(deposit, [receipt()])).toEqual(receipt());
    expect(likelyMatch(deposit, [receipt({ at: SENT_AT + DAY_MS })])).toBeNull();
  });
});
