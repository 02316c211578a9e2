import { expect, it } from 'vitest';
import { revokeKey } from '../../src/questions/account/manage-keys.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { openTestApp, type TestApp } from '../app/test-app.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const ADDRESS = '0x28c6c06298d514db089934071355e5743bf21d60';

/** What counts in each bucket, and how many of it a FREE key may send in a minute. */
const KINDS = {
  requests: { path: '/public/usage', perKey: 10 },
  presign: { path: `/public/presign/check?to=${ADDRESS}&chain=ethereum`, perKey: 40 },
  mcp: { path: '/mcp', body: PING, perKey: 10 },
} as const;
type Kind = keyof typeof KINDS;

async function listen() {
  // Limits that are late on a busy machine are counted by the process alone before signing.
  const test = await openTestApp({ PRESIGN_STORES_MS: '10000' });
  const url = `${await test.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`;
  const send = (path: string, key: string, body?: object, method = body ? 'POST' : 'GET') =>
    fetch(url + path, {
      method,
      headers: {
        'x-api-key': key,
        accept: 'application/json, text/event-stream',
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
  const ask = (kind: Kind, key: string) => {
    const { path, ...rest } = KINDS[kind];
    return send(path, key, 'body' in rest ? rest.body : undefined);
  };
  /** Few at once: a busy machine refuses more with 503. */
  const askOften = async (kind: Kind, key: string, times: number) => {
    const replies: Response[] = [];
    while (replies.length < times) {
      const some = Math.min(5, times - replies.length);
      replies.push(...(await Promise.all(Array.from({ length: some }, () => ask(kind, key)))));
    }
    return { replies, admitted: replies.filter(({ status }) => status === 200).length };
  };
  return { ...test, send, ask, askOften };
}

const newKey = ({ ctx, time }: TestApp, accountId: string) =>
  insertKey(ctx.records, { accountId, name: 'next' }, time.at);

it('gives who makes, uses and revokes keys no more than five times the plan', async () => {
  const { issue, send, time } = await listen();
  let { key, keyId: id } = await issue('free');
  let admitted = 0;
  let refused: Response | undefined;
  const note = (reply: Response) => {
    if (reply.status === 429) refused = reply;
    else admitted += 1;
    return reply;
  };
  while (!refused) {
    const uses = await Promise.all(Array.from({ length: 8 }, () => send('/public/usage', key)));
    uses.forEach(note);
    const made = note(await send('/api-keys', key, { name: 'next' }));
    if (made.status !== 201) break;
    const next = (await made.json()) as { key: string; id: string };
    note(await send(`/api-keys/${id}`, next.key, undefined, 'DELETE'));
    ({ key, id } = next);
  }
  expect(admitted).toBe(50);
  expect(await refused!.json()).toMatchObject({ detail: 'Rate limit exceeded. Max 50 requests per minute.' });
  expect(refused!.headers.get('x-ratelimit-limit')).toBe('50');
  expect(refused!.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(50);
  time.at += 60_000;
  expect((await send('/public/usage', key)).status).toBe(200);
});

it.each(Object.keys(KINDS) as Kind[])('counts %s of revoked keys for their account', async (kind) => {
  const test = await listen();
  const { perKey } = KINDS[kind];
  let { key, keyId: id, accountId } = await test.issue('free');
  let admitted = 0;
  for (let made = 0; made < 8; made++) {
    const asked = await test.askOften(kind, key, perKey + 1);
    admitted += asked.admitted;
    await revokeKey(test.ctx, { accountId, keyId: id }, id);
    ({ key, id } = await newKey(test, accountId));
  }
  expect(admitted).toBe(5 * perKey);
});

it.each(Object.keys(KINDS) as Kind[])('gives each of five keys exactly its own limit of %s', async (kind) => {
  const test = await listen();
  const { perKey } = KINDS[kind];
  const { key, accountId } = await test.issue('free');
  const keys = [key];
  while (keys.length < 5) keys.push((await newKey(test, accountId)).key);
  const other = await test.issue('free');
  const ofKeys = await Promise.all(keys.map((one) => test.askOften(kind, one, perKey + 2)));
  for (const { replies, admitted } of ofKeys) {
    expect(admitted).toBe(perKey);
    expect(new Set(replies.map(({ headers }) => headers.get('x-ratelimit-limit')))).toEqual(new Set([`${perKey}`]));
  }
  expect((await test.ask(kind, other.key)).status).toBe(200);
});

it('makes 20 keys in 24 hours and refuses more until the oldest of them is a day old', async () => {
  const { send, issue, time } = await listen();
  const { key } = await issue('enterprise');
  const make = () => send('/api-keys', key, { name: 'next' });
  for (let made = 1; made < 20; made++) {
    const { id } = (await (await make()).json()) as { id: string };
    expect((await send(`/api-keys/${id}`, key, undefined, 'DELETE')).status).toBe(200);
    time.at += 60_000;
  }
  const refused = await make();
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { detail: 'API key limit reached (20 new keys per day)' },
  ]);
  expect(refused.headers.get('retry-after')).toBe(String(24 * 3_600 - 19 * 60));
  time.at += (24 * 3_600 - 19 * 60) * 1_000 - 1;
  expect((await make()).status).toBe(429);
  time.at += 1;
  expect((await make()).status).toBe(201);
});
