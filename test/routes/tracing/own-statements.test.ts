import { expect, it } from 'vitest';
import type { OwnAnswer } from '../../../src/graph/port.ts';
import { runOwnStatement } from '../../../src/questions/own-statement.ts';
import { openTestApp } from '../../app/test-app.ts';

const body = { statement: 'RETURN 1 AS one' };

it('is for Enterprise, and needs Neo4j', async () => {
  const test = await openTestApp({ GRAPH_QUERY: '1' });
  const ask = async (plan: 'business' | 'enterprise', payload: object | string) => {
    const request = { method: 'POST', url: '/api/v1/graph/query', payload } as const;
    const { statusCode, ...answer } = await test.app.inject({
      ...request,
      headers: { ...(await test.headers(plan)), 'content-type': 'application/json' },
    });
    return [statusCode, answer.json().detail];
  };
  expect(await ask('business', body)).toEqual([403, 'Own statements are an Enterprise feature.']);
  expect(await ask('enterprise', body)).toEqual([400, 'Own statements need Neo4j']);
  expect((await ask('enterprise', { statement: '' }))[0]).toBe(422);
  expect((await ask('enterprise', { ...body, params: [] }))[0]).toBe(422);
  const nested = (depth: number) => `{"statement":"RETURN 1","params":{"p":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
  expect((await ask('enterprise', nested(19)))[0]).toBe(400);
  expect((await ask('enterprise', nested(100_000)))[0]).toBe(422);
});

it('waits for a statement of the account that its server goes on with after its time', async () => {
  const { ctx } = await openTestApp({ GRAPH_QUERY: '1' });
  const steps: string[] = [];
  let endInServer = () => {};
  const inServer = new Promise<void>((resolve) => {
    endInServer = resolve;
  });
  const runOwn = async (
    { statement }: { statement: string },
    _bounds: object,
    keep: (ended: Promise<void>) => void,
  ): Promise<OwnAnswer> => {
    steps.push(statement);
    if (statement === 'slow') keep(inServer);
    return { columns: [], rows: [], truncated: false };
  };
  const stores = { ...ctx, graph: { ...ctx.graph, runOwn } };
  await runOwnStatement(stores, { id: 'one' }, { statement: 'slow', params: {} });
  const next = runOwnStatement(stores, { id: 'one' }, { statement: 'next', params: {} });
  await runOwnStatement(stores, { id: 'other' }, { statement: 'other', params: {} });
  endInServer();
  await next;
  expect(steps).toEqual(['slow', 'other', 'next']);
});
