import { expect, it } from 'vitest';
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
