/** A scan that met more addresses keeps none of them: a change of any label may then concern it. */
const ADDRESSES_MAX = 5_000;
/** Bytes of a hash: two in a hundred million addresses are mistaken for one that the largest scan met. */
const BYTES = 6;

/** Packs the addresses that a scan met, as short hashes; null for too many. */
export function packMet(addresses: ReadonlySet<string>): string | null {
  if (addresses.size > ADDRESSES_MAX) return null;
  const packed = Buffer.alloc(addresses.size * BYTES);
  let at = 0;
  for (const address of addresses) {
    packed.writeUIntBE(hashOf(address), at, BYTES);
    at += BYTES;
  }
  return packed.toString('base64');
}

/** Unpacks them, as `hashOf` gives each. */
export function unpackMet(packed: string): ReadonlySet<number> {
  const bytes = Buffer.from(packed, 'base64');
  const hashes = new Set<number>();
  for (let at = 0; at + BYTES <= bytes.length; at += BYTES) hashes.add(bytes.readUIntBE(at, BYTES));
  return hashes;
}

/** Hashes an address to 48 bits: two runs of FNV-1a from different beginnings. Chosen addresses that collide only cost a doubt. */
export function hashOf(address: string): number {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < address.length; i++) {
    const code = address.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ (code + i), 0x85ebca6b);
  }
  return (high >>> 0) * 0x1_0000 + ((low >>> 8) & 0xffff);
}
