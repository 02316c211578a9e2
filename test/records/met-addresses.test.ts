import { expect, it } from 'vitest';
import { hashOf, packMet, unpackMet } from '../../src/records/scans/scans.ts';

const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `0x${prefix}${i.toString(16).padStart(36, '0')}`);

it('keeps what a scan met in six bytes an address, and takes no other for it', () => {
  const met = named('aa', 5_000);
  const packed = packMet(new Set(met))!;
  expect(packed.length).toBe((5_000 * 6 * 4) / 3);
  const known = unpackMet(packed);
  expect(met.every((address) => known.has(hashOf(address)))).toBe(true);
  expect(named('bb', 50_000).filter((address) => known.has(hashOf(address)))).toEqual([]);
  expect(packMet(new Set([...met, 'one more']))).toBeNull();
});
