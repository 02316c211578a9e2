import { join } from 'node:path';
import { keyOfFile } from '../../src/data-folder/secret-box.ts';

/** How many keys each process of key-file.test.ts asks for. */
export const KEYS = 1_500;

/** A process of key-file.test.ts: asks for all keys, one after the other, and prints what it got. */
export async function run(folder: string, start: string): Promise<void> {
  const keys = Array.from({ length: KEYS }, (_, n) => {
    while (Date.now() < Number(start));
    return keyOfFile(join(folder, String(n))).toString('hex');
  });
  console.log(keys.join('\n'));
}
