import { truncate } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { findInput, readWhole } from '../../../graph-loaders/reading/input.ts';
import { fileOf } from '../loading.ts';

interface TarEntry {
  name: string;
  kind?: string;
  text?: string;
  size?: string;
}

/** The entries as a tar archive, without the blocks of zeros that end it. */
function entriesOfTar(entries: TarEntry[]): Buffer {
  const blocks = entries.map(({ name, kind = '0', text = '', size }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write(size ?? Buffer.byteLength(text).toString(8).padStart(11, '0'), 124);
    header.write(kind, 156);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
    body.write(text);
    return Buffer.concat([header, body]);
  });
  return Buffer.concat(blocks);
}

const END = Buffer.alloc(1_024);
const tarOf = (...entries: TarEntry[]) => Buffer.concat([entriesOfTar(entries), END]);
const isCsv = (name: string) => name.endsWith('.csv');

it('an archive of tar gives the files within it under their own names, and names the others and its links', async () => {
  const long = `${'deep/'.repeat(30)}long.csv`;
  const tar = tarOf(
    { name: 'lists/', kind: '5' },
    { name: 'lists/a.csv', text: 'x\n1\n' },
    { name: 'lists/b.txt', text: 'no list' },
    { name: 'lists/passwd.csv', kind: '2' },
    { name: '../../etc/cron.csv', text: 'x\n2\n' },
    { name: 'lists/.hidden.csv', text: 'x\n3\n' },
    { name: 'x', kind: 'x', text: `${String(long.length + 9).padStart(3)} path=${long}\n`.trimStart() },
    { name: 'cut', text: 'x\n4\n' },
  );
  for (const [name, bytes] of [
    ['l.tar', tar],
    ['l.tgz', gzipSync(tar)],
  ] as const) {
    const { files, others } = await findInput(fileOf(name, bytes), isCsv);
    expect(files.map((file) => file.name)).toEqual([long, 'lists/a.csv']);
    expect(await readWhole(files[1]!, 100)).toBe('x\n1\n');
    expect(others.sort()).toEqual(['lists/b.txt', 'lists/passwd.csv']);
  }
});

it('an archive of tar that was cut, or whose sizes lie, is refused whole', async () => {
  const a = { name: 'a.csv', text: 'x\n1\n' };
  const b = { name: 'b.csv', text: 'x\n2\n' };
  const hostile: [Buffer, RegExp][] = [
    [entriesOfTar([a]), /damaged/],
    [tarOf(a, b).subarray(0, 1_024 + 300), /damaged/],
    [tarOf({ ...a, size: '77777777777' }), /damaged/],
    [tarOf({ ...a, size: '-0000000001' }), /damaged/],
    [tarOf({ ...a, size: 'zzz' }), /damaged/],
    [Buffer.from('<html>'.repeat(200)), /damaged/],
    [END, /holds no file/],
    [Buffer.alloc(0), /damaged/],
    [gzipSync(tarOf(a, b)).subarray(0, 40), /damaged/],
    [gzipSync(Buffer.alloc(65 * 2 ** 20)), /more than 64 MiB unpacked/],
  ];
  for (const [bytes, says] of hostile) {
    await expect(findInput(fileOf('l.tar', bytes), isCsv)).rejects.toThrow(says);
  }
});

it.each(['l.tar', 'l.zip'])(
  'an archive that is larger than what is unpacked is refused before it is read: %s',
  async (name) => {
    const file = fileOf(name, Buffer.from('PK\u0003\u0004'));
    // Without bytes on the disk.
    await truncate(file, 512 * 2 ** 20 + 1);
    await expect(findInput(file, isCsv)).rejects.toThrow(
      `${name}: more than 512 MiB unpacked; unpack it and load the folder`,
    );
  },
);

it('an archive of a hundred thousand files is refused by their number', async () => {
  const entry = entriesOfTar([{ name: 'a.csv', text: '' }]);
  const tar = Buffer.concat([...Array<Buffer>(100_000).fill(entry), END]);
  await expect(findInput(fileOf('l.tar', tar), isCsv)).rejects.toThrow(/More than \d+ files/);
});
