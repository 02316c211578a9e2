import { createHash } from 'node:crypto';

/** Space of the names that this product makes ids of. */
const NAMESPACE = Buffer.from('6d1c8a52f3b94b0f9a7e2c5d41e08f63', 'hex');

/** The id of a name, always the same: a UUID of version 5. */
export function uuid5(...name: string[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(name.join('\n')).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
