import { PLANS } from '../../src/plans.ts';
import { openRecords } from '../../src/records/database.ts';
import { reserveScans } from '../../src/records/quota.ts';

// What the processes of database.test.ts do.

export async function openAndClose(path: string): Promise<string> {
  const records = await openRecords({ path });
  await records.destroy();
  return 'done';
}

export async function reserveUntilRefused(path: string, accountId: string, now: string): Promise<number> {
  const records = await openRecords({ path });
  for (let taken = 0; ; taken++) {
    try {
      await reserveScans(records, { accountId, plan: PLANS.free, units: 1, now: Number(now), leaseMs: 60_000 });
    } catch (error) {
      await records.destroy();
      if (error instanceof Error && error.name === 'QuotaError') return taken;
      throw error;
    }
  }
}
