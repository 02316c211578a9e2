import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDERS = ['src', 'graph-loaders', 'workers', 'reports'];

interface File {
  path: string;
  imports: string[];
  lines: number;
}

function sources(): File[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name)),
  ).map((file) => {
    const text = readFileSync(file, 'utf8');
    const imports = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name as string);
    return {
      path: relative(ROOT, file),
      imports: imports.map((name) => (name.startsWith('.') ? relative(ROOT, resolve(dirname(file), name)) : name)),
      lines: text.split('\n').length,
    };
  });
}

function foldersThatExist(): void {
  for (const folder of [...FOLDERS]) {
    try {
      readdirSync(join(ROOT, folder));
    } catch {
      FOLDERS.splice(FOLDERS.indexOf(folder), 1);
    }
  }
}

foldersThatExist();
const files = sources();
const isProject = (name: string) => /^(src|graph-loaders|workers|reports|fixtures)\//.test(name);
const isBuiltin = (name: string) => name.startsWith('node:') || builtinModules.includes(name);

/** Files whose path matches `place` and that import something matching `forbidden`. */
function offenders(place: RegExp, forbidden: (name: string, path: string) => boolean): string[] {
  return files
    .filter((file) => place.test(file.path))
    .flatMap((file) =>
      file.imports.filter((name) => forbidden(name, file.path)).map((name) => `${file.path} -> ${name}`),
    );
}

describe('the direction of dependencies', () => {
  it('domain imports nothing of the project but itself', () => {
    expect(offenders(/^src\/domain\//, (name) => isProject(name) && !name.startsWith('src/domain/'))).toEqual([]);
  });

  it('domain and risk do no input or output', () => {
    const io = (name: string) => isBuiltin(name) && !['node:crypto', 'node:fs', 'node:url', 'node:path'].includes(name);
    expect(offenders(/^src\/(domain|risk)\//, io)).toEqual([]);
    expect(offenders(/^src\/domain\//, isBuiltin)).toEqual([]);
  });

  it('risk knows the domain alone', () => {
    const beyond = (name: string) => isProject(name) && !/^src\/(risk|domain)\//.test(name);
    expect(offenders(/^src\/risk\//, beyond)).toEqual([]);
  });

  it('questions never import an adapter or the web', () => {
    const adapters =
      /^src\/(graph\/(grafeo|neo4j)|(limits|account-changes)\/(?!port)|chains\/(?!port)|jobs\/(?!port)|routes\/|app)|^fastify/;
    expect(offenders(/^src\/questions\//, (name) => adapters.test(name))).toEqual([]);
  });

  it('routes reach the stores through questions alone', () => {
    expect(offenders(/^src\/routes\//, (name) => /^src\/(graph|chains|jobs)\/(?!port)/.test(name))).toEqual([]);
  });

  it('nothing but the context names a graph adapter', () => {
    expect(offenders(/^(?!src\/(context|graph\/))/, (name) => /^src\/graph\/(grafeo|neo4j)\.ts$/.test(name))).toEqual(
      [],
    );
  });

  it.each([
    ['better-sqlite3', /^src\/records\//],
    ['pg', /^src\/records\//],
    ['@grafeo-db/js', /^src\/graph\//],
    ['neo4j-driver', /^src\/graph\//],
    ['ethers', /^src\/chains\//],
    ['xrpl', /^src\/chains\//],
    ['bitcoinjs-lib', /^src\/chains\//],
    ['ioredis', /^src\/(limits|account-changes|jobs)\//],
    ['fastify', /^src\/(app|auth|routes\/.*|http\/.*)(\.ts)?/],
  ])('the driver %s is imported by its adapter alone', (driver, place) => {
    expect(offenders(/./, (name, path) => name === driver && !place.test(path))).toEqual([]);
  });

  it('only the settings read the environment', () => {
    const readers = files
      .map((file) => file.path)
      .filter((path) => /process\.env\b/.test(readFileSync(join(ROOT, path), 'utf8')));
    expect(readers).toEqual(['src/config.ts']);
  });
});

describe('the size of things', () => {
  it('no source file is longer than 300 lines', () => {
    expect(files.filter((file) => file.lines > 300).map((file) => `${file.path}: ${file.lines}`)).toEqual([]);
  });

  it('no file is called utils, helpers or common', () => {
    expect(files.filter((file) => /(utils?|helpers?|common)\.ts$/.test(file.path))).toEqual([]);
  });
});
