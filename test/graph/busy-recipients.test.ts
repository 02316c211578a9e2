import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Statement } from '../../src/domain/bridges/join-statements.ts';
import type { BridgeMessage, LikelySide } from '../../src/domain/bridges/message.ts';
import { keepCrossings } from '../../src/graph/ingest/keep-crossings.ts';
import type { Graph } from '../../src/graph/port.ts';
import { destinationMessage, sourceMessage } from '../domain/bridges/messages.ts';
import { engineCases } from './engine-cases.ts';
import { ENGINES } from './engines.ts';
import { contents } from './world.ts';

const runs = { grafeo: 60, neo4j: 4 };
const receiptOf = (tx: string) => `arbitrum:${tx}:log:1`;

function stated(message: BridgeMessage, likely: LikelySide = null): Statement {
  const { chain, side } = message;
  const missing = side === 'source' ? ('bridge_not_found' as const) : null;
  return { message, near: `${chain}:near`, far: `${chain}:far`, usd: 1, missing, likely, lookedUpAt: 5, readAt: 5 };
}

const delivered = (tx: string, id: string | null) =>
  destinationMessage({ id, tx, agreed: {}, explains: [receiptOf(tx)] });

/** Both sides of a message of its own id and transactions. */
function pair(id: string, given: Partial<BridgeMessage> = {}): Statement[] {
  const sides = [
    sourceMessage({ id, tx: `0xout${id}`, ...given }),
    destinationMessage({ id, tx: `0xin${id}`, ...given }),
  ];
  return sides.map((message) => stated(message));
}

/** The graph, with the crossings that writes have read from it so far, and the ids and transactions that they looked for. */
function counted(graph: Graph): { graph: Graph; read: () => number; sought: () => number } {
  let rows = 0;
  let sought = 0;
  const transact: Graph['transact'] = (work) =>
    graph.transact((tx) =>
      work({
        run: async (statement, params) => {
          const found = await tx.run(statement, params);
          if (statement === 'bridges/held') {
            const { ids, txs } = params as { ids: string[]; txs: string[] };
            rows += found.length;
            sought += ids.length + txs.length;
          }
          return found as never;
        },
      }),
    );
  return { graph: { ...graph, read: graph.read.bind(graph), transact }, read: () => rows, sought: () => sought };
}

describe.each(Object.entries(ENGINES))('a recipient of many crossings on %s', (name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });
  const bridged = async () => (await contents(graph)).bridged.toSorted();

  test('one more is kept by reading only what shares its id or transactions', async () => {
    await keepCrossings(graph, Array.from({ length: 1_500 }, (_, i) => pair(`a${i}`)).flat());
    const { graph: watched, read } = counted(graph);
    const [source, destination] = pair('b') as [Statement, Statement];
    await keepCrossings(watched, [source]);
    await keepCrossings(watched, [destination]);
    expect(read()).toBeLessThanOrEqual(2);
    const all = (await bridged()).map((text) => JSON.parse(text).properties);
    expect(all).toHaveLength(1_501);
    expect(all.find(({ message_id }) => message_id === 'b')).toMatchObject({ match: 'id', tx_in: '0xinb' });
  }, 120_000);

  test('of a batch each recipient looks for its own messages alone', async () => {
    const { graph: watched, sought } = counted(graph);
    const batch = Array.from({ length: 30 }, (_, i) =>
      pair(`a${i}`, { recipient: `0x${String(i).padStart(40, '0')}` }),
    );
    await keepCrossings(watched, batch.flat());
    // Of each message its id, and the transactions of its sides.
    expect(sought()).toBe(3 * batch.length);
    expect(await bridged()).toHaveLength(batch.length);
  }, 120_000);

  test('an id that two protocols share joins neither with the other', async () => {
    const [source] = pair('7');
    const [, destination] = pair('7', { protocol: 'wormhole' });
    await keepCrossings(graph, [source!]);
    await keepCrossings(graph, [destination!]);
    const properties = (await bridged()).map((text) => JSON.parse(text).properties);
    expect(properties.map(({ protocol, match = null }) => [protocol, match]).sort()).toEqual([
      ['cctp_v1', null],
      ['wormhole', null],
    ]);
  }, 120_000);

  test('statements kept one by one are joined as all at once, whatever ids and receipts they share', async (reset) => {
    const txs = Array.from({ length: 6 }, (_, i) => `0xd${i}`);
    const drawn = fc.record({
      side: fc.constantFrom<BridgeMessage['side']>('source', 'destination'),
      place: fc.nat(txs.length - 1),
      id: fc.constantFrom('1', '2', '3', '4'),
      likely: fc.constantFrom(null, 'ambiguous' as const, ...txs),
    });
    const plan = fc
      .uniqueArray(drawn, { minLength: 2, maxLength: 10, selector: ({ side, place }) => `${side} ${place}` })
      .map((all) =>
        all.map(({ side, place, id, likely }) => {
          if (side === 'destination') return stated(delivered(txs[place]!, id));
          const receipt = likely === null || likely === 'ambiguous' ? likely : delivered(likely, null);
          return stated(sourceMessage({ id, tx: `0xs${place}`, agreed: {} }), receipt);
        }),
      )
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    await fc.assert(
      fc.asyncProperty(plan, async ([all, shuffled]) => {
        await reset();
        await keepCrossings(graph, all);
        const expected = await bridged();
        await reset();
        for (const one of shuffled) await keepCrossings(graph, [one]);
        expect(await bridged()).toEqual(expected);
      }),
      { numRuns: runs[name as keyof typeof runs] },
    );
  }, 300_000);
});
