import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressKey } from '../../src/domain/address/address-key.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { asColumns } from '../../src/graph/columns.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { FACT_FIELDS, factOf } from '../../src/graph/ingest/facts.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { openNeo4j } from '../../src/graph/neo4j/neo4j.ts';
import type { Graph, Params } from '../../src/graph/port.ts';
import { startNeo4j } from '../../test/servers/neo4j.ts';

const ROUNDS = 5;
const SIZES = [100, 1_000, 5_000];

/**
 * Prints, for each engine, what a scan of 100, 1,000 and 5,000 transfers around one hub costs to ingest, first and
 * again, beside the bare creation of the same edges between nodes that are there. Best of five rounds each.
 */
export async function benchGraphIngest(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const embedded = await openGrafeo({ path: join(folder, 'graph.grafeo') });
  await benchEngine('Grafeo', embedded);
  await embedded.close();
  rmSync(folder, { recursive: true });

  const server = await startNeo4j().catch((error: Error) => error);
  if (server instanceof Error) {
    console.log(`Neo4j left out: ${server.message}`);
    return;
  }
  const { NEO4J_URI: uri = '', NEO4J_USER: user = '', NEO4J_PASSWORD: password = '' } = server.settings;
  const remote = await openNeo4j({ uri, user, password });
  await benchEngine('Neo4j', remote);
  await remote.close();
  await server.stop();
}

async function benchEngine(name: string, graph: Graph): Promise<void> {
  console.log(`${name}: one hub of     transfers/s   again/s   bare create/s   bare : ingest`);
  let scans = 0;
  for (const size of SIZES) {
    const best = { first: 0, again: 0, bare: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const scan = hubScan(size, ++scans);
      best.first = Math.max(best.first, await rate(size, () => ingestTransfers(graph, scan)));
      best.again = Math.max(best.again, await rate(size, () => ingestTransfers(graph, scan)));
      const ends = hubScan(size, ++scans);
      await ingestTransfers(graph, ends);
      const create = { statement: 'ingest/create-transfers', params: bareColumns(ends) };
      best.bare = Math.max(best.bare, await rate(size, () => graph.write([create])));
    }
    const cells = [best.first, best.again, best.bare].map((perSecond) => Math.round(perSecond).toLocaleString('en'));
    const [first = '', again = '', bare = ''] = cells;
    const ratio = (best.bare / best.first).toFixed(2);
    console.log(
      `${String(size).padEnd(22)}${first.padStart(13)}${again.padStart(10)}${bare.padStart(16)}${ratio.padStart(16)}`,
    );
  }
}

/** The same edges the other way round, so that they are new. */
function bareColumns(transfers: Transfer[]): Params {
  const rows = transfers.map((transfer) => ({
    ...factOf(transfer),
    id: `${transfer.id}:back`,
    from: addressKey(transfer.chain, transfer.to),
    to: addressKey(transfer.chain, transfer.from),
  }));
  return asColumns(rows, ['from', 'to', ...FACT_FIELDS]);
}

async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - start);
}

/** Half in, half out, each with another counterparty; each scan has addresses of its own. */
function hubScan(size: number, scan: number): Transfer[] {
  const address = (nth: number) => `0x${(scan * 1_000_000 + nth).toString(16).padStart(40, '0')}`;
  const hub = address(0);
  return Array.from({ length: size }, (_, i) => {
    const other = address(i + 1);
    const txHash = other.padEnd(66, '0');
    return createTransfer({
      chain: 'ethereum',
      txHash,
      index: 'native',
      block: 18_000_000 + i,
      position: i % 200,
      at: 1_700_000_000_000 + i * 12_000,
      from: i % 2 ? hub : other,
      to: i % 2 ? other : hub,
      asset: 'ETH',
      amount: '1.25',
      amountRaw: '1250000000000000000',
      decimals: 18,
      usd: 2_500.5 + i,
      kind: 'native',
      fee: '0.00042',
    });
  });
}
