import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareAmounts } from '../../../src/domain/amount.ts';
import { match, timesPart } from '../../../src/domain/bridges/match.ts';
import { BRIDGE_PROTOCOLS, type BridgeMessage } from '../../../src/domain/bridges/message.ts';
import { pairMessages } from '../../../src/domain/bridges/pair-messages.ts';
import { compare } from '../../../src/domain/compare.ts';
import { destinationMessage, SENT_AT, sourceMessage } from './messages.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

describe('pairs of messages', () => {
  it('count the first of two deliveries and report the other', () => {
    const late = destinationMessage({ tx: `0x${'03'.repeat(32)}`, at: SENT_AT + 500_000 });
    const { pairs, duplicates } = pairMessages([sourceMessage()], [late, destinationMessage()]);
    expect(pairs).toEqual([{ source: sourceMessage(), destination: destinationMessage(), ambiguous: false }]);
    expect(duplicates).toEqual([late]);
  });

  it('take each statement once, however often it was read', () => {
    const read = [destinationMessage(), destinationMessage()];
    expect(pairMessages([sourceMessage(), sourceMessage()], read).duplicates).toEqual([]);
  });

  it.each([
    ['that match', {}],
    ['of which none matches', { agreed: { amount: '1' } }],
  ])('compares few of many messages %s, also of thousands with the same content', (_, given) => {
    const count = 2_000;
    for (const idOf of [String, () => 'same']) {
      let compared = 0;
      const counted = (message: BridgeMessage) =>
        Object.defineProperty(message, 'agreed', {
          get: () => {
            compared += 1;
            return { amount: '2' };
          },
        });
      const places = Array.from({ length: count }, (_, i) => ({ id: idOf(i), position: i }));
      const { pairs } = pairMessages(
        places.map((one) => counted(sourceMessage(one))),
        places.map((one) => destinationMessage({ ...one, agreed: {}, ...given })),
      );
      expect(pairs).toHaveLength('agreed' in given ? 0 : count);
      expect(pairs.every(({ source, destination }) => source.position === destination.position)).toBe(true);
      expect(compared).toBeLessThan(5 * count);
    }
  });

  it('join twins in the order of time and call them ambiguous', () => {
    const twin = { tx: `0x${'04'.repeat(32)}`, at: SENT_AT + 60_000 };
    const arrival = { tx: `0x${'05'.repeat(32)}`, at: SENT_AT + 600_000 };
    const { pairs } = pairMessages(
      [sourceMessage(twin), sourceMessage()],
      [destinationMessage(arrival), destinationMessage()],
    );
    expect(pairs.map(({ source, destination, ambiguous }) => [source.at, destination.at, ambiguous])).toEqual([
      [SENT_AT, SENT_AT + 240_000, true],
      [SENT_AT + 60_000, SENT_AT + 600_000, true],
    ]);
  });

  it('never join ids of different protocols or routes, and never create money', () => {
    console.log(`seed ${seed} (SEED=${seed} repeats it)`);
    const given = fc.record({
      protocol: fc.constantFrom(...BRIDGE_PROTOCOLS),
      id: fc.constantFrom('1', '2'),
      tx: fc.integer({ min: 0, max: 9 }).map((n) => `0x${String(n).repeat(64)}`),
      at: fc.integer({ min: 0, max: 7_200_000 }).map((ms) => SENT_AT + ms),
      amount: fc.integer({ min: 1, max: 2_000 }).map(String),
      route: fc.constantFrom<BridgeMessage['route']>(
        sourceMessage().route,
        { ...sourceMessage().route, to: { chain: 'base', raw: '6' } },
        { ...sourceMessage().route, from: { chain: 'base', raw: '6' } },
      ),
      agreed: fc.constant({}),
    });
    const property = fc.property(fc.array(given), fc.array(given), (sources, destinations) => {
      const { pairs } = pairMessages(sources.map(sourceMessage), destinations.map(destinationMessage));
      for (const { source, destination } of pairs) {
        expect(source.protocol).toBe(destination.protocol);
        expect(source.route).toEqual(destination.route);
        const most = ['debridge', 'thorchain'].includes(source.protocol) ? '2000' : timesPart(source.amount, 1.01);
        expect(compareAmounts(destination.amount, most)).toBeLessThanOrEqual(0);
      }
      expect(new Set(pairs.map(({ source }) => source)).size).toBe(pairs.length);
      expect(new Set(pairs.map(({ destination }) => destination)).size).toBe(pairs.length);
    });
    fc.assert(property, { seed, numRuns: 300 });
  });

  it('are those of comparing each source with each destination', () => {
    console.log(`seed ${seed} (SEED=${seed} repeats it)`);
    const given = (side: BridgeMessage['side']) =>
      fc.record({
        id: fc.constantFrom('1', '2'),
        tx: fc.integer({ min: 0, max: 30 }).map((n) => `0x${side}${n}`),
        at: fc.integer({ min: 0, max: 12 }).map((n) => SENT_AT + n * 300_000),
        amount: fc.constantFrom('999', '1000'),
        agreed: fc.constantFrom<BridgeMessage['agreed']>({}, { amount: '1' }, { amount: '2' }, { nonce: '1' }),
        expiresAt: fc.constantFrom(null, SENT_AT + 1_000_000),
      });
    const property = fc.property(fc.array(given('source')), fc.array(given('destination')), (sent, arrived) => {
      const [sources, destinations] = [sent.map(sourceMessage), arrived.map(destinationMessage)];
      expect(pairMessages(sources, destinations)).toEqual(comparingAll(sources, destinations));
    });
    fc.assert(property, { seed, numRuns: 500 });
  });
});

function comparingAll(sources: BridgeMessage[], destinations: BridgeMessage[]): ReturnType<typeof pairMessages> {
  const inOrder = (messages: BridgeMessage[]) =>
    [...new Map(messages.map((message) => [message.tx, message])).values()].sort(
      (a, b) => a.at - b.at || compare(a.tx, b.tx),
    );
  const [all, taken] = [inOrder(sources), new Set<BridgeMessage>()];
  const result: ReturnType<typeof pairMessages> = { pairs: [], duplicates: [] };
  for (const destination of inOrder(destinations)) {
    const fitting = all.filter((source) => match(source, destination));
    const source = fitting.find((one) => !taken.has(one));
    if (source) result.pairs.push({ source, destination, ambiguous: fitting.length > 1 });
    else if (fitting.length > 0) result.duplicates.push(destination);
    if (source) taken.add(source);
  }
  return result;
}
