import { runFirstScan } from './first-scan.ts';
import { measure, recipes } from './measures.ts';

/** `npm run joints` begins here: prints what a reader of the code meets between files, and with `--list` where. */
const { scan, exposure } = await runFirstScan();
const { files, lines, folders, exports, exportsOfOne, scraps, smallFolders, picks, climbs } = measure();
const rows: [string, string | number][] = [
  ['Named frames of a first scan, from the scan to a request to a chain', scan.frames],
  ['Files that a first scan runs', scan.files.length],
  ['Functions that a first scan runs', scan.functions],
  ['Files that an exposure runs', exposure.files.length],
  ['Calls that hand the whole `ctx` to another room, in the files of a first scan', climbs(scan.files)],
  ['Exports with one importer, in percent', ((100 * exportsOfOne) / exports).toFixed(1)],
  ['Files under 25 lines with one importer', scraps.length],
  ['Folders of three files or fewer', smallFolders.length],
  ['Uses of `Pick` and `Omit`', picks],
  ['Files', files],
  ['Folders', folders],
  ['Lines', lines],
  ...recipes().map(({ name, files }): [string, number] => [`Files that a recipe names: ${name}`, files.length]),
];
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${String(value).padStart(7)}`);
if (process.argv.includes('--list')) {
  for (const { path, lines } of scraps) console.log(`${path}: ${lines} lines, one importer`);
  for (const folder of smallFolders) console.log(`${folder}: three files or fewer`);
}
