import { bech32, bech32m } from '@scure/base';
import { afterEach, describe, expect, it } from 'vitest';
import { openBitcoin } from '../../../src/chains/bitcoin/bitcoin.ts';
import { SourceError } from '../../../src/errors.ts';
import { type ServedUpstream, serveUpstream, type Upstream, type UpstreamReply } from '../../contract/upstream.ts';
import { type EsploraTx, esplora, hashOf, transaction, wallet } from './esplora-upstream.ts';

const SUBJECT = wallet(1);
const PAYMENT = () => transaction(7, { [wallet(2)]: 5_000 }, { [SUBJECT]: 4_000 }, 700_000);

const served: ServedUpstream[] = [];
afterEach(async () => {
  for (const server of served.splice(0)) await server.close();
});

async function open(upstream: Upstream) {
  const server = await serveUpstream(upstream);
  served.push(server);
  return { source: openBitcoin({ esploraUrl: server.url }, { pageLimit: 50 }), server };
}

/** Serves one transaction as JSON text, changed by the test. */
function serving(change: (text: string) => string): Upstream {
  const honest = esplora([PAYMENT()]);
  return async (request) => {
    const reply = await honest(request);
    const list = request.url.pathname.endsWith('/chain') || request.url.pathname.startsWith('/tx/');
    return list ? { text: change(JSON.stringify(reply.json)) } : reply;
  };
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SourceError);
  expect((error as SourceError).message).toBe('Scan failed: bitcoin data source unavailable');
  return (error as SourceError).reason;
}

describe('errors that Esplora gives as plain text', () => {
  it.each([
    [400, 'Invalid Bitcoin address'],
    [400, 'Address on invalid network'],
    [400, 'Too many history entries'],
    [404, 'endpoint does not exist'],
  ])('%i %s stands in the reason', async (status, text) => {
    const { source, server } = await open(() => ({ status, text, headers: { 'content-type': 'text/plain' } }));
    expect(await reasonOf(source.history(SUBJECT))).toBe(`esplora: HTTP ${status}: ${text}`);
    expect(server.requests).toHaveLength(1);
  });

  it('a refused hash is a fault, an unknown one is not', async () => {
    const { source } = await open(esplora([]));
    expect(await source.transaction(hashOf(1))).toBeNull();
    expect(await reasonOf(source.transaction('xyz'))).toBe('esplora: HTTP 400: Invalid hex string');
  });
});

describe('a source that lies', () => {
  it.each<[string, (text: string) => string]>([
    ['negative values', (text) => text.replace('"value":4000', '"value":-4000')],
    ['fractions of a satoshi', (text) => text.replace('"value":4000', '"value":4000.5')],
    ['infinite values', (text) => text.replace('"value":4000', '"value":1e999')],
    ['NaN', (text) => text.replace('"value":4000', '"value":NaN')],
    ['words for numbers', (text) => text.replace('"value":4000', '"value":"four thousand"')],
    ['lists for numbers', (text) => text.replace('"value":4000', '"value":[4000]')],
    ['more out than in', (text) => text.replace('"value":4000', '"value":5001')],
    ['an input that spends nothing', (text) => text.replace(/"prevout":\{[^}]*\}/, '"prevout":null')],
    ['a wrong checksum', (text) => text.replaceAll(wallet(2), `${wallet(2).slice(0, -1)}q`)],
    [
      'another network',
      (text) => text.replaceAll(wallet(2), 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy'),
    ],
    ['a prototype key as address', (text) => text.replaceAll(wallet(2), '__proto__')],
    ['a block without time', (text) => text.replace(/"block_time":\d+/, '"block_time":null')],
    ['a time before Bitcoin', (text) => text.replace(/"block_time":\d+/, '"block_time":1')],
    ['milliseconds for seconds', (text) => text.replace(/"block_time":(\d+)/, '"block_time":$1000')],
    ['no outputs', (text) => text.replace(/"vout":\[.*?\],"size"/, '"vout":[],"size"')],
    ['no inputs', (text) => text.replace(/"vin":\[.*?\],"vout"/, '"vin":[],"vout"')],
    ['a transaction id of another form', (text) => text.replaceAll(hashOf(7), `0x${hashOf(7).slice(2)}`)],
    ['a transaction of others', (text) => text.replaceAll(SUBJECT, wallet(3)).replaceAll(hashOf(7), hashOf(8))],
    ['truncated JSON', (text) => text.slice(0, -20)],
    ['an empty body', () => ''],
    ['nesting', (text) => text.replace('"version":2', `"version":${'['.repeat(200)}${']'.repeat(200)}`)],
    ['an object for a list', () => '{"length":1}'],
  ])('about %s is refused, for histories and transactions', async (_name, change) => {
    const { source } = await open(serving(change));
    await reasonOf(source.history(SUBJECT));
    await reasonOf(source.transaction(hashOf(7)));
  });

  it('about the checksum of a taproot address alone, as servers of before taproot do, is not believed', async () => {
    const program = new Uint8Array(32).fill(7);
    const [old, address] = [bech32, bech32m].map((code) => code.encode('bc', [1, ...code.toWords(program)]));
    const naming = (script: string) =>
      serving((text) =>
        text
          .replaceAll(wallet(2), old!)
          .replaceAll(`"scriptpubkey":"00"`, `"scriptpubkey":"${script}${Buffer.from(program).toString('hex')}"`),
      );
    const { source } = await open(naming('5120'));
    expect((await source.history(SUBJECT)).transfers).toMatchObject([{ from: address, to: SUBJECT }]);
    await reasonOf((await open(naming('0020'))).source.history(SUBJECT));
  });

  it('by an answer larger than any honest one is refused', async () => {
    const { source } = await open(() => ({ text: `[${' '.repeat(65 * 1024 * 1024)}]` }));
    expect(await reasonOf(source.history(SUBJECT))).toContain('larger than');
  });

  it('cannot reach the prototype through unknown fields, which are ignored', async () => {
    const extra = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"version":2';
    const { source } = await open(serving((text) => text.replace('"version":2', extra)));
    const history = await source.history(SUBJECT);
    expect(history.transfers).toHaveLength(1);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.keys(history.transfers[0]!)).not.toContain('polluted');
  });

  it.each<[string, unknown]>([
    ['another address', { address: wallet(9) }],
    ['more spent than funded', { chain_stats: { tx_count: 1, funded_txo_sum: 1, spent_txo_sum: 2 } }],
    ['a negative count', { chain_stats: { tx_count: -1, funded_txo_sum: 2, spent_txo_sum: 1 } }],
    ['no counts', { chain_stats: null }],
  ])('about %s in the summary is refused', async (_name, lie) => {
    const honest = esplora([PAYMENT()]);
    const { source } = await open(async (request) => {
      const reply = await honest(request);
      return request.url.pathname.endsWith(SUBJECT)
        ? { json: { ...(reply.json as object), ...(lie as object) } }
        : reply;
    });
    await reasonOf(source.history(SUBJECT));
  });
});

describe('a source in trouble', () => {
  const world: EsploraTx[] = Array.from({ length: 60 }, (_, i) =>
    transaction(i + 1, { [wallet(100 + i)]: 2_000 }, { [SUBJECT]: 1_000 }, 700_000 + i),
  );

  /** Answers the second page in the given way, the first `times` times it is asked. */
  function secondPage(answer: UpstreamReply, times = Number.POSITIVE_INFINITY): Upstream {
    const honest = esplora(world);
    let asked = 0;
    return (request) => (/\/chain\/./.test(request.url.pathname) && asked++ < times ? answer : honest(request));
  }

  it('that limits its rate is asked again after the pause it names, and nothing is lost or doubled', async () => {
    const limited = { status: 429, headers: { 'retry-after': '1', 'content-type': 'text/plain' }, text: 'slow down' };
    const { source, server } = await open(secondPage(limited, 1));
    const history = await source.history(SUBJECT);
    expect(new Set(history.transfers.map(({ id }) => id)).size).toBe(60);
    expect(history.coverage.complete).toBe(true);
    expect(server.requests).toHaveLength(5);
  });

  it('that breaks in the middle gives an error, never half a history', async () => {
    const { source } = await open(secondPage({ status: 400, text: 'Too many history entries' }));
    expect(await reasonOf(source.history(SUBJECT))).toContain('Too many history entries');
  });

  it('that cuts a page short gives an error, never half a history', async () => {
    const { source } = await open(secondPage({ text: '[{"txid":"00' }));
    await reasonOf(source.history(SUBJECT));
  });

  it('that does not answer ends with the caller’s deadline', async () => {
    const { source } = await open(secondPage({ hang: true }));
    const signal = AbortSignal.timeout(200);
    await expect(source.history(SUBJECT, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('that gives a transaction again on the next page does not double it', async () => {
    const honest = esplora(world);
    const { source } = await open(async (request) => {
      const reply = await honest(request);
      if (!/\/chain\/./.test(request.url.pathname)) return reply;
      const overlap = world.find((tx) => request.url.pathname.endsWith(tx.txid))!;
      return { json: [overlap, ...(reply.json as EsploraTx[]).slice(0, 24)] };
    });
    const history = await source.history(SUBJECT);
    expect(history.transfers).toHaveLength(60);
    expect(new Set(history.transfers.map(({ id }) => id)).size).toBe(60);
  });
});
