import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCluster, keepClusters } from '../../src/graph/imported-clusters.ts';
import { isDuckDbMissing } from './world.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clusters-'));
});
afterEach(() => rm(folder, { recursive: true }));

const AT = Date.UTC(2026, 4, 3, 12);
const load = async (name: string, text: string) => {
  const input = join(folder, name);
  await writeFile(input, text);
  return keepClusters(folder, { chain: 'bitcoin', input, source: name, at: AT });
};
/** Writes the rows of a query as Parquet. */
const parquet = async (name: string, query: string) => {
  // By a name: types do not need the optional package.
  const duckDb: string = '@duckdb/node-api';
  const { DuckDBInstance } = await import(duckDb);
  const input = join(folder, name);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`COPY (${query}) TO '${input.replaceAll("'", "''")}' (FORMAT parquet)`);
  connection.closeSync();
  return input;
};
const [a, b, c] = ['bc1qaaa', '1Bbb', '3Ccc'];

describe('clusters that others computed (DuckDB)', () => {
  it('are none before a load', async () => {
    expect(await findCluster(folder, 'bitcoin', a!)).toBeNull();
  });

  it.skipIf(isDuckDbMissing)(
    'name the members of an address, with source and day, and a later file takes their place',
    async () => {
      const text = `address,cluster_id\nBC1QAAA,7\n${b},7\n${c},8\n,9\n1Two,8\n1Two,7\n`;
      expect(await load('first.csv', text)).toEqual({ read: 6, loaded: 3, skipped: 3 });
      const found = await findCluster(folder, 'bitcoin', a!);
      expect(found).toEqual({
        ...{ basis: 'imported', source: 'first.csv', day: '2026-05-03', cluster: '7', size: 2 },
        members: [b, a],
      });
      // The file contradicts itself: the address is in no cluster.
      expect(await findCluster(folder, 'bitcoin', '1Two')).toMatchObject({ cluster: null, size: 0, members: [] });
      expect(await findCluster(folder, 'ethereum', a!)).toBeNull();

      await load('second.csv', `cluster,address\nx,${c}\n`);
      expect(await findCluster(folder, 'bitcoin', a!)).toMatchObject({ source: 'second.csv', cluster: null });
      expect(await findCluster(folder, 'bitcoin', c!)).toMatchObject({ cluster: 'x', members: [c] });
      expect((await readdir(join(folder, 'clusters'))).sort()).toHaveLength(2);
    },
  );

  it.skipIf(isDuckDbMissing)('come from Parquet too, the first hundred members of many', async () => {
    const input = await parquet(
      "it's.parquet",
      `SELECT '1' || lpad(i::VARCHAR, 4, '0') AS address, (i // 500)::INTEGER AS cluster_id FROM range(1000) t(i)`,
    );
    const given = { chain: 'bitcoin', input, source: 'all', at: AT } as const;
    expect(await keepClusters(folder, given)).toEqual({ read: 1_000, loaded: 1_000, skipped: 0 });
    const found = await findCluster(folder, 'bitcoin', '10777');
    expect(found).toMatchObject({ cluster: '1', size: 500 });
    expect(found?.members).toEqual(Array.from({ length: 100 }, (_, i) => `10${500 + i}`));
  });

  it.skipIf(isDuckDbMissing)('refuse a file of other columns by their names, and leave what was loaded', async () => {
    await load('good.csv', `address,cluster_id\n${c},1\n`);
    await expect(load('other.csv', 'address_id,cluster_id\n1,2\n')).rejects.toThrow(
      'the columns address and cluster_id are wanted, and the file has address_id, cluster_id',
    );
    for (const [columns, query] of [
      ['address_id, cluster_id', 'SELECT 1 AS address_id, 2 AS cluster_id'],
      ['address', "SELECT '1A' AS address"],
      ['address, "cluster"', `SELECT '1A' AS address, 2 AS """cluster"""`],
    ] as const) {
      const input = await parquet('columns.parquet', query);
      await expect(keepClusters(folder, { chain: 'bitcoin', input, source: 'x', at: AT })).rejects.toThrow(
        `the columns address and cluster_id are wanted, and the file has ${columns}`,
      );
    }
    for (const [column, query] of [
      ['address is of the type VARCHAR[]', "SELECT ['1A', '1B'] AS address, 1 AS cluster_id"],
      ['address is of the type BIGINT', 'SELECT 7::BIGINT AS address, 1 AS cluster_id'],
      ['cluster_id is of the type STRUCT', "SELECT '1A' AS address, {'id': 3} AS cluster_id"],
      ['cluster_id is of the type DOUBLE', "SELECT '1A' AS address, 0.5::DOUBLE AS cluster_id"],
    ] as const) {
      const input = await parquet('types.parquet', query);
      await expect(keepClusters(folder, { chain: 'bitcoin', input, source: 'x', at: AT })).rejects.toThrow(
        `the column ${column}`,
      );
    }
    await expect(load('broken.parquet', 'no parquet')).rejects.toThrow('cannot be read as Parquet or CSV');
    const late = `address,cluster_id\n${'1A,2\n'.repeat(50_000)}1B,3,4\n`;
    await expect(load('late.csv', late)).rejects.toThrow(
      /^.*late\.csv cannot be read as Parquet or CSV: .*Line: 50002$/,
    );
    await expect(load('empty.csv', 'address,cluster_id\n')).rejects.toThrow('none of 0 rows can be used');
    await expect(load('blank.csv', 'address,cluster_id\n,1\n1A,\n')).rejects.toThrow('none of 2 rows can be used');
    const nowhere = { chain: 'bitcoin', input: join(folder, 'nowhere.csv'), source: 'x', at: AT } as const;
    await expect(keepClusters(folder, nowhere)).rejects.toThrow('read from a file on this machine');
    expect(await findCluster(folder, 'bitcoin', c!)).toMatchObject({ source: 'good.csv', cluster: '1' });
    expect((await readdir(join(folder, 'clusters'))).length).toBe(2);
  });

  it.skipIf(isDuckDbMissing)('are looked up while a load takes the place of the one before', async () => {
    await load('first.csv', `address,cluster_id\n${c},1\n`);
    let isLoading = true;
    const loads = (async () => {
      for (let i = 0; i < 20; i++) await load('next.csv', `address,cluster_id\n${c},1\n`);
      isLoading = false;
    })();
    while (isLoading) expect(await findCluster(folder, 'bitcoin', c!)).toMatchObject({ cluster: '1' });
    await loads;
  });
});
