import { describe, expect, it } from 'vitest';
import { joinStatements, type Statement } from '../../../src/domain/bridges/join-statements.ts';
import type { BridgeMessage, LikelySide } from '../../../src/domain/bridges/message.ts';
import { destinationMessage, RECIPIENT, SENDER, sourceMessage } from './messages.ts';

const RECEIPT = 'arbitrum:0x02:log:3';
const arrival = destinationMessage({ id: null, agreed: {}, explains: [RECEIPT] });

function source(likely: LikelySide, given: Partial<BridgeMessage> = {}): Statement {
  const message = sourceMessage(given);
  const [near, far] = [`ethereum:${SENDER}`, 'ethereum:pool'];
  return { message, near, far, usd: null, missing: 'bridge_not_found', likely, lookedUpAt: 5 };
}

function destination(given: Partial<BridgeMessage> = {}): Statement {
  const message = destinationMessage({ explains: [RECEIPT], ...given });
  const [near, far] = [`arbitrum:${RECIPIENT}`, 'arbitrum:pool'];
  return { message, near, far, usd: null, missing: null, likely: null, lookedUpAt: null };
}

const shown = (statements: Statement[]) =>
  joinStatements(statements).map(({ match, reason, ambiguous, destination }) => [
    match,
    reason,
    ambiguous,
    destination?.tx ?? null,
  ]);

describe('a likely other side', () => {
  it('is kept with the crossing and the reason why no id leads there', () => {
    expect(shown([source(arrival)])).toEqual([['likely', 'bridge_not_found', false, arrival.tx]]);
  });

  it('is none where several receipts fit', () => {
    expect(shown([source('ambiguous')])).toEqual([[null, 'bridge_not_found', true, null]]);
  });

  it('gives way to the delivery of the message', () => {
    expect(shown([source(arrival), destination()])).toEqual([['id', null, false, arrival.tx]]);
  });

  it('is none where the delivery of another message explains the receipt', () => {
    const other = destination({ id: '62884' });
    expect(shown([source(arrival), other])).toEqual([
      [null, 'bridge_not_found', false, null],
      [null, null, false, other.message.tx],
    ]);
  });

  it('is ambiguous where one receipt fits two sources: no money arrives twice', () => {
    const twin = source(arrival, { tx: `0x${'03'.repeat(32)}`, id: '62885' });
    expect(shown([source(arrival), twin])).toEqual([
      [null, 'bridge_not_found', true, null],
      [null, 'bridge_not_found', true, null],
    ]);
  });
});

describe('two readings of one message', () => {
  const PAID = 'ethereum:0x01:log:1';
  const own = { ...source(null, { explains: [PAID] }), usd: 1_000, lookedUpAt: 5 };

  it('keep the transfers of the sender that only its own reading knows, whichever came last', () => {
    // As the other side of the message states it: without the payment to a router.
    const fromAfar = { ...source(null), near: `ethereum:${SENDER}`, far: `ethereum:${SENDER}`, lookedUpAt: 9 };
    for (const readings of [
      [own, fromAfar],
      [fromAfar, own],
    ]) {
      expect(joinStatements([...readings, destination()])).toMatchObject([
        { match: 'id', source: { explains: [PAID] } },
      ]);
    }
  });

  it('stay one pair where the later one did not find the id that the earlier one had found', () => {
    const withoutId = { ...source(null, { id: null }), lookedUpAt: 9 };
    for (const readings of [
      [own, withoutId],
      [withoutId, own],
    ]) {
      expect(shown([...readings, destination()])).toEqual([['id', null, false, destination().message.tx]]);
    }
  });
});
