import { expect, it } from 'vitest';
import { writeZip } from '../../src/exports/zip.ts';

it('packs files that whoever unpacks them on Unix can read', async () => {
  const zipped = await writeZip({ 'a.txt': 'one', 'b/c.bin': new Uint8Array(100_000), 'empty.csv': '' });
  const modes: number[] = [];
  for (
    let at = zipped.indexOf('PK\x01\x02', 0, 'latin1');
    at !== -1;
    at = zipped.indexOf('PK\x01\x02', at + 4, 'latin1')
  ) {
    expect(zipped[at + 5], 'made on Unix').toBe(3);
    modes.push(zipped.readUInt32LE(at + 38) >>> 16);
  }
  expect(modes).toEqual([0o100644, 0o100644, 0o100644]);
});
