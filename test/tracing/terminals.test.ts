import { describe, expect } from 'vitest';
import { TERMINAL_CATEGORIES, type TerminalCategory } from '../../src/domain/tracing/answers.ts';
import type { Graph } from '../../src/graph/port.ts';
import { getTerminals } from '../../src/tracing/answers/get-terminals.ts';
import { engineCases } from '../graph/engine-cases.ts';
import { ENGINES } from '../graph/engines.ts';
import { type Payment, pay, tracing } from './money.ts';

const ALL = Object.keys(TERMINAL_CATEGORIES) as TerminalCategory[];

describe('terminals', () => {
  let graph: Graph;
  const test = engineCases(ENGINES.grafeo, (empty) => {
    graph = empty;
  });
  const ask = (more: Partial<Parameters<typeof getTerminals>[1]> = {}) =>
    getTerminals(tracing(graph), { chain: 'ethereum', address: 'S', maxHops: 3, categories: ALL, limit: 20, ...more });
  const short = ({ terminals }: Awaited<ReturnType<typeof ask>>) =>
    terminals.map(({ address, terminal_category, hops, usd }) => `${address} ${terminal_category} ${hops} ${usd}`);

  test('the labelled ends of the money, largest share first, each with its path in time order', async () => {
    await pay(graph, [
      [1_000, 'S', 'm', 90],
      [2_000, 'm', 'CEX', 60],
      [3_000, 'm', 'MIX', 30],
      [4_000, 'S', 'CEX', 5],
      [500, 'm', 'HACK', 70],
    ]);
    const answer = await ask();
    expect(answer).toMatchObject({
      address: 'S',
      chain: 'ethereum',
      max_hops: 3,
      categories: ALL,
      total: 2,
      limit: 20,
      offset: 0,
      truncated: false,
      note: 'More may lie behind 2 addresses not read in full (coverage.frontier).',
    });
    expect(answer.terminals).toEqual([
      {
        address: 'CEX',
        chain: 'ethereum',
        label: 'cex',
        category: 'exchange',
        terminal_category: 'exchange',
        hops: 1,
        usd: 65,
        reached: 'money',
        assets: { TOK: '65' },
        first_at: '1970-01-01T00:00:02.000Z',
        last_at: '1970-01-01T00:00:04.000Z',
        path: [expect.objectContaining({ from: 'S', to: 'CEX', tx_hash: '0x3' })],
      },
      expect.objectContaining({ address: 'MIX', terminal_category: 'mixing', hops: 2, usd: 30 }),
    ]);
  });

  test('a span follows only what the address itself sent within it, both ends included', async () => {
    await pay(graph, [
      [1_000, 'S', 'CEX', 10],
      [2_000, 'S', 'm', 20],
      [3_000, 'S', 'MIX', 40],
      [9_000, 'm', 'SCAM', 20],
    ]);
    expect(short(await ask({ from: 2_000, to: 2_000 }))).toEqual(['SCAM scam 2 20']);
    expect(short(await ask({ from: 2_001 }))).toEqual(['MIX mixing 1 40']);
    expect(short(await ask({ to: 1_999 }))).toEqual(['CEX exchange 1 10']);
  });

  test('each category is the cash-out point that analysts call it, and the others are none', async () => {
    const names = ['SCAM', 'DRAIN', 'MIX', 'CEX', 'BRIDGE', 'HACK', 'DARK', 'DEX', 'ROUTER', 'BET'];
    await pay(
      graph,
      names.map((name, i): Payment => [i, 'S', name, 100 - i]),
    );
    expect(short(await ask())).toEqual([
      'SCAM scam 1 100',
      'DRAIN scam 1 99',
      'MIX mixing 1 98',
      'CEX exchange 1 97',
      'BRIDGE bridge 1 96',
      'HACK sanctioned_entity 1 95',
      'DARK sanctioned_entity 1 94',
    ]);
    expect(short(await ask({ categories: ['mixing', 'scam'] }))).toEqual([
      'SCAM scam 1 100',
      'DRAIN scam 1 99',
      'MIX mixing 1 98',
    ]);
  });

  test('money ends at the first labelled service, whatever was asked for', async () => {
    await pay(graph, [
      [1, 'S', 'DEX', 10],
      [2, 'DEX', 'CEX', 10],
      [1, 'S', 'MIX', 10],
      [2, 'MIX', 'CEX', 10],
    ]);
    expect(short(await ask({ categories: ['exchange'] }))).toEqual([]);
  });

  test('ten hops reach ten hops far, and no farther', async () => {
    const chain = Array.from(
      { length: 10 },
      (_, i): Payment => [i, i === 0 ? 'S' : `a${i}`, i === 9 ? 'CEX' : `a${i + 1}`, 10],
    );
    await pay(graph, chain);
    const near = await ask({ maxHops: 9 });
    expect(short(near)).toEqual([]);
    expect(near).toMatchObject({ total: 0, truncated: true, coverage: { unattributed: { max_hops: 10 } } });
    expect(near.note).toContain('10 USD was not followed beyond 9 hops, at 1 address.');
    expect(short(await ask({ maxHops: 10 }))).toEqual(['CEX exchange 10 10']);
  });

  test('more than the limit is cut at the smallest, and the answer says so', async () => {
    await pay(
      graph,
      Array.from({ length: 5 }, (_, i): Payment => [1, 'S', `CEX${i}`, 10 + i]),
    );
    const answer = await ask({ limit: 2 });
    expect([short(answer), answer.truncated]).toEqual([['CEX4 exchange 1 14', 'CEX3 exchange 1 13'], true]);
    expect(answer.total).toBe(5);
    const rest = await ask({ limit: 2, offset: 4 });
    expect([short(rest), rest.total, rest.truncated]).toEqual([['CEX0 exchange 1 10'], 5, false]);
  });

  test('what money could have reached in time, but did not, follows with nothing', async () => {
    await pay(graph, [
      [1, 'S', 'm', 10],
      [2, 'm', 'x', 10],
      [3, 'y', 'm', 7],
      [4, 'm', 'CEX', 7],
      [4, 'S', 'MIX', 1],
    ]);
    const { terminals } = await ask();
    expect(terminals.map(({ address, usd, reached, assets }) => [address, usd, reached, assets])).toEqual([
      ['MIX', 1, 'money', { TOK: '1' }],
      ['CEX', 0, 'path', {}],
    ]);
    expect(terminals[1]?.path.map((hop) => hop.tx_hash)).toEqual(['0x0', '0x3']);
  });

  test('money too small to be followed is a path, also where another path has opened the address', async () => {
    await pay(graph, [
      [1_000, 'S', 'a', 1_000_000],
      [1_000, 'S', 'd', 10],
      [2_000, 'd', 'x', 10],
      [3_000, 'd', 'b', 1],
      [3_000, 'a', 'e', 1_000],
      [4_000, 'e', 'b', 0.5],
      [5_000, 'b', 'CEX', 1.5],
    ]);
    const { terminals } = await ask({ maxHops: 5 });
    expect(terminals).toMatchObject([{ address: 'CEX', usd: 0, reached: 'path', assets: {} }]);
  });

  test('a hub is not opened, and the answer says so', async () => {
    await pay(graph, [
      [1, 'S', 'hub', 10],
      ...Array.from({ length: 5_001 }, (_, i): Payment => [2, 'hub', `CEX${i}`, 1]),
    ]);
    expect(await ask()).toMatchObject({
      terminals: [],
      truncated: true,
      note: expect.stringContaining('Not everything was followed: hub_not_expanded.'),
    });
  });

  test('an unknown address has none and a note', async () => {
    expect(await ask({ address: 'nobody' })).toMatchObject({
      terminals: [],
      truncated: false,
      note: 'The graph holds no transfers of this address.',
    });
  });
});
