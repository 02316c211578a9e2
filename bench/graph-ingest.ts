import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transfer } from '../src/domain/transfer.ts';
import { columns } from '../src/graph/columns.ts';
import { FACT_FIELDS, factOf } from '../src/graph/facts.ts';
import { openGrafeo } from '../src/graph/grafeo.ts';
import { ingestTransfers } from '../src/graph/ingest.ts';
import { addressKey } from '../src/graph/pairs.ts';
import type { Graph } from '../src/graph/port.ts';

const ROUNDS = 5;
const HUB = `0x${'0'.repeat(40)}`;
const NOTHING = new Map();

/**
 * Prints what a scan of 100, 1,000 and 5,000 transfers around one hub costs to ingest, first and again, beside the
 * bare creation of the same edges between nodes that are there.
 */
export async function benchGraphIngest(open: (path: string) => Promise<Graph> = openFile): Promise<void> {
  console.log('ingest around one hub   transfers/s   again/s   bare create/s   bare : ingest');
  for (const size of [100, 1_000, 5_000]) {
    const best = { first: 0, again: 0, bare: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
      const graph = await open(join(folder, 'graph.grafeo'));
      const scan = hubScan(size, round * 2);
      best.first = Math.max(best.first, await rate(size, () => ingestTransfers(graph, scan, NOTHING)));
      best.again = Math.max(best.again, await rate(size, () => ingestTransfers(graph, scan, NOTHING)));
      const bare = hubScan(size, round * 2 + 1);
      await ingestTransfers(graph, bare.map(reversed), NOTHING);
      const rows = bare.map((transfer) => ({
        ...factOf(transfer),
        from: addressKey(transfer.chain, transfer.from),
        to: addressKey(transfer.chain, transfer.to),
      }));
      const params = columns(rows, ['from', 'to', ...FACT_FIELDS]);
      const create = { statement: 'ingest/create-transfers', params };
      best.bare = Math.max(best.bare, await rate(size, () => graph.write([create])));
      await graph.close();
      rmSync(folder, { recursive: true });
    }
    const cells = [best.first, best.again, best.bare].map((perSecond) => Math.round(perSecond).toLocaleString('en'));
    const [first, again, bare] = cells as [string, string, string];
    const ratio = (best.bare / best.first).toFixed(2);
    console.log(
      `${String(size).padEnd(22)}${first.padStart(13)}${again.padStart(10)}${bare.padStart(16)}${ratio.padStart(16)}`,
    );
  }
}

function openFile(path: string): Promise<Graph> {
  return openGrafeo({ path });
}

async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - start);
}

/** Half in, half out, each with another counterparty. */
function hubScan(size: number, seed: number): Transfer[] {
  return Array.from({ length: size }, (_, i) => {
    const other = `0x${(seed * 1_000_000 + i + 1).toString(16).padStart(40, '0')}`;
    const txHash = `0x${(seed * 1_000_000 + i + 1).toString(16).padStart(64, '0')}`;
    return {
      id: `ethereum:${txHash}:native`,
      chain: 'ethereum',
      txHash,
      index: 'native',
      seq: 0,
      block: 18_000_000 + i,
      blockHash: null,
      position: i % 200,
      at: 1_700_000_000_000 + i * 12_000,
      from: i % 2 ? HUB : other,
      to: i % 2 ? other : HUB,
      asset: 'ETH',
      token: null,
      amount: '1.25',
      amountRaw: '1250000000000000000',
      decimals: 18,
      usd: 2_500.5 + i,
      kind: 'native',
      failed: false,
      apportioned: false,
      txSender: null,
      method: null,
      fee: '0.00042',
      tokenId: null,
    };
  });
}

function reversed(transfer: Transfer): Transfer {
  return { ...transfer, id: `${transfer.id}:back`, from: transfer.to, to: transfer.from };
}
