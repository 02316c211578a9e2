import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

const FOLDERS = ['src', 'words', 'graph-loaders', 'workers', 'reports', 'console'];
const MIGRATIONS = 'src/records/migrations';
const SMALL_LINES = 25;

interface Import {
  file: string;
  name: string;
}

interface Source {
  path: string;
  lines: number;
  exports: string[];
  imports: Import[];
  picks: number;
  /** Files of other rooms that a call hands the whole `ctx` to; a store that is handed to its room is what the room needs. */
  handed: string[];
}

type Node = { type: string } & Record<string, unknown>;

/** Counts what a reader of the code meets between files. */
export function measure() {
  const sources = FOLDERS.flatMap(filesOf).map(read);
  const importers = new Map<string, Set<string>>();
  const users = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    for (const { file, name } of imports) {
      add(importers, file, path);
      add(users, `${file} ${name}`, path);
    }
  }
  // Each step of the schema has a file of its own, which is never changed again.
  const ours = sources.filter(({ path }) => dirname(path) !== MIGRATIONS);
  const exported = ours.flatMap(({ path, exports }) => exports.map((name) => `${path} ${name}`));
  return {
    files: sources.length,
    lines: sources.reduce((sum, { lines }) => sum + lines, 0),
    folders: new Set(sources.map(({ path }) => dirname(path))).size,
    exports: exported.length,
    exportsOfOne: exported.filter((one) => users.get(one)?.size === 1).length,
    scraps: ours.filter(({ path, lines }) => lines < SMALL_LINES && importers.get(path)?.size === 1),
    smallFolders: smallFolders(sources),
    picks: sources.reduce((sum, { picks }) => sum + picks, 0),
    /** Calls that hand the whole `ctx` to another room, in those files; the root of src composes all rooms. */
    climbs: (files: readonly string[]) =>
      sources
        .filter(({ path }) => dirname(path) !== 'src' && files.includes(path))
        .flatMap(({ path, handed }) => handed.filter((to) => room(to) !== room(path))).length,
  };
}

/** Returns the files that each recipe of docs/extend.md names; parts of a name that stand for others are in brackets. */
export function recipes(): { name: string; files: string[] }[] {
  const [, ...parts] = readFileSync('docs/extend.md', 'utf8').split(/^## /m);
  return parts.map((part) => {
    const [name, ...text] = part.split('\n');
    const steps = text
      .join('\n')
      .split(/\n(?=\d\. )/)
      .slice(1);
    const named = steps.flatMap((step) => [...(step.split('\n\n')[0] as string).matchAll(/`[^`\s]*\/[^`\s]*\.\w+`/g)]);
    const paths = named.flatMap(([path]) => alternatives(path.slice(1, -1)));
    return { name: name as string, files: [...new Set(paths)] };
  });
}

/**
 * Returns each path of one like `words/{en,ja,es}/codes.ts`.
 *
 * @internal
 */
export function alternatives(path: string): string[] {
  const [whole, choices] = path.match(/\{([\w,]+)\}/) ?? [];
  return choices ? choices.split(',').flatMap((one) => alternatives(path.replace(whole as string, one))) : [path];
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function read(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const source: Source = { path, lines: text.split('\n').length - 1, exports: [], imports: [], picks: 0, handed: [] };
  const { body } = parseSync(path, text).program as unknown as { body: Node[] };
  const from = new Map<string, string>();
  for (const node of body) {
    const file = fileOf(path, node.source as { value: string } | null | undefined);
    if (node.type === 'ImportDeclaration' && file) {
      for (const { local, imported } of node.specifiers as { local: Named; imported?: Named }[]) {
        from.set(local.name, file);
        source.imports.push({ file, name: imported?.name ?? '*' });
      }
    }
    if (node.type === 'ExportNamedDeclaration') {
      const { declaration, specifiers } = node as unknown as {
        declaration: Declaration | null;
        specifiers: { exported: Named }[];
      };
      const names =
        declaration?.declarations?.map(({ id }) => id.name) ?? (declaration?.id ? [declaration.id.name] : []);
      source.exports.push(...names, ...specifiers.map(({ exported }) => exported.name));
    }
  }
  walk(body, (node) => {
    if (node.type === 'TSTypeReference' && /^(Pick|Omit)$/.test((node.typeName as Named).name ?? '')) source.picks++;
    if (node.type !== 'CallExpression') return;
    const to = from.get((node.callee as Named).name ?? '');
    if (to && (node.arguments as Node[]).some(isContext)) source.handed.push(to);
  });
  return source;
}

interface Named {
  name: string;
}
interface Declaration {
  id?: Named;
  declarations?: { id: Named }[];
}

function isContext(node: Node): boolean {
  return node.type === 'Identifier' && (node as unknown as Named).name === 'ctx';
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const child of node) walk(child, visit);
  else if (node !== null && typeof node === 'object') {
    if ('type' in node) visit(node as Node);
    for (const child of Object.values(node)) walk(child, visit);
  }
}

function fileOf(path: string, source: { value: string } | null | undefined): string | undefined {
  if (!source?.value.startsWith('.')) return undefined;
  return resolve(dirname(path), source.value).slice(process.cwd().length + 1);
}

/** Folders of three files or fewer, without a folder in them. */
function smallFolders(sources: readonly Source[]): string[] {
  const files = new Map<string, Set<string>>();
  for (const { path } of sources) add(files, dirname(path), path);
  const folders = [...files.keys()];
  return folders.filter((folder) => {
    const isParent = folders.some((other) => other.startsWith(`${folder}/`));
    return !isParent && (files.get(folder) as Set<string>).size <= 3;
  });
}

function room(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key) ?? new Set();
  map.set(key, values.add(value));
}
