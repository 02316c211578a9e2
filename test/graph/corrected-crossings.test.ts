import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Statement } from '../../src/domain/bridges/join-statements.ts';
import type { BridgeMessage, TransactionReading } from '../../src/domain/bridges/message.ts';
import { keepCrossings } from '../../src/graph/ingest/keep-crossings.ts';
import { keepScore } from '../../src/graph/ingest/keep-score.ts';
import type { Graph } from '../../src/graph/port.ts';
import { destinationMessage, RECIPIENT, SENDER, sourceMessage } from '../domain/bridges/messages.ts';
import { engineCases } from './engine-cases.ts';
import { ENGINES } from './engines.ts';
import { contents } from './world.ts';

const runs = { grafeo: 30, neo4j: 3 };
const OTHER = `0x${'c3'.repeat(20)}`;

function stated(message: BridgeMessage, readAt: number): Statement {
  const near = message.side === 'source' ? `ethereum:${message.sender}` : `arbitrum:${message.recipient}`;
  return {
    message,
    near,
    far: `${message.chain}:pool`,
    usd: 1_000,
    missing: null,
    likely: null,
    lookedUpAt: null,
    readAt,
  };
}

const SOURCE = stated(sourceMessage(), 100);
const DESTINATION = stated(destinationMessage(), 100);

/** Contradicting readings of the two sides of one message, in two orders. */
const drawn = fc.record({
  side: fc.constantFrom<BridgeMessage['side']>('source', 'destination'),
  recipient: fc.constantFrom(RECIPIENT, OTHER),
  amount: fc.constantFrom('1000', '900'),
  readAt: fc.integer({ min: 1, max: 4 }),
});
const PLAN = fc
  .uniqueArray(drawn, { minLength: 2, maxLength: 6, selector: (one) => JSON.stringify(one) })
  .map((all) =>
    all.map(({ side, readAt, ...given }) => {
      const of = side === 'source' ? sourceMessage : destinationMessage;
      return stated(of({ ...given, agreed: {} }), readAt);
    }),
  )
  .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));

/** One reading of a transaction, and what the scan of one party keeps of it. */
interface Look {
  statements: Statement[];
  reading: TransactionReading;
}

/**
 * Contradicting whole readings of the two transactions of a message, each for one party or none, in two orders. What is stated
 * at one moment is never stated again later: a statement that was replaced would come back with its party's next scan alone.
 */
const look = fc
  .record({
    side: fc.constantFrom<BridgeMessage['side']>('source', 'destination'),
    at: fc.integer({ min: 1, max: 4 }),
    messages: fc.uniqueArray(
      fc.record({
        position: fc.constantFrom(3, 4),
        sender: fc.constantFrom(SENDER, OTHER),
        recipient: fc.constantFrom(RECIPIENT, OTHER),
      }),
      { minLength: 1, maxLength: 2, selector: ({ position }) => position },
    ),
    party: fc.constantFrom(SENDER, RECIPIENT, OTHER),
  })
  .map(({ side, at, messages, party }): Look => {
    const of = side === 'source' ? sourceMessage : destinationMessage;
    const all = messages.map((given) => of({ ...given, amount: String(900 + at), agreed: {} }));
    const own = all.filter(({ sender, recipient }) => (side === 'source' ? sender : recipient) === party);
    return { statements: own.map((message) => stated(message, at)), reading: { messages: all, at } };
  });
const LOOKS = fc
  .array(look, { minLength: 2, maxLength: 5 })
  .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));

describe.each(Object.entries(ENGINES))('crossings that a later reading contradicts on %s', (name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });
  const crossings = async () =>
    (await contents(graph)).bridged.map((text) => {
      const { from, to, properties } = JSON.parse(text);
      const { match = null, amount_out = null, amount_in = null } = properties;
      return { from, to, match, amount_out, amount_in };
    });
  const score = (address: string, chain: 'ethereum' | 'arbitrum') =>
    keepScore(graph, {
      chain,
      address,
      score: {
        score: 10,
        level: 'LOW',
        at: 1,
        ruleSetVersion: '1',
        evidence: [`${chain}:${address}`],
        labels: 'none',
        transfers: 1,
        isPartial: false,
      },
      poisonedBy: [],
    });
  const scored = async () => {
    const rows = await graph.read('export/addresses', { after: '', limit: 100 });
    return rows
      .map(({ properties }) => properties as { key: string; risk_score?: number })
      .filter(({ risk_score }) => risk_score !== undefined)
      .map(({ key }) => key);
  };
  /** Keeps both readings in the order given, each in a call of its own. */
  const keepBoth = async (first: Statement[], second: Statement[]) => {
    await keepCrossings(graph, first);
    return keepCrossings(graph, second);
  };

  const corrected = stated(sourceMessage({ recipient: OTHER }), 200);
  const elsewhere = [
    { from: `ethereum:${SENDER}`, to: `arbitrum:${OTHER}`, match: null, amount_out: '1000', amount_in: null },
    { from: `ethereum:${SENDER}`, to: `arbitrum:${RECIPIENT}`, match: null, amount_out: null, amount_in: '1000' },
  ];

  test('another recipient: the pair ends, and the message leads to the recipient of the later reading', async (reset) => {
    expect(await keepBoth([SOURCE, DESTINATION], [corrected])).toBe(true);
    expect(new Set(await crossings())).toEqual(new Set(elsewhere));
    await reset();
    expect(await keepBoth([corrected], [SOURCE, DESTINATION])).toBe(false);
    expect(new Set(await crossings())).toEqual(new Set(elsewhere));
  }, 120_000);

  test('another amount: the crossing has the later one, and a delivery of more than was sent stays apart', async (reset) => {
    const less = stated(sourceMessage({ amount: '900', agreed: {} }), 200);
    const apart = [
      { from: `ethereum:${SENDER}`, to: `arbitrum:${RECIPIENT}`, match: null, amount_out: '900', amount_in: null },
      { from: `ethereum:${SENDER}`, to: `arbitrum:${RECIPIENT}`, match: null, amount_out: null, amount_in: '1000' },
    ];
    await keepBoth([SOURCE, DESTINATION], [less]);
    expect(new Set(await crossings())).toEqual(new Set(apart));
    await reset();
    await keepBoth([less], [SOURCE, DESTINATION]);
    expect(new Set(await crossings())).toEqual(new Set(apart));
    await reset();
    const both = [less, stated(destinationMessage({ amount: '900', agreed: {} }), 200)];
    await keepBoth([SOURCE, DESTINATION], both);
    expect(await crossings()).toMatchObject([{ match: 'id', amount_out: '900', amount_in: '900' }]);
  }, 120_000);

  test('a reading without the lookup of an earlier one keeps it where both say the same', async () => {
    const looked = { ...SOURCE, missing: 'bridge_pending' as const, lookedUpAt: 150 };
    expect(await keepBoth([looked], [stated(sourceMessage(), 200)])).toBe(false);
    const [kept] = (await contents(graph)).bridged.map((text) => JSON.parse(text).properties);
    expect(kept).toMatchObject({ reason: 'bridge_pending', looked_up_at: 150 });
  }, 120_000);

  test('a later reading of the whole transaction removes what it no longer states in that place', async () => {
    await keepCrossings(graph, [SOURCE, DESTINATION]);
    // The transaction was included again, with its log at another place in the block.
    const moved = stated(sourceMessage({ position: 9 }), 200);
    const reading: TransactionReading = { messages: [moved.message], at: 200 };
    expect(await keepCrossings(graph, [moved], [reading])).toBe(true);
    expect(await crossings()).toMatchObject([{ match: 'id' }]);
    const [kept] = (await contents(graph)).bridged.map((text) => JSON.parse(text).properties);
    expect(kept.id).toMatch(/:9$/);
  }, 120_000);

  /** What another party of the same transaction states. */
  const beside = stated(sourceMessage({ position: 9, sender: OTHER, recipient: OTHER, id: '5' }), 200);
  const besides = { from: `ethereum:${OTHER}`, to: `arbitrum:${OTHER}`, match: null, amount_in: null };
  const arrived = { from: `ethereum:${SENDER}`, to: `arbitrum:${RECIPIENT}`, match: null, amount_out: null };

  test('a later reading by the scan of another party corrects what it states in a place', async () => {
    await keepCrossings(graph, [SOURCE, DESTINATION]);
    await score(SENDER, 'ethereum');
    const reading: TransactionReading = { messages: [corrected.message, beside.message], at: 200 };
    expect(await keepCrossings(graph, [beside], [reading])).toBe(true);
    const kept = await crossings();
    expect(kept).toHaveLength(2);
    expect(kept).toEqual(expect.arrayContaining([arrived, besides].map((one) => expect.objectContaining(one))));
    expect(await scored()).toEqual([]);
  }, 120_000);

  test('a later reading by the scan of another party keeps what it states alike', async () => {
    await keepCrossings(graph, [SOURCE, DESTINATION]);
    const reading: TransactionReading = { messages: [sourceMessage({ id: null }), beside.message], at: 200 };
    expect(await keepCrossings(graph, [beside], [reading])).toBe(false);
    expect((await crossings()).map(({ match }) => match).sort()).toEqual(['id', null]);
  }, 120_000);

  test('an older reading that arrives later puts nothing back, whatever the newer one stated of others', async () => {
    // The newer one belongs to the scan of another party: of its messages it keeps that party's alone.
    const newer: TransactionReading = { messages: [corrected.message, beside.message], at: 200 };
    const older: TransactionReading = { messages: [SOURCE.message], at: 100 };
    await keepCrossings(graph, [beside], [newer]);
    await keepCrossings(graph, [SOURCE, DESTINATION], [older]);
    const kept = await crossings();
    expect(kept).toHaveLength(2);
    expect(kept).toEqual(expect.arrayContaining([arrived, besides].map((one) => expect.objectContaining(one))));
  }, 120_000);

  test('an older reading that arrives later adds nothing in a place that the newer one leaves empty', async () => {
    await keepCrossings(graph, [beside], [{ messages: [beside.message], at: 200 }]);
    await keepCrossings(graph, [SOURCE], [{ messages: [SOURCE.message], at: 100 }]);
    expect(await crossings()).toMatchObject([besides]);
  }, 120_000);

  test('a later reading corrects what an earlier one stated between other addresses', async () => {
    const elsewhere = stated(sourceMessage({ sender: OTHER, recipient: OTHER }), 200);
    await keepCrossings(graph, [SOURCE], [{ messages: [SOURCE.message], at: 100 }]);
    await keepCrossings(graph, [elsewhere], [{ messages: [elsewhere.message], at: 200 }]);
    expect(await crossings()).toMatchObject([besides]);
  }, 120_000);

  test('of two readings of a transaction in one millisecond the order does not matter', async (reset) => {
    const unmoved: TransactionReading = { messages: [sourceMessage(), beside.message], at: 200 };
    const moved: TransactionReading = { messages: [sourceMessage({ position: 4 }), beside.message], at: 200 };
    const kept: unknown[] = [];
    for (const [first, second] of [
      [unmoved, moved],
      [moved, unmoved],
    ] as const) {
      await keepCrossings(graph, [SOURCE, DESTINATION]);
      await keepCrossings(graph, [beside], [first, second]);
      kept.push((await contents(graph)).bridged.toSorted());
      await reset();
      await keepCrossings(graph, [SOURCE, DESTINATION]);
      await keepCrossings(graph, [beside], [first]);
      await keepCrossings(graph, [beside], [second]);
      kept.push((await contents(graph)).bridged.toSorted());
      await reset();
    }
    for (const one of kept) expect(one).toEqual(kept[0]);
    expect(kept[0]).toHaveLength(2);
  }, 120_000);

  test('the scores of the ends of what is replaced end, those of others stay', async () => {
    await keepCrossings(graph, [
      SOURCE,
      DESTINATION,
      stated(sourceMessage({ tx: '0xelse', sender: OTHER, id: '5' }), 100),
    ]);
    for (const address of [SENDER, OTHER]) await score(address, 'ethereum');
    await score(RECIPIENT, 'arbitrum');
    await keepCrossings(graph, [stated(sourceMessage(), 150)]);
    expect((await scored()).sort()).toEqual(
      [`arbitrum:${RECIPIENT}`, `ethereum:${OTHER}`, `ethereum:${SENDER}`].sort(),
    );
    await keepCrossings(graph, [corrected]);
    expect(await scored()).toEqual([`ethereum:${OTHER}`]);
  }, 120_000);

  /** Whatever is kept in another way gives the graph of all readings kept together. */
  const givesSameGraph = async <T>(
    reset: () => Promise<void>,
    plan: fc.Arbitrary<[T[], T[]]>,
    { together, apart }: { together: (all: T[]) => Promise<unknown>; apart: (shuffled: T[]) => Promise<unknown> },
  ) => {
    await fc.assert(
      fc.asyncProperty(plan, async ([all, shuffled]) => {
        await reset();
        await together(all);
        const expected = (await contents(graph)).bridged.toSorted();
        await reset();
        await apart(shuffled);
        expect((await contents(graph)).bridged.toSorted()).toEqual(expected);
      }),
      { numRuns: runs[name as keyof typeof runs] },
    );
  };

  const ofStatements = { together: (all: Statement[]) => keepCrossings(graph, all) };
  const keepLook = ({ statements, reading }: Look) => keepCrossings(graph, statements, [reading]);
  const ofLooks = {
    together: (all: Look[]) =>
      keepCrossings(
        graph,
        all.flatMap(({ statements }) => statements),
        all.map(({ reading }) => reading),
      ),
  };
  /** One after the other, in the order given. */
  const each = async <T>(all: readonly T[], work: (one: T) => Promise<unknown>) => {
    for (const one of all) await work(one);
  };

  test('any order of contradicting readings gives the same graph', async (reset) => {
    const apart = (shuffled: Statement[]) => each(shuffled, (one) => keepCrossings(graph, [one]));
    await givesSameGraph(reset, PLAN, { ...ofStatements, apart });
  }, 300_000);

  test('contradicting readings at the same time give the graph of one after the other', async (reset) => {
    const apart = (shuffled: Statement[]) => Promise.all(shuffled.map((one) => keepCrossings(graph, [one])));
    await givesSameGraph(reset, PLAN, { ...ofStatements, apart });
  }, 300_000);

  test('whole readings for the scans of several parties give the same graph in any order', async (reset) => {
    await givesSameGraph(reset, LOOKS, { ...ofLooks, apart: (shuffled) => each(shuffled, keepLook) });
  }, 300_000);

  test('whole readings for the scans of several parties give the same graph at the same time', async (reset) => {
    await givesSameGraph(reset, LOOKS, { ...ofLooks, apart: (shuffled) => Promise.all(shuffled.map(keepLook)) });
  }, 300_000);
});
