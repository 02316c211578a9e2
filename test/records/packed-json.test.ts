import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packJson, unpackJson } from '../../src/records/packed-json.ts';

it('what is short is packed as the text of JSON.stringify, and all is unpacked as it was', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined))));
  const property = fc.asyncProperty(value, async (one) => {
    const packed = await packJson(one);
    expect(gunzipSync(Buffer.from(packed, 'base64')).toString()).toBe(JSON.stringify(one));
    expect(await unpackJson(packed)).toEqual(JSON.parse(JSON.stringify(one)));
  });
  await fc.assert(property, { numRuns: 200 });
});

it('lists of thousands of entries are packed whole, wherever they are', async () => {
  const entries = Array.from({ length: 12_345 }, (_, n) => ({ id: `ü${n}\n`, at: n }));
  const history = { found: true, transfers: entries, parts: [{ rows: entries.slice(0, 501) }, { rows: [] }], end: 1 };
  expect(await unpackJson(await packJson(history))).toEqual(history);
  expect(await unpackJson(await packJson(entries))).toEqual(entries);
});

it('what earlier versions packed as one text is unpacked', async () => {
  const history = { transfers: Array.from({ length: 2_000 }, (_, n) => n) };
  expect(await unpackJson(gzipSync(JSON.stringify(history)).toString('base64'))).toEqual(history);
});
