import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { openPackage, unpacked } from '../../src/proofs/check-package.ts';
import { proofsFile } from '../../src/proofs/proofs-file.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const table = bytesOf('real');
const sha256 = createHash('sha256').update(table).digest('hex');
const manifest = bytesOf(JSON.stringify({ files: [{ name: 'transactions.csv', sha256 }] }));

const zipOf = (files: Record<string, Uint8Array>) => zipSync({ 'manifest.json': manifest, ...files }, { level: 0 });
const statesOf = (given: [string, Uint8Array][]) => openPackage(given).manifest!.files;

it('a package says of each file whether it is as the manifest names it, and which it does not name', () => {
  const zip = zipOf({ 'transactions.csv': table, 'evidence.pdf': bytesOf('added') });
  expect(statesOf(unpacked('package.zip', zip))).toEqual([
    { name: 'transactions.csv', state: 'unchanged' },
    { name: 'evidence.pdf', state: 'not_listed' },
  ]);
});

it.each([
  ['the same', 'transactionz.csv'],
  ['letter case alone apart', 'TRANSACTIONz.csv'],
])('a ZIP with two files of one name is refused, %s', (_, twin) => {
  const zip = Buffer.from(zipOf({ [twin]: bytesOf('forged'), 'transactions.csv': table }));
  const renamed = Buffer.from(zip.toString('latin1').replaceAll(twin, twin.replace('z.', 's.')), 'latin1');
  expect(() => unpacked('package.zip', renamed)).toThrow('the ZIP holds transactions.csv twice');
});

it('two given files of one name are refused', () => {
  const twice: [string, Uint8Array][] = [
    ['transactions.csv', bytesOf('forged')],
    ['transactions.csv', table],
  ];
  expect(() => statesOf([['manifest.json', manifest], ...twice])).toThrow('2 files are called transactions.csv');
});

it('proofs and a time stamp that the manifest does not name are not of the package', () => {
  const proofs = bytesOf(JSON.stringify(proofsFile([], [])));
  const added: [string, Uint8Array][] = [
    ['proofs.json', proofs],
    ['manifest.tsr', bytesOf('stamp')],
  ];
  const { files, stamp } = openPackage([['manifest.json', manifest], ['transactions.csv', table], ...added]).manifest!;
  expect(files.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'transactions.csv unchanged',
    'proofs.json not_listed',
    'manifest.tsr not_listed',
  ]);
  expect(stamp).toMatchObject({ isNamed: false, answer: null });
  const digest = createHash('sha256').update(proofs).digest('hex');
  const naming = { timestamp: 'manifest.tsr', files: [{ name: 'proofs.json', sha256: digest }] };
  const named = openPackage([['manifest.json', bytesOf(JSON.stringify(naming))], ...added]).manifest!;
  expect(named.files).toEqual([{ name: 'proofs.json', state: 'unchanged' }]);
  expect(named.stamp.answer).toEqual(bytesOf('stamp'));
});
