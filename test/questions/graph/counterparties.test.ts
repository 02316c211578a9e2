import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Graph } from '../../../src/graph/port.ts';
import type { CounterpartyPage } from '../../../src/graph/queries/relationship.ts';
import type { LabelStore } from '../../../src/labels/label-store.ts';
import { listCounterparties } from '../../../src/questions/graph/list-counterparties.ts';
import { createAccount } from '../../../src/records/accounts/accounts.ts';
import { openRecords, type Records } from '../../../src/records/database/database.ts';
import { insertOwnLabel } from '../../../src/records/lists/own-labels.ts';
import { engineCases } from '../../graph/engine-cases.ts';
import { ENGINES } from '../../graph/engines.ts';
import { pay } from '../../tracing/money.ts';

describe('counterparties', () => {
  let graph: Graph;
  const test = engineCases(ENGINES.grafeo, (empty) => {
    graph = empty;
  });
  let records: Records;
  beforeAll(async () => {
    records = await openRecords({ path: null });
  });
  afterAll(() => records.destroy());
  const labels = { find: async () => new Map() } as unknown as LabelStore;
  const ask = (limit = 50, page: Omit<CounterpartyPage, 'limit'> = {}, accountId: string | null = null) =>
    listCounterparties(
      {
        graph,
        labels,
        records,
        now: () => 0,
        accountId,
        readBy: async (keys) => new Set(keys.filter((key) => /:[AB]$/.test(key))),
        remainingMs: () => 10_000,
      },
      { chain: 'ethereum', address: 'A', limit, ...page },
    );

  test('both directions of each, the most valuable first, with the largest transaction and who was read', async () => {
    await pay(graph, [
      [1_000, 'A', 'B', 5],
      [2_000, 'A', 'B', 9],
      [3_000, 'B', 'A', 1],
      [4_000, 'C', 'A', 70],
      [5_000, 'C', 'D', 999],
    ]);
    const answer = await ask();
    expect(answer).toMatchObject({
      address: 'A',
      label: null,
      category: 'unknown',
      read: true,
      // Read by a trace from one payment on: the graph holds nothing that says more.
      state: 'partial',
      total: 2,
      truncated: false,
    });
    expect(answer.counterparties).toEqual([
      {
        address: 'C',
        label: null,
        category: 'unknown',
        entity_id: null,
        entity_name: null,
        read: false,
        state: 'unread',
        sent: null,
        received: expect.objectContaining({ usd: 70, tx_count: 1, tx_hash: '0x3' }),
      },
      {
        address: 'B',
        label: null,
        category: 'unknown',
        entity_id: null,
        entity_name: null,
        read: true,
        state: 'partial',
        sent: expect.objectContaining({ usd: 14, tx_count: 2, tx_hash: '0x1' }),
        received: expect.objectContaining({ usd: 1, tx_count: 1, tx_hash: '0x2' }),
      },
    ]);
  });

  test('at most as many as asked, and says so', async () => {
    await pay(graph, [
      [1_000, 'A', 'B', 5],
      [2_000, 'A', 'C', 9],
    ]);
    expect(await ask(1)).toMatchObject({ total: 2, limit: 1, truncated: true, counterparties: [{ address: 'C' }] });
  });

  test('page by page in the order that is asked for, and those with a text in address or label', async () => {
    await pay(graph, [
      [1_000, 'A', 'CEX1', 500],
      [9_000, 'A', 'B', 5],
      [3_000, 'MIX1', 'A', 70],
      [4_000, 'A', 'C', 60],
      [5_000, 'SCAM1', 'A', 1],
    ]);
    const of = async (page: Parameters<typeof ask>[1], limit = 50) =>
      (await ask(limit, page)).counterparties.map(({ address }) => address);
    expect(await of({ order: 'value' })).toEqual(['CEX1', 'MIX1', 'C', 'B', 'SCAM1']);
    expect(await of({ order: 'latest' })).toEqual(['B', 'SCAM1', 'C', 'MIX1', 'CEX1']);
    expect(await of({ order: 'name' })).toEqual(['CEX1', 'MIX1', 'SCAM1', 'C', 'B']);
    expect(await of({ order: 'category' })).toEqual(['SCAM1', 'MIX1', 'CEX1', 'C', 'B']);
    expect(await of({ offset: 3 }, 2)).toEqual(['B', 'SCAM1']);
    expect(await ask(1, { search: 'mIx' })).toMatchObject({
      total: 1,
      truncated: false,
      counterparties: [{ address: 'MIX1', received: { usd: 70 } }],
    });
    expect(await ask(2, { offset: 2 })).toMatchObject({ total: 5, truncated: true });
    expect(await ask(2, { offset: 3 })).toMatchObject({ truncated: false });
  });

  test('are found by what the account itself calls them, and only by that account', async () => {
    await pay(graph, [
      [1_000, 'A', 'B', 5],
      [2_000, 'A', 'C', 9],
    ]);
    const { id: account_id } = await createAccount(records, { name: 'Desk', planId: 'free' }, 0);
    await insertOwnLabel(records, {
      ...{ id: 'own', account_id, chain: 'ethereum', address: 'B', category: 'exchange', label: 'Shop till' },
      ...{ confidence: 60, reason: '', valid_from: null, valid_to: null, case_id: null, use_for_levels: 0 },
      ...{ author: 'desk', created_at: 0, changed_at: 0, removed_at: null },
    });
    expect(await ask(50, { search: 'SHOP' }, account_id)).toMatchObject({
      total: 1,
      counterparties: [{ address: 'B', own_labels: [{ label: 'Shop till' }] }],
    });
    expect(await ask(50, { search: 'SHOP' })).toMatchObject({ total: 0 });
  });

  test('nobody for an address that the graph does not know', async () => {
    expect(await ask()).toMatchObject({ counterparties: [], total: 0, truncated: false });
  });
});
