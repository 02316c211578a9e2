import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareAmounts } from '../../../src/domain/amount.ts';
import { COMPARED_MAX, pairMessages } from '../../../src/domain/bridges/join-statements.ts';
import { match, timesPart } from '../../../src/domain/bridges/match.ts';
import { type BridgeMessage, messageKey } from '../../../src/domain/bridges/message.ts';
import { BRIDGE_PROTOCOLS } from '../../../src/domain/bridges/protocols.ts';
import { compare } from '../../../src/domain/compare.ts';
import { destinationMessage, RECIPIENT, SENDER, SENT_AT, sourceMessage } from './messages.ts';

const OTHER = `0x${'c3'.repeat(20)}`;

describe('pairs of messages', () => {
  it('count the first of two deliveries and report the other', () => {
    const late = destinationMessage({ tx: `0x${'03'.repeat(32)}`, at: SENT_AT + 500_000 });
    const { pairs, duplicates } = pairMessages([sourceMessage()], [late, destinationMessage()]);
    expect(pairs).toEqual([
      { source: sourceMessage(), destination: destinationMessage(), ambiguous: false, isSure: true },
    ]);
    expect(duplicates).toEqual([late]);
  });

  it('take each statement once, however often it was read', () => {
    const read = [destinationMessage(), destinationMessage()];
    expect(pairMessages([sourceMessage(), sourceMessage()], read).duplicates).toEqual([]);
  });

  it('compare each of ten thousand of one id with at most so many, whatever they state', () => {
    const count = 10_000;
    const cases: [Partial<BridgeMessage>, Partial<BridgeMessage>, number][] = [
      [{}, {}, count],
      [{ agreed: { amount: '2' } }, { agreed: { amount: '1' } }, 0],
    ];
    for (const [sent, arrived, paired] of cases) {
      let looked = 0;
      const counted = (message: BridgeMessage) => {
        const { agreed } = message;
        const get = () => {
          looked += 1;
          return agreed;
        };
        return Object.defineProperty(message, 'agreed', { get });
      };
      const places = Array.from({ length: count }, (_, position) => position);
      const sources = places.map((position) => counted(sourceMessage({ position, ...sent })));
      const destinations = places.map((position) => destinationMessage({ position, ...arrived }));
      const { pairs, ambiguous } = pairMessages(sources, destinations);
      expect([pairs.length, ambiguous.size]).toEqual([paired, 2 * (count - paired)]);
      expect(pairs.every(({ source, destination }) => source.position === destination.position)).toBe(true);
      expect(looked).toBeLessThanOrEqual(COMPARED_MAX * count);
    }
  });

  it('are none where candidates of one id name two recipients: both sides are ambiguous', () => {
    const others = [SENDER, OTHER].map((recipient, position) => destinationMessage({ recipient, position }));
    const { pairs, ambiguous } = pairMessages([sourceMessage()], others);
    expect(pairs).toEqual([]);
    expect(ambiguous).toEqual(new Set([sourceMessage(), ...others].map(messageKey)));
    // One that fits is the other side, whatever else shares the id.
    const found = pairMessages([sourceMessage()], [...others, destinationMessage({ position: 2 })]);
    expect([found.pairs.length, found.ambiguous.size]).toEqual([1, 0]);
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
    fc.assert(property, { numRuns: 300 });
  });

  it('are those of comparing each source with each destination', () => {
    const own = (side: BridgeMessage['side']) => (side === 'source' ? sourceMessage() : destinationMessage());
    const given = (side: BridgeMessage['side']) =>
      fc.record({
        id: fc.constantFrom('1', '1', '1', '2', null),
        tx: fc.integer({ min: 0, max: 30 }).map((n) => `0x${side}${n}`),
        at: fc.integer({ min: 0, max: 12 }).map((n) => SENT_AT + n * 300_000),
        protocol: fc.constantFrom<BridgeMessage['protocol']>('cctp_v1', 'across', 'debridge'),
        amount: fc.constantFrom('999', '1000', '1000.5', '1005', '1010.01'),
        agreed: fc.constantFrom<BridgeMessage['agreed']>(
          {},
          { amount: '1' },
          { amount: '2' },
          { nonce: '1' },
          { amount: '1', nonce: '1' },
        ),
        // USD Coin, the coin of the chain, and a token that is not well known.
        token: fc.constantFrom(own(side).token, null, '0xunknown'),
        route: fc.constantFrom<BridgeMessage['route']>(
          own(side).route,
          side === 'source' ? own(side).route : { ...own(side).route, from: null },
          { ...own(side).route, from: { chain: 'ethereum', raw: '9' } },
          { ...own(side).route, to: { chain: 'arbitrum', raw: '4' } },
        ),
        recipient: fc.constantFrom(RECIPIENT, RECIPIENT, RECIPIENT, null),
        expiresAt: fc.constantFrom(null, SENT_AT - 300_000, SENT_AT + 1_000_000, SENT_AT + 2_000_000),
      });
    const many = { maxLength: 40, size: '+1' } as const;
    const property = fc.property(
      fc.array(given('source'), many),
      fc.array(given('destination'), many),
      (sent, arrived) => {
        const [sources, destinations] = [sent.map(sourceMessage), arrived.map(destinationMessage)];
        const { pairs, duplicates } = pairMessages(sources, destinations);
        expect({ pairs, duplicates }).toEqual(comparingAll(sources, destinations));
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });
});

function comparingAll(sources: BridgeMessage[], destinations: BridgeMessage[]) {
  const inOrder = (messages: BridgeMessage[]) =>
    [...new Map(messages.map((message) => [message.tx, message])).values()].sort(
      (a, b) => a.at - b.at || compare(a.tx, b.tx),
    );
  const [all, taken] = [inOrder(sources), new Set<BridgeMessage>()];
  const result: Pick<ReturnType<typeof pairMessages>, 'pairs' | 'duplicates'> = { pairs: [], duplicates: [] };
  const nameOf = ({ protocol, id, recipient, route }: BridgeMessage) => [protocol, id, recipient, route.to.raw].join();
  for (const destination of inOrder(destinations)) {
    const fitting = all.filter((source) => match(source, destination));
    const source = fitting.find((one) => !taken.has(one));
    const twins = all.filter((one) => nameOf(one) === nameOf(destination));
    if (source) result.pairs.push({ source, destination, ambiguous: twins.length > 1, isSure: true });
    else if (fitting.length > 0) result.duplicates.push(destination);
    if (source) taken.add(source);
  }
  return result;
}
