import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Category } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { openNeo4j } from '../../src/graph/neo4j/neo4j.ts';
import type { Graph } from '../../src/graph/port.ts';
import { graphStats } from '../../src/graph/queries/stats.ts';
import { exportFiles, importArguments } from '../../src/operator/export-files.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { startNeo4j } from '../servers/neo4j.ts';
import { ServiceMissing } from '../servers/service.ts';
import { seed } from '../setup/seed.ts';
import { tracing } from '../tracing/money.ts';
import { build, contents, nodeLabel, transfer, type World } from './world.ts';

/** Texts that CSV, a list or a shell could take apart. */
const AWKWARD = [
  'plain',
  '',
  'a,b',
  'say "no"',
  'two\nlines',
  "it's; a|b",
  ' edges ',
  '€漢字',
  '\\',
  'a\\"b',
  'null',
  '-',
];

/** A random graph with money, owners and labels of every awkward kind. */
function randomWorld(): World {
  let state = seed;
  const draw = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const text = () => AWKWARD[draw(AWKWARD.length)]!;
  const transfers = Array.from({ length: 400 }, (_, nth): Transfer => {
    const given = {
      from: `n${draw(40)}`,
      to: `n${draw(40)}`,
      usd: draw(5) === 0 ? null : draw(100_000) / 8,
      at: draw(10_000),
    };
    const large = {
      amount: '340282366920938463463374607431768211456.000000000000000001',
      amountRaw: `1${'0'.repeat(40)}`,
    };
    return transfer(
      { ...given, ...(draw(4) === 0 ? large : {}), asset: text() || 'TOK', method: text(), position: draw(3) },
      nth,
    );
  });
  const categories: (Category | null)[] = ['mixer', 'exchange', 'dex_router', 'other', null];
  const labels = Object.fromEntries(
    Array.from({ length: 12 }, () => {
      const category = categories[draw(categories.length)]!;
      return [`n${draw(40)}`, nodeLabel({ category, label: text(), label_source: text(), entity_id: text() || null })];
    }),
  );
  return { transfers, labels, scanned: [{ address: 'n1', at: 77, complete: false }] };
}

async function grafeo(): Promise<Graph> {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  return graph;
}

function newFolder(): string {
  return join(mkdtempSync(join(tmpdir(), 'traceflow-export-')), "an analyst's files");
}

describe('graph export', () => {
  it('counts what it wrote and prints one command that names every file', async () => {
    const graph = await grafeo();
    await build(graph, randomWorld());
    const folder = newFolder();
    const report = await exportFiles(graph, folder);
    const { addresses, transfers, flows, bridged, entities } = await graphStats(graph);
    expect(report).toMatchObject({ folder, addresses, transfers, flows, bridged, entities });
    const files = readdirSync(folder);
    expect(files).toHaveLength(13);
    for (const file of files.filter((name) => name.endsWith('.csv'))) expect(report.command).toContain(file);
    expect(report.command.split('\n')).toHaveLength(1);
    expect(readFileSync(join(folder, 'README.txt'), 'utf8')).toContain(report.command);
    // Neo4j Browser colours by label.
    // A label may hold the end of a line.
    const nodes = readFileSync(join(folder, 'addresses.csv'), 'utf8').split(/\n(?=ethereum:)/);
    expect(nodes.filter((line) => line.includes('Scanned'))).toEqual([expect.stringContaining('ethereum:n1,')]);
  });

  it('writes an empty graph as files without rows', async () => {
    const folder = newFolder();
    const report = await exportFiles(await grafeo(), folder);
    expect(report).toMatchObject({ addresses: 0, transfers: 0, flows: 0, entities: 0 });
    expect(readFileSync(join(folder, 'transfers.csv'), 'utf8')).toBe('');
    expect(readFileSync(join(folder, 'transfers-header.csv'), 'utf8')).toMatch(
      /^:START_ID\(Address\),:END_ID\(Address\),id,/,
    );
  });

  it('leaves a folder alone that is not empty', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'traceflow-export-'));
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    await expect(exportFiles(await grafeo(), folder)).rejects.toThrow('is not empty');
    expect(readdirSync(folder)).toEqual(['mine.txt']);
  });

  it('refuses to call an export whole when the graph changed meanwhile, and leaves the folder free for the next', async () => {
    const graph = await grafeo();
    await build(graph, randomWorld());
    let pages = 0;
    const disturbed: Graph = {
      ...graph,
      transact: async (work) => {
        const result = await graph.transact(work);
        if (pages++ === 0) await ingestTransfers(graph, [transfer({ from: 'new', to: 'newer' }, 9_999)]);
        return result;
      },
    };
    const folder = newFolder();
    await expect(exportFiles(disturbed, folder)).rejects.toThrow('The graph changed during the export');
    expect((await exportFiles(graph, folder)).folder).toBe(folder);
  });

  it('a real Neo4j imports it: the same contents, labels and answers', { timeout: 600_000 }, async (ctx) => {
    if (process.env.TRACEFLOW_TEST_SERVERS === '0') return ctx.skip('TRACEFLOW_TEST_SERVERS=0');
    const graph = await grafeo();
    await build(graph, randomWorld());
    const folder = newFolder();
    await exportFiles(graph, folder);
    const imported = await openImported(folder).catch((error: Error) => {
      if (!(error instanceof ServiceMissing) || process.env.CI) throw error;
      return error.message;
    });
    if (typeof imported === 'string') return ctx.skip(imported);
    expect(await contents(imported), `seed ${seed}`).toEqual(await contents(graph));
    expect(await graphStats(imported)).toEqual({ ...(await graphStats(graph)), engine: 'neo4j' });
    for (const address of ['n1', 'n2', 'n3', 'n4']) {
      // The first questions of a new server are slow.
      const request = {
        chain: 'ethereum',
        address,
        maxHops: 3,
        limit: 200,
      } as const;
      const [ours, theirs] = [tracing(graph), tracing(imported)];
      expect(await getExposure(theirs, request)).toEqual(await getExposure(ours, request));
    }
    // What was exported goes on as a graph of the service: a repetition adds nothing.
    expect(await ingestTransfers(imported, (randomWorld().transfers ?? []).map(transfer))).toEqual({
      transfers: 0,
      conflicts: 0,
    });
    const again = newFolder();
    await exportFiles(imported, again);
    expect(sortedLines(again)).toEqual(sortedLines(folder));
  });
});

async function openImported(folder: string): Promise<Graph> {
  const server = await startNeo4j({ admin: importArguments(folder, { isMultiline: true }), isShortLived: true });
  const { NEO4J_URI: uri = '', NEO4J_USER: user = '', NEO4J_PASSWORD: password = '' } = server.settings;
  const graph = await openNeo4j({ uri, user, password });
  onTestFinished(async () => {
    await graph.close();
    await server.stop();
  });
  return graph;
}

/** What the data files hold, whatever the order. */
function sortedLines(folder: string): Record<string, string[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8').split('\n').sort()]));
}
