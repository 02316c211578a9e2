import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packJson, unpackJson } from '../../src/records/database/packed-json.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

it('what is packed holds the text of JSON.stringify, and is unpacked as it was', async () => {
  console.log(`seed ${seed} (SEED=${seed} repeats it)`);
  const value = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined))));
  const property = fc.asyncProperty(value, async (one) => {
    const packed = await packJson(one);
    expect(gunzipSync(Buffer.from(packed, 'base64')).toString()).toBe(JSON.stringify(one));
    expect(await unpackJson(packed)).toEqual(JSON.parse(JSON.stringify(one)));
  });
  await fc.assert(property, { seed, numRuns: 200 });
});

it('a list of thousands of entries is packed whole', async () => {
  const history = { found: true, transfers: Array.from({ length: 12_345 }, (_, n) => ({ id: `ü${n}`, at: n })) };
  expect(await unpackJson(await packJson(history))).toEqual(history);
});
