import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonBoundError, JsonReader, parseAtOnce } from '../../src/outbound/request.ts';

const BOUNDS = { valuesMax: 10_000, depthMax: 100 };

function read(text: string, bounds = BOUNDS, chunkBytes = 7): unknown {
  const reader = new JsonReader(bounds);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.write(bytes.subarray(at, at + chunkBytes));
  return reader.end();
}

describe('reading JSON in pieces', () => {
  it('gives what JSON.parse gives, wherever the pieces end', () => {
    fc.assert(
      fc.property(
        fc.json({ depthSize: 'medium' }).filter((text) => !/\\u0000|\\ud/i.test(text)),
        fc.integer({ min: 1, max: 20 }),
        (text, chunkBytes) => {
          const isLossless = !/\d{16}/.test(text);
          fc.pre(isLossless);
          expect(read(text, BOUNDS, chunkBytes)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('keeps integers of 16 digits and more exact, as text', () => {
    expect(read('[9007199254740993, -12345678901234567890, 123456789012345, 0.25]')).toEqual([
      '9007199254740993',
      '-12345678901234567890',
      123456789012345,
      0.25,
    ]);
  });

  it('marks what no store keeps in texts and names: a NUL, half a character', () => {
    expect(read('{"a\\u0000":["b\\ud83d","😀\\ud83d\\ude00\\u0001"]}')).toEqual({
      'a\ufffd': ['b\ufffd', '😀😀\u0001'],
    });
  });

  it.each(['', '{', '[1,', '{"a":1}}', '[1]2', '<html>', 'NaN', '"open', '{"a" 1}', '[1,]'])(
    'throws for %j, which is not JSON',
    (text) => {
      expect(() => read(text)).toThrow();
      expect(() => read(text)).not.toThrow(JsonBoundError);
    },
  );

  it('makes an own property of a key that names the prototype', () => {
    const value = read('{"__proto__":{"polluted":true}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });
});

describe('bounds', () => {
  it('counts keys, values, lists and objects', () => {
    expect(read('{"a":[1,true]}', { valuesMax: 5, depthMax: 2 })).toEqual({ a: [1, true] });
    expect(() => read('{"a":[1,true]}', { valuesMax: 4, depthMax: 2 })).toThrow(JsonBoundError);
  });

  it('counts levels', () => {
    expect(() => read('[[[]]]', { valuesMax: 10, depthMax: 2 })).toThrow(/deeper than 2/);
  });

  it('refuses numbers that no honest source writes', () => {
    expect(() => read(`[${'9'.repeat(401)}]`)).toThrow(JsonBoundError);
    expect(read(`[${'9'.repeat(78)}]`)).toEqual(['9'.repeat(78)]);
  });

  it('stops at the first value too many, without the rest of the document', () => {
    const reader = new JsonReader({ valuesMax: 100, depthMax: 10 });
    expect(() => reader.write(Buffer.from('[{}'.padEnd(1_000, ',{}')))).toThrow(JsonBoundError);
  });
});

describe('reading JSON at once', () => {
  const json = fc.json({ depthSize: 'medium' });
  const texts = fc.oneof(
    json,
    json.map((text) => text.slice(1)),
    fc.string(),
    fc.bigInt().map(String),
  );

  it('gives what reading in pieces gives, or leaves it to that', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const known = parseAtOnce(Buffer.from(text), BOUNDS);
        if (known !== undefined) expect(known).toEqual(read(text));
      }),
    );
  });

  it.each([
    '[9007199254740993]',
    '-9007199254740993',
    '{"a\\u0000":1}',
    '{"__proto__":{}}',
    `[${'9'.repeat(401)}]`,
    `0.${'1'.repeat(400)}`,
    '[[[[[]]]]]',
    `[${'1,'.repeat(40)}1]`,
    '<html>',
    '',
  ])('leaves %s to reading in pieces', (text) => {
    expect(parseAtOnce(Buffer.from(text), { valuesMax: 30, depthMax: 4 })).toBeUndefined();
  });

  it('reads what is short and plain', () => {
    expect(parseAtOnce(Buffer.from('[{"a":[1.5,"é1234567890123456"]}]'), BOUNDS)).toEqual([
      { a: [1.5, 'é1234567890123456'] },
    ]);
  });
});
