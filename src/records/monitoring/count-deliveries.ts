import type { Records } from '../database/database.ts';

/** Deliveries that wait for an attempt, by what sends them, and the creation of the oldest (epoch ms). */
export async function countPendingDeliveries(
  records: Records,
): Promise<{ subscriber: 'mail' | 'webhook'; count: number; oldestAt: number }[]> {
  const rows = await records
    .selectFrom('deliveries')
    .select((e) => ['subscriber', e.fn.countAll<number>().as('count'), e.fn.min('created_at').as('oldestAt')])
    .where('status', '=', 'pending')
    .groupBy('subscriber')
    .execute();
  return rows.map(({ subscriber, count, oldestAt }) => ({
    subscriber,
    count: Number(count),
    oldestAt: Number(oldestAt),
  }));
}
