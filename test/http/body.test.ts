import { expect, it } from 'vitest';
import { addProbes, openTestApp } from '../app/test-app.ts';

const URL = '/probe/shape/11111111-1111-4111-8111-111111111111';

async function openProbe() {
  const test = await openTestApp();
  await addProbes(test);
  const headers = { ...(await test.headers('enterprise')), 'content-type': 'application/json' };
  return async (payload: string) => {
    const answer = await test.app.inject({ method: 'POST', url: URL, headers, payload });
    return { status: answer.statusCode, issue: answer.json().detail?.[0] };
  };
}

const body = (value: string) => `{"name":"abc","more":${value}}`;
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const list = (items: number) => `[${'1,'.repeat(items - 1)}1]`;

it('takes JSON up to its bounds, and texts that look like more', async () => {
  const send = await openProbe();
  const bulky = `[${Array(30).fill(list(5_000)).join()}]`;
  for (const value of [lists(63), bulky, JSON.stringify('[{,:"\\'.repeat(100_000))]) {
    expect(await send(body(value))).toEqual({ status: 200, issue: undefined });
  }
});

it('refuses JSON of more levels, names and values than any schema has before anything is made of it', async () => {
  const send = await openProbe();
  const msg = 'JSON should have at most 64 levels and 200000 names and values';
  const endless = ['['.repeat(1_000_000), '{"a":'.repeat(200_000)];
  const crowds = [list(200_000), `[${Array(300_000).fill('{}').join()}]`].map(body);
  for (const payload of [body(lists(64)), `{"name":"\\\\","more":${lists(64)}}`, ...endless, ...crowds]) {
    expect(await send(payload)).toEqual({ status: 422, issue: { type: 'json_invalid', loc: ['body'], msg } });
  }
});
