import { PLANS } from '../../src/plans.ts';
import { reserveScans, settleScans } from '../../src/records/accounts/quota.ts';
import { openRecords, type Records } from '../../src/records/database/database.ts';

/** What the account of the test has to spend. */
export const UNITS = 300;

/** A process of database.test.ts: opens the store, and with `spend` takes units one by one until refused. */
export async function run(what: 'open' | 'spend', path: string, accountId: string, now: string): Promise<void> {
  const records = await openRecords({ path });
  console.log(what === 'open' ? 'opened' : await spendAll(records, accountId, Number(now)));
  await records.destroy();
  process.exit();
}

async function spendAll(records: Records, accountId: string, now: number): Promise<number> {
  const plan = { ...PLANS.pro, scansPerMonth: UNITS };
  for (let spent = 0; ; spent++) {
    try {
      const { id } = await reserveScans(records, { accountId, plan, units: 1, now, leaseMs: 60_000 });
      await settleScans(records, id, 1);
    } catch (error) {
      if (error instanceof Error && error.name === 'QuotaError') return spent;
      throw error;
    }
  }
}
