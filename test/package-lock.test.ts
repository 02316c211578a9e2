import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  gypfile?: boolean;
  optionalDependencies?: Record<string, string>;
}

const lock: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);

/** Where Node would find `name` from the package at `path`: its own folder first, then outwards. */
const lockedFor = (path: string, name: string): Locked | undefined => {
  for (let base = path; ; base = base.slice(0, Math.max(base.lastIndexOf('/node_modules/'), 0))) {
    const found = lock.packages[`${base === '' ? '' : `${base}/`}node_modules/${name}`];
    if (found !== undefined || base === '') return found;
  }
};

// npm writes no entry for a platform's build that the registry at hand did not offer, and `npm ci` then refuses the
// whole lock everywhere.
test('the lock names every optional build, so that npm ci accepts it on each platform', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => lockedFor(path, name) === undefined),
  );
  expect(missing).toEqual([]);
});

test('every package that the registry at hand offers is locked with its integrity', () => {
  const isOurs = (path: string, { resolved }: Locked) => path === '' || resolved?.startsWith('file:src/');
  const unchecked = Object.entries(lock.packages).filter(([path, entry]) => !entry.integrity && !isOurs(path, entry));
  // Builds for other platforms are optional, and the only ones that the registry may lack.
  expect(unchecked.filter(([, { optional, os }]) => !optional || !os).map(([path]) => path)).toEqual([]);
});

// The package says it itself, but npm reads the lock alone: it would run node-gyp, which needs Python and a compiler,
// beside the binaries that the package brings. npm drops the word when it writes the lock; add it again by hand.
test('npm ci runs no compiler for the SQLite driver', () => {
  expect(lock.packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
});

// `npm sbom` refuses a tree in which a package's wish, also one of an optional peer, is not met.
test('npm writes a bill of materials of the lock', () => {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { components } = JSON.parse(execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
  expect(components.length).toBeGreaterThan(100);
});
