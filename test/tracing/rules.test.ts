import { describe, expect } from 'vitest';
import { MEASURED_RULES, METHODS, type Method } from '../../src/domain/tracing/rule.ts';
import type { Graph } from '../../src/graph/port.ts';
import { getAddressFunds } from '../../src/tracing/answers/funds/get-funds.ts';
import { fundsOnPlan } from '../../src/tracing/answers/funds/plan-funds.ts';
import { engineCases } from '../graph/engine-cases.ts';
import { ENGINES } from '../graph/engines.ts';
import { type Payment, pay, tracing } from './money.ts';

/** 100 of S meet 200 of a stranger at fundA, which pays twice and is emptied; what comes later is the stranger's alone. */
const MIXED: Payment[] = [
  [1, 'S', 'fundA', 100],
  [2, 'CEXother', 'fundA', 200],
  [3, 'fundA', 'CEX', 150],
  [4, 'fundA', 'MIX', 150],
  [5, 'CEXother', 'fundA', 70],
  [6, 'fundA', 'BET', 70],
  [7, 'S', 'SCAM', 30],
];

describe('accounts by rule', () => {
  let graph: Graph;
  const test = engineCases(ENGINES.grafeo, (empty) => {
    graph = empty;
  });
  const ask = (method: Method, lang: 'en' | 'ja' | 'es' = 'en') =>
    getAddressFunds(tracing(graph), { chain: 'ethereum', address: 'S', direction: 'sent', maxHops: 5, lang, method });
  const short = ({ rows }: Awaited<ReturnType<typeof ask>>) => rows.map(({ address, usd }) => `${address} ${usd}`);

  test('each rule says what it draws on, and pro rata is the same whether it is named or not', async () => {
    await pay(graph, MIXED);
    expect(short(await ask('pro_rata'))).toEqual(['CEX 50', 'MIX 50', 'SCAM 30']);
    expect(short(await ask('fifo'))).toEqual(['CEX 100', 'SCAM 30']);
    expect(short(await ask('lifo'))).toEqual(['MIX 100', 'SCAM 30']);
    expect(short(await ask('lowest_balance'))).toEqual(['MIX 100', 'SCAM 30']);
    expect(await ask('pro_rata')).not.toHaveProperty('method');
    expect((await ask('fifo')).note).toContain('first in, first out');
  });

  test('all rules side by side say least and greatest, pro rata between, and which rows do not depend', async () => {
    await pay(graph, MIXED);
    const { rows, note, method } = await ask('range');
    expect(method).toBe('range');
    const shown = rows.map(({ address, usd, range }) => [address, usd, range?.least_usd, range?.most_usd]);
    expect(shown).toEqual([
      ['CEX', 50, 0, 100],
      ['MIX', 50, 0, 100],
      ['SCAM', 30, 30, 30],
    ]);
    expect(rows[0]?.range?.by_rule).toEqual({
      pro_rata: { usd: 50, assets: { TOK: '50' } },
      fifo: { usd: 100, assets: { TOK: '100' } },
      lifo: { usd: 0, assets: {} },
      lowest_balance: { usd: 0, assets: {} },
    });
    for (const rule of MEASURED_RULES)
      expect(rows.reduce((sum, { range }) => sum + (range?.by_rule[rule].usd ?? 0), 0)).toBeCloseTo(130, 6);
    expect(note).toContain(
      '1 of 3 rows, 23.1% of the money, do not depend on the rule by which mixed money is attributed; of the others the least and the greatest amount are stated.',
    );
  });

  test('where no wallet held anything else no row depends on the rule', async () => {
    await pay(graph, [
      [1, 'S', 'fundA', 100],
      [2, 'fundA', 'CEX', 60],
      [3, 'fundA', 'fundB', 40],
    ]);
    const { note, rows } = await ask('range');
    expect(note).toContain('No row depends on the rule');
    expect((await ask('range', 'ja')).note).toContain('どの行も');
    expect((await ask('range', 'es')).note).toContain('Ninguna fila');
    expect(rows.every(({ range, usd }) => range?.least_usd === usd && range.most_usd === usd)).toBe(true);
  });

  test('poison reaches what was touched, without an amount, and nothing after the balance was empty', async () => {
    await pay(graph, [
      [1, 'CEXother', 'fundA', 200],
      [2, 'S', 'fundA', 100],
      [3, 'fundA', 'fundB', 300],
      [4, 'fundB', 'CEX', 100],
      [5, 'CEXother', 'fundB', 50],
      [6, 'fundB', 'MIX', 250],
      [7, 'CEXother', 'fundB', 10],
      [8, 'fundB', 'BET', 10],
      [9, 'S', 'fundC', 20],
      [10, 'CEXother', 'fundC', 5, { txHash: '0xstream' }],
      [10, 'fundC', 'DARK', 5, { txHash: '0xstream' }],
    ]);
    for (const method of ['poison', 'range'] as const) {
      const { rows } = await ask(method);
      expect(rows.some(({ address }) => address === 'BET')).toBe(false);
      const touched = rows.filter(({ reached }) => reached);
      expect(touched.map(({ address, usd, assets }) => [address, usd, assets])).toEqual([['DARK', 0, {}]]);
      expect(touched[0]?.path).toHaveLength(2);
    }
  });

  test('the rules add up to a plan that has no wallets one by one', async () => {
    await pay(graph, [...MIXED.slice(0, 2), [3, 'fundA', 'walletC', 150], [4, 'fundA', 'walletD', 150]]);
    for (const method of METHODS) {
      const answer = await ask(method);
      const { rows } = fundsOnPlan(answer, { heldWallets: false, terminals: false }, 'en');
      expect(rows.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(100, 6);
      const one = rows.find(({ kind }) => kind === 'held');
      if (method === 'range' && one) expect(one.range).toMatchObject({ least_usd: one.usd, most_usd: one.usd });
    }
  });
});
