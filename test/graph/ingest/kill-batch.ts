import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { transfer } from '../world.ts';

const KILL_BATCH_SIZE = 200;

/** The transfers of one batch: some to new addresses, some to those of the batches before. */
export function killBatch(batch: number): Transfer[] {
  return Array.from({ length: KILL_BATCH_SIZE }, (_, i) =>
    transfer({ from: 'hub', to: `r${(batch * KILL_BATCH_SIZE + i) % 700}`, usd: i }, batch * KILL_BATCH_SIZE + i),
  );
}
