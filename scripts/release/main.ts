import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCURACY } from '../../reports/sections/accuracy-results.ts';
import { RULE_SET_VERSION } from '../../src/risk/rules.ts';
import { packageVersion } from '../../src/version.ts';
import { checkAccuracy, notesOf } from './notes.ts';

/**
 * `npm run release` ends here: writes into release/ what a version is published with. Needs the registries of npm and
 * Python and a checkout without uncommitted changes. Publishing and tagging are left to the maintainer.
 */
const FOLDER = 'release';
const version = packageVersion();
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 * 1024 * 1024 });

checkAccuracy(ACCURACY.ruleSetVersion, RULE_SET_VERSION);
const notes = notesOf(readFileSync('CHANGELOG.md', 'utf8'), version);
if (run('git', 'status', '--porcelain') !== '') {
  console.error('There are uncommitted changes: commit them, so that the release is what its source archive holds.');
  process.exit(1);
}
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
writeFileSync(join(FOLDER, 'NOTES.md'), notes);

// The image is built from this archive: it holds Dockerfile, docker-compose.yml and .env.example.
const source = `traceflow-${version}`;
run('git', 'archive', `--prefix=${source}/`, `--output=${join(FOLDER, `${source}-source.tar.gz`)}`, 'HEAD');

// Installed from the tarball, the command gets the versions that were tested.
copyFileSync('package-lock.json', 'npm-shrinkwrap.json');
try {
  run('npm', 'pack', '--ignore-scripts', '--pack-destination', FOLDER);
} finally {
  rmSync('npm-shrinkwrap.json');
}
run('npm', 'pack', '--ignore-scripts', '--pack-destination', FOLDER, './clients/typescript');
run('python3', '-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', FOLDER, './clients/python');
writeFileSync(
  join(FOLDER, 'sbom.cdx.json'),
  run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'),
);

const sums = readdirSync(FOLDER).map(
  (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(FOLDER, name)))
      .digest('hex')}  ${name}\n`,
);
writeFileSync(join(FOLDER, 'SHA256SUMS'), sums.join(''));
console.log(sums.join(''));
