import { expect, it } from 'vitest';
import { readZip, writeZip } from '../../src/exports/zip.ts';

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

it('unpacks nothing of what says that it is too large, and no more than the bounds of what says less', async () => {
  const zeros = await writeZip({ 'a.csv': new Uint8Array(3_000), 'b.csv': new Uint8Array(3_000) });
  const read = (zipped: Buffer, bytesMax: number) => readZip(zipped, () => true, { bytesMax, entriesMax: 2 });
  const directory = zeros.indexOf('PK\x01\x02', 0, 'latin1');
  const stating = (size: number) => {
    const other = Buffer.from(zeros);
    other.writeUInt32LE(size, directory + 24);
    return other;
  };
  for (const zipped of [zeros, stating(100)]) {
    expect((await read(zipped, 6_000)).entries.map(({ bytes }) => bytes.length)).toEqual([3_000, 3_000]);
    await expect(read(zipped, 5_999)).rejects.toMatchObject({ problem: 'too_large' });
  }
  await expect(read(stating(3_001), 6_000)).rejects.toMatchObject({ problem: 'too_large' });
});
