import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { alternatives, measure, recipes } from '../scripts/joints/measures.ts';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDERS = ['src', 'words', 'graph-loaders', 'workers', 'reports', 'console'];

interface File {
  path: string;
  imports: string[];
  lines: number;
}

function sources(): File[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
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
const isProject = (name: string) => /^(src|words|graph-loaders|workers|reports|console|fixtures)\//.test(name);
const isBuiltin = (name: string) => name.startsWith('node:') || builtinModules.includes(name);

/** Files whose path matches `place` and that import something matching `forbidden`. */
function offenders(place: RegExp, forbidden: (name: string, path: string) => boolean): string[] {
  return files
    .filter((file) => place.test(file.path))
    .flatMap((file) =>
      file.imports.filter((name) => forbidden(name, file.path)).map((name) => `${file.path} -> ${name}`),
    );
}

/** The same for imports of more than types. */
function valueOffenders(folder: string, forbidden: (name: string) => boolean): string[] {
  return files
    .filter(({ path }) => path.startsWith(folder))
    .flatMap(({ path }) =>
      valueImports(path)
        .filter(forbidden)
        .map((name) => `${path} -> ${name}`),
    );
}

/** The project's files that a file loads at run time. */
function valueImports(path: string): string[] {
  const statements = readFileSync(join(ROOT, path), 'utf8').matchAll(/^import (?!type)[^;]*?'(\.[^']+)';/gm);
  return [...statements].map(([, name]) => relative(ROOT, resolve(ROOT, dirname(path), name as string)));
}

/** Texts of a file that begin with a capital, have three words and end like a sentence, except of errors. */
function sentencesIn(path: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) visit(child);
    else if (node !== null && typeof node === 'object') {
      const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: { value: { raw: string } }[] };
      if (type === 'NewExpression' || type === 'ThrowStatement') return;
      const text = type === 'TemplateLiteral' ? quasis?.map((part) => part.value.raw).join('…') : value;
      if (type?.endsWith('Literal') && typeof text === 'string' && /^[A-Z…]\S* \S+ .*[.:]$/s.test(text))
        found.push(text);
      for (const child of Object.values(node)) visit(child);
    }
  };
  visit(parseSync(path, readFileSync(join(ROOT, path), 'utf8')).program);
  return found;
}

/** The floors of the picture in docs/architecture.md, the highest first. */
function drawnFloors(): string[][] {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  return [...page.matchAll(/^ {2}subgraph .*\n +(.+)\n {2}end$/gm)].map(([, rooms]) => rooms!.split(' ~~~ '));
}

/** A folder of `src` or beside it, or a file of `src` that lies in none. */
function roomOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'src' ? second.replace(/\.ts$/, '') : top;
}

/** Every file that starting one loads, and the packages that they load. */
function loadedWith(entry: string): string[] {
  const loaded = new Set<string>();
  const visit = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const name of valueImports(path)) visit(name);
    const statements = readFileSync(join(ROOT, path), 'utf8').matchAll(/^import (?!type)[^;]*?'([^.'][^']*)';/gm);
    for (const [, name] of statements) loaded.add(name!);
  };
  visit(entry);
  return [...loaded];
}

describe('the direction of dependencies', () => {
  it('lets no process load an SDK of a chain, or what stamps and signs, before it is needed', () => {
    const late = /^(ethers|xrpl|tronweb|bitcoinjs-lib|@solana\/web3\.js|pkijs|asn1js|@signpdf\/.+)$/;
    for (const entry of ['src/main.ts', 'src/cli.ts', 'workers/workers.ts', 'src/app.ts']) {
      const loaded = loadedWith(entry);
      expect(loaded.length, entry).toBeGreaterThan(10);
      expect([entry, loaded.filter((name) => late.test(name))]).toEqual([entry, []]);
    }
  });

  it('is that of the picture in docs/architecture.md: from floor to floor downwards', () => {
    const floorOf = new Map(drawnFloors().flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)));
    expect([...floorOf.keys()].sort()).toEqual([...new Set(files.map(({ path }) => roomOf(path)))].sort());
    const upwards = files.flatMap(({ path }) =>
      valueImports(path)
        .filter((name) => floorOf.get(roomOf(name))! < floorOf.get(roomOf(path))!)
        .map((name) => `${path} -> ${name}`),
    );
    expect(upwards).toEqual([]);
  });

  it('domain imports nothing of the project but itself', () => {
    expect(offenders(/^src\/domain\//, (name) => isProject(name) && !name.startsWith('src/domain/'))).toEqual([]);
  });

  it('tracing goes from answers to what they read to the replay, which asks no store', () => {
    const store = (name: string) => isProject(name) && !/^src\/(domain|risk|tracing\/engine)\//.test(name);
    expect(offenders(/^src\/tracing\/engine\//, store)).toEqual([]);
    expect(offenders(/^src\/tracing\/read\//, (name) => name.startsWith('src/tracing/answers/'))).toEqual([]);
  });

  it('domain, risk and the replay do no input or output', () => {
    const io = (name: string) => isBuiltin(name) && !['node:crypto', 'node:fs', 'node:url', 'node:path'].includes(name);
    expect(offenders(/^src\/(domain|risk|tracing\/engine)\//, io)).toEqual([]);
    // Each transfer of a history is named by a digest: the native one takes a quarter of the time.
    expect(offenders(/^src\/domain\//, (name) => isBuiltin(name) && name !== 'node:crypto')).toEqual([]);
  });

  it('risk knows the domain and the words alone', () => {
    const beyond = (name: string) => isProject(name) && !/^(words|src\/(risk|domain))\//.test(name);
    expect(offenders(/^src\/risk\//, beyond)).toEqual([]);
  });

  it('questions and tracing never import an adapter or the web', () => {
    const adapters =
      /^src\/(graph\/(grafeo|neo4j)\/|fairness\/limits\/(?!port)|chains\/(?!port)|jobs\/(?!port|in-flight)|routes\/|http\/|app)|^fastify/;
    expect(offenders(/^src\/(questions|tracing)\//, (name) => adapters.test(name))).toEqual([]);
  });

  it('routes reach the stores through questions alone', () => {
    expect(offenders(/^src\/routes\//, (name) => /^src\/(graph|chains|jobs)\/(?!port)/.test(name))).toEqual([]);
  });

  it('statements are named where the graph is read: in its own room, and where tracing reads it', () => {
    const asking = files.filter(
      ({ path }) =>
        /^(src\/(questions|routes|reports|events|tracing\/(engine|answers))|workers|reports)\//.test(path) &&
        /\b(graph|tx)\.(read|run)\b/.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    expect(asking.map(({ path }) => path)).toEqual([]);
  });

  it('routes parse addresses, and questions take canonical ones', () => {
    // An address of a case is parsed once the case was found: 404 comes before 400.
    const place = /^(?!src\/(routes\/|questions\/cases\/case-addresses\.ts))/;
    expect(offenders(place, (name) => name === 'src/questions/parse-address.ts')).toEqual([]);
  });

  it('nothing but the context names a graph adapter', () => {
    const adapters = /^src\/graph\/(grafeo\/grafeo|neo4j\/neo4j)\.ts$/;
    expect(offenders(/^(?!src\/(context|graph\/))/, (name) => adapters.test(name))).toEqual([]);
  });

  it.each([
    ['better-sqlite3', /^src\/records\//],
    ['pg', /^src\/records\//],
    ['@grafeo-db/js', /^src\/graph\//],
    ['neo4j-driver', /^src\/graph\//],
    ['ioredis', /^src\/(fairness\/limits|jobs)\//],
    ['@modelcontextprotocol/server', /^src\/routes\/mcp\.ts/],
    ['fastify', /^src\/(app\.ts|routes\/|http\/)/],
  ])('the driver %s is imported by its adapter alone', (driver, place) => {
    expect(offenders(/./, (name, path) => name === driver && !place.test(path))).toEqual([]);
  });

  it('tests open SQLite through the file that chooses the driver', () => {
    const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    const names = /(?:from|import\(|require\()\s*'better-sqlite3|new Sqlite\(/;
    expect(tests.filter((path) => names.test(readFileSync(join(ROOT, 'test', path), 'utf8')))).toEqual([]);
  });

  it('a test and a poll have no less time than all have: a busy machine is late by minutes', () => {
    const ofOthers = /waitFor\(|click\(|spawnSync\(|openSqliteFile\(/;
    const short = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .flatMap((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .map((line) => ({ file: relative(ROOT, file), line })),
      )
      .filter(({ line }) => !ofOthers.test(line))
      .flatMap(({ file, line }) => {
        const [, ms] = /(?:^\s*\}, |\btimeout: )(\d{1,2}_\d{3}|11\d_\d{3})\b/.exec(line) ?? [];
        return ms ? [`${file}: ${line.trim()}`] : [];
      });
    expect(short).toEqual([]);
  });

  it('the words take types of the service, and values of the domain alone', () => {
    expect(offenders(/^words\//, isBuiltin)).toEqual([]);
    expect(valueOffenders('words/', (name) => isProject(name) && !/^(words|src\/domain)\//.test(name))).toEqual([]);
  });

  it('the console takes types, names, rules of text, what a scene shows, how a board is written, checks of proofs, measured error rates and its own words from the service, and the service nothing from it', () => {
    const names =
      /^(src\/domain\/(amount|chain|address\/address-key|label|tx-hash|account\/rights|scene\/.+|tracing\/funds-row|text\/(formula|lines|visible)|bridges\/(far-chains|protocols))|src\/exports\/(graphml|json-canvas)|src\/proofs\/(check-package|proofs-file|timestamp)|reports\/sections\/accuracy-results|words\/.+)\.ts$/;
    // These join all languages and the texts of reports, which the page would load.
    const joins = /^words\/(words|describe|\w+\/answers)\.ts$/;
    const foreign = (name: string) => /^(src|words|reports)\//.test(name) && (!names.test(name) || joins.test(name));
    expect(valueOffenders('console/', foreign)).toEqual([]);
    expect(offenders(/^(?!console\/)/, (name) => name.startsWith('console/'))).toEqual([]);
  });

  it('reports lay out answers: the process that draws them loads no store, no chain and no question of the graph', () => {
    // The two documents of a package are loaded when one is drawn.
    const loaded = new Set(['reports/draw-process.ts', 'reports/package/evidence.ts', 'reports/package/draft.ts']);
    // Set iteration also visits entries added during the loop.
    for (const path of loaded) for (const name of valueImports(path)) if (isProject(name)) loaded.add(name);
    const stores = /^src\/(records|chains|labels|prices|jobs|operator|routes|http|graph|context)/;
    expect([...loaded].filter((path) => stores.test(path))).toEqual([]);
  });

  it('sentences for users stand in the words; texts of errors where they are thrown', () => {
    // These are English whatever the language, and made of counted parts.
    const counted = /^src\/(tracing\/answers\/(get-terminals|paths\/.+)|questions\/jobs\/start-trace)\.ts$/;
    const places = files.filter(({ path }) =>
      /^(src\/(questions|tracing|risk|domain|events|labels)|reports)\//.test(path),
    );
    const sentences = places.flatMap(({ path }) => sentencesIn(path).map((text) => `${path}: ${text}`));
    expect(sentences.filter((one) => !counted.test(one.split(': ')[0] as string))).toEqual([]);
  });

  it('only the outbound client sends requests', () => {
    expect(offenders(/^(?!src\/outbound\/)/, (name) => /^(node:)?https$/.test(name))).toEqual([]);
    const ofService = files.filter(({ path }) => !path.startsWith('console/'));
    const fetching = ofService.filter(({ path }) =>
      /(?<!cache\.)\bfetch\(/.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    expect(fetching.map(({ path }) => path)).toEqual([]);
  });

  it('only the settings read the environment', () => {
    const readers = files
      .map((file) => file.path)
      .filter((path) => /process\.env\b/.test(readFileSync(join(ROOT, path), 'utf8')));
    expect(readers).toEqual(['src/config.ts']);
  });
});

describe('the rooms', () => {
  it('no two folders import each other', () => {
    const arrows = new Set(
      files.flatMap((file) => file.imports.filter(isProject).map((name) => `${dirname(file.path)} ${dirname(name)}`)),
    );
    // `src` itself holds the composition root (context, app) beside what everything rests on (errors, plans).
    const pairs = [...arrows].filter((arrow) => {
      const [from, to] = arrow.split(' ') as [string, string];
      return from < to && from !== 'src' && arrows.has(`${to} ${from}`);
    });
    expect(pairs).toEqual([]);
  });

  it('no files import each other in a circle', () => {
    const importsOf = new Map(files.map((file) => [file.path, file.imports.filter(isProject)]));
    const finished = new Set<string>();
    const circles: string[] = [];
    const follow = (path: string, trail: string[]) => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (finished.has(path) || trail.includes(path)) return;
      for (const next of importsOf.get(path) ?? []) follow(next, [...trail, path]);
      finished.add(path);
    };
    for (const { path } of files) follow(path, []);
    expect(circles).toEqual([]);
  });

  it('the root of src holds nine files', () => {
    expect(files.filter(({ path }) => dirname(path) === 'src')).toHaveLength(9);
  });
});

describe('the size of things', () => {
  it('no source file is longer than 500 lines, a catalogue of words apart', () => {
    const code = files.filter(({ path }) => !/^words\/\w+\//.test(path));
    expect(code.filter((file) => file.lines > 500).map((file) => `${file.path}: ${file.lines}`)).toEqual([]);
  });

  it('no two types bear a name as wide as Hop, Place or Found', () => {
    const wide =
      /^(?:export )?(?:interface|type|class) (Hop|Crossing|Reading|Place|Found|Side|Party|Movement|Finding)\b/gm;
    const names = files.flatMap(({ path }) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(wide)].map(([, name]) => name),
    );
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('no file is called utils, helpers or common', () => {
    expect(files.filter((file) => /(utils?|helpers?|common)\.tsx?$/.test(file.path))).toEqual([]);
  });
});

describe('the joints', () => {
  // What `npm run joints` counts, as it stands with a little room. Lower a figure with each gain; raise none to fit new code.
  const { exports, exportsOfOne, scraps, smallFolders, picks } = measure();

  it.each([
    ['exports with one importer, in percent', (100 * exportsOfOne) / exports, 45.5],
    ['files under 25 lines with one importer', scraps.length, 6],
    ['folders of three files or fewer', smallFolders.length, 12],
    ['uses of Pick and Omit', picks, 147],
  ])('%s do not grow', (_name, counted, most) => {
    expect(counted).toBeLessThanOrEqual(most);
  });

  it('what it takes to add something does not grow', () => {
    const files = Object.fromEntries(recipes().map(({ name, files }) => [name, files.length]));
    const most = {
      'An EVM chain': 2,
      'A chain family': 12,
      'A detector': 9,
      'A label list': 2,
      'A bridge protocol': 3,
      'A language of reports': 5,
      'An endpoint': 6,
      'A page of the console': 5,
    };
    const grown = Object.entries(most).filter(([name, bound]) => !(Number(files[name]) <= bound));
    expect(grown).toEqual([]);
  });

  it('each path that a recipe names exists', () => {
    const page = readFileSync(join(ROOT, 'docs/extend.md'), 'utf8');
    const roots = 'src|words|graph-loaders|workers|reports|console|fixtures|test|docs|scripts|cypher';
    const named = [...page.matchAll(new RegExp(`\\b(?:${roots})/[\\w./{},<>-]*[\\w/>]`, 'g'))].map(([path]) => path);
    const known = named.flatMap(alternatives).filter((path) => !path.includes('<'));
    expect(known.length).toBeGreaterThan(40);
    expect(known.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('where lists have any length, none is spread into the arguments of a call', () => {
    const rooms = /^src\/(chains|domain|graph|prices|risk|tracing)\//;
    const spread = (path: string) => /\.push\(\.\.\./.test(readFileSync(join(ROOT, path), 'utf8'));
    expect(files.filter(({ path }) => rooms.test(path) && spread(path)).map(({ path }) => path)).toEqual([]);
  });

  it('one module cuts the keys of addresses, and one treats a late graph as a part that is missing', () => {
    const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
    const cutting = files.filter(({ path }) => /key\.slice\([^)]*key\.indexOf\(':'\)/.test(textOf(path)));
    expect(cutting.map(({ path }) => path)).toEqual(['src/domain/address/address-key.ts']);
    const late = files.filter(({ path }) => /instanceof GraphTimeoutError/.test(textOf(path)));
    // Beside it: the queue keeps the place of a query that runs on, and two searches name what they found before the end.
    expect(late.map(({ path }) => path).sort()).toEqual([
      'src/fairness/deadline.ts',
      'src/graph/graph-questions.ts',
      'src/tracing/answers/exposure-patterns.ts',
      'src/tracing/answers/paths/find-flow-path.ts',
    ]);
  });
});

it('a release holds every folder that the service imports', () => {
  const { files: packed } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  const imported = files
    .filter(({ path }) => !path.startsWith('console/'))
    .flatMap(({ imports }) => imports.filter((name) => /^[\w-]+\/.*\.(ts|json)$/.test(name)))
    .map((name) => `dist/${name.split('/')[0]}`);
  expect([...new Set(imported)].filter((folder) => !packed.includes(folder))).toEqual([]);
});
