import { openGrafeo } from '../../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { killBatch } from './kill-batch.ts';

/** Ingests batch after batch into the file and says each number once it is acknowledged, until it is killed. */
export async function run(path: string): Promise<void> {
  const graph = await openGrafeo({ path });
  for (let batch = 0; ; batch++) {
    await ingestTransfers(graph, killBatch(batch));
    process.stdout.write(`${batch}\n`);
  }
}
