import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { GraphError, InvalidInputError, PipelineError, SourceError, UnavailableError } from '../../../src/errors.ts';
import { addProbes, openTestApp, shareTestApp, type TestApp } from '../../app/test-app.ts';

const ID = '11111111-1111-1111-1111-111111111111';

async function post(test: TestApp, url: string, payload: unknown, type = 'application/json') {
  return test.app.inject({
    method: 'POST',
    url,
    headers: { ...(await test.headers()), ...(type ? { 'content-type': type } : {}) },
    payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
  });
}

describe('422 bodies', () => {
  const test = shareTestApp({ fill: addProbes });

  it.each([
    [{}, 'missing', ['name'], 'Field required'],
    [{ name: null }, 'string_type', ['name'], 'Input should be a valid string'],
    [{ name: 7 }, 'string_type', ['name'], 'Input should be a valid string'],
    [{ name: 'a' }, 'string_too_short', ['name'], 'String should have at least 2 characters'],
    [{ name: 'abcdef' }, 'string_too_long', ['name'], 'String should have at most 5 characters'],
    [{ name: 'abc', kind: 'z' }, 'enum', ['kind'], "Input should be 'a', 'b' or 'c'"],
    [{ name: 'abc', kind: 1 }, 'enum', ['kind'], "Input should be 'a', 'b' or 'c'"],
    [{ name: 'abc', count: '5' }, 'int_type', ['count'], 'Input should be a valid integer'],
    [
      { name: 'abc', count: 1.5 },
      'int_from_float',
      ['count'],
      'Input should be a valid integer, got a number with a fractional part',
    ],
    [{ name: 'abc', count: 0 }, 'greater_than_equal', ['count'], 'Input should be greater than or equal to 1'],
    [{ name: 'abc', count: 10 }, 'less_than_equal', ['count'], 'Input should be less than or equal to 9'],
    [{ name: 'abc', ratio: 0 }, 'greater_than', ['ratio'], 'Input should be greater than 0'],
    [{ name: 'abc', ratio: 1 }, 'less_than', ['ratio'], 'Input should be less than 1'],
    [{ name: 'abc', ratio: 'x' }, 'float_type', ['ratio'], 'Input should be a valid number'],
    [{ name: 'abc', on: 1 }, 'bool_type', ['on'], 'Input should be a valid boolean'],
    [
      { name: 'abc', at: '2026-02-30T00:00:00Z' },
      'datetime_parsing',
      ['at'],
      'Input should be a valid ISO 8601 datetime',
    ],
    [{ name: 'abc', ref: 'x' }, 'uuid_parsing', ['ref'], 'Input should be a valid UUID'],
    [{ name: 'abc', list: 'x' }, 'list_type', ['list'], 'Input should be a valid list'],
    [{ name: 'abc', list: [] }, 'too_short', ['list'], 'List should have at least 1 item'],
    [{ name: 'abc', list: ['a', 'b', 'c'] }, 'too_long', ['list'], 'List should have at most 2 items'],
    [
      { name: 'abc', nested: [] },
      'model_attributes_type',
      ['nested'],
      'Input should be a valid dictionary or object to extract fields from',
    ],
    [{ name: 'abc', nested: { list: [{ x: 1 }, {}] } }, 'missing', ['nested', 'list', 1, 'x'], 'Field required'],
    [{ name: 'abc', either: {} }, 'missing', ['either', 'address'], 'Field required'],
  ])('for %j say %s', async (payload, type, path, msg) => {
    const answer = await post(test, `/probe/shape/${ID}`, payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toContainEqual({ type, loc: ['body', ...path], msg });
  });

  it('name query and path parameters by where they stand, and report all of one part', async () => {
    const detail = async (url: string, payload: unknown) => (await post(test, url, payload)).json().detail;
    expect(await detail('/probe/shape/7', { name: 'abc' })).toEqual([
      { type: 'uuid_parsing', loc: ['path', 'id'], msg: 'Input should be a valid UUID' },
    ]);
    for (const text of ['x', '', '1.5', '1e1', '0x10', '٣']) {
      expect(await detail(`/probe/shape/${ID}?limit=${encodeURIComponent(text)}`, { name: 'abc' })).toEqual([
        {
          type: 'int_parsing',
          loc: ['query', 'limit'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
        },
      ]);
    }
    expect(await detail(`/probe/shape/${ID}?limit=101`, { name: 'abc' })).toEqual([
      { type: 'less_than_equal', loc: ['query', 'limit'], msg: 'Input should be less than or equal to 100' },
    ]);
    expect(await detail(`/probe/shape/${ID}?limit=-1`, { name: 'abc' })).toEqual([
      { type: 'greater_than_equal', loc: ['query', 'limit'], msg: 'Input should be greater than or equal to 1' },
    ]);
    expect(await detail(`/probe/shape/${ID}`, { name: 1, kind: 2 })).toHaveLength(2);
    expect(await detail(`/probe/shape/${ID}?limit=1&limit=1`, { name: 'abc' })).toMatchObject([
      { loc: ['query', 'limit'], msg: 'Input should be given once' },
    ]);
  });

  it('accept what fits, with the default for what is left out, and unknown fields', async () => {
    const plain = await post(test, `/probe/shape/${ID}`, { name: 'abc', extra: 1 });
    expect(plain.json()).toEqual({ id: ID, limit: 20, name: 'abc' });
    const signed = await post(test, `/probe/shape/${ID}?limit=%2B7&other=1&other=2`, { name: 'abc' });
    expect(signed.json()).toMatchObject({ limit: 7 });
    const vendor = await post(test, `/probe/shape/${ID}`, { name: 'abc' }, 'application/vnd.x+json; charset=utf-8');
    expect(vendor.statusCode).toBe(200);
  });

  it.each([
    ['{"name":', 'application/json', 'json_invalid'],
    ['nonsense', 'application/json', 'json_invalid'],
    [Buffer.from([0x22, 0xff, 0x22]), 'application/json', 'json_invalid'],
    ['['.repeat(500_000), 'application/json', 'json_invalid'],
    ['', 'application/json', 'missing'],
    ['', '', 'missing'],
    ['null', 'application/json', 'missing'],
    ['[]', 'application/json', 'model_attributes_type'],
    ['"text"', 'application/json', 'model_attributes_type'],
    ['name=abc', 'application/x-www-form-urlencoded', 'content_type'],
    ['{"name":"abc"}', 'text/plain', 'content_type'],
    ['{"name":"abc"}', '', 'content_type'],
    ['{"name":"abc"}', 'nonsense', 'content_type'],
    ['{"name":"abc"}', 'application/jsonp', 'content_type'],
  ])('stand for a body that is none, case %#', async (payload, contentType, type) => {
    const answer = await post(test, `/probe/shape/${ID}`, payload, contentType);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([{ type, loc: ['body'], msg: expect.any(String) }]);
  });

  it('name an encoding that is not read', async () => {
    const headers = { ...(await test.headers()), 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const payload = gzipSync('{"name":"abc"}');
    const answer = await test.app.inject({ method: 'POST', url: `/probe/shape/${ID}`, headers, payload });
    expect([answer.statusCode, answer.json().detail[0].type]).toEqual([422, 'content_encoding']);
  });

  it('cannot be used to change the prototype of anything', async () => {
    const answer = await post(test, `/probe/shape/${ID}?__proto__=1`, '{"name":"abc","__proto__":{"polluted":1}}');
    expect(answer.json()).toEqual({ id: ID, limit: 20, name: 'abc' });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('5xx answers', () => {
  it('say what the contract says, and only the log holds the cause', async () => {
    const test = await openTestApp();
    const cause = new Error('password of the database: hunter2');
    await addProbes(test, {
      source: new SourceError('tron', 'rpc: HTTP 502', { cause }),
      pipeline: new PipelineError('Scan timed out. Use the asynchronous endpoint.', { cause }),
      graph: new GraphError({ cause }),
      busy: new UnavailableError('Service is overloaded', 3),
      bug: new TypeError('x is not a function at /home/secret.ts', { cause }),
      status: Object.assign(new Error('driver says 418'), { status: 418, statusCode: 777 }),
    });
    const ask = async (what: string) => {
      const answer = await post(test, `/probe/throw/${what}`, {});
      return [answer.statusCode, answer.json()];
    };
    expect(await ask('source')).toMatchObject([500, { detail: 'Scan failed: tron data source unavailable' }]);
    expect(await ask('pipeline')).toMatchObject([500, { detail: 'Scan timed out. Use the asynchronous endpoint.' }]);
    expect(await ask('graph')).toMatchObject([500, { detail: 'Graph query failed' }]);
    expect(await ask('bug')).toMatchObject([500, { detail: 'Internal server error' }]);
    expect(await ask('status')).toMatchObject([500, { detail: 'Internal server error' }]);
    const busy = await post(test, '/probe/throw/busy', {});
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([503, '3']);
    expect(test.logged()).toContain('hunter2');
    expect(test.logged()).toContain('rpc: HTTP 502');
  });

  it('are logged over the network too, where the body of the request is read and done with', async () => {
    const test = await openTestApp();
    await addProbes(test, { bug: new TypeError('a bug') });
    const url = await test.app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { ...(await test.headers()), 'content-type': 'application/json' };
    const answer = await fetch(`${url}/probe/throw/bug`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(500);
    expect(test.logged()).toContain('a bug');
  });

  it('and a 400 that a source caused log why, with the id of the request; other refusals are not logged', async () => {
    const test = await openTestApp();
    const cause = new SourceError('tron', 'api: HTTP 429');
    await addProbes(test, {
      query: new InvalidInputError('Query failed: tron data source unavailable', { cause }),
      input: new InvalidInputError('Address is required'),
    });
    const answer = await post(test, '/probe/throw/query', {});
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { detail: 'Query failed: tron data source unavailable' },
    ]);
    expect((await post(test, '/probe/throw/input', {})).statusCode).toBe(400);
    const causes = test
      .logged()
      .split('\n')
      .filter((line) => line.includes('"err"'));
    expect(causes).toHaveLength(1);
    expect(JSON.parse(causes[0]!)).toMatchObject({
      request_id: answer.headers['x-request-id'],
      err: { chain: 'tron', reason: 'api: HTTP 429' },
    });
  });
});
