import { type Kysely, sql } from 'kysely';

interface Before {
  webhook_configs: {
    id: string;
    previous_secret: string | null;
    previous_secret_until: number | null;
    previous_secrets: string;
  };
}

/** Due deliveries by recipient, postponed events, and several previous secrets of an endpoint. */
export async function up(db: Kysely<Before>): Promise<void> {
  await db.schema
    .createIndex('deliveries_turn')
    .on('deliveries')
    .columns(['status', 'account_id', 'recipient', 'next_attempt_at'])
    .execute();
  await db.schema.dropIndex('deliveries_due').execute();

  await db.schema
    .alterTable('events')
    .addColumn('dispatch_after', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();

  await db.schema
    .alterTable('webhook_configs')
    .addColumn('previous_secrets', 'text', (c) => c.notNull().defaultTo(sql`'[]'`))
    .execute();
  const rotated = await db
    .selectFrom('webhook_configs')
    .select(['id', 'previous_secret', 'previous_secret_until'])
    .where('previous_secret', 'is not', null)
    .execute();
  for (const { id, previous_secret, previous_secret_until } of rotated) {
    const previous_secrets = JSON.stringify([{ secret: previous_secret, until: Number(previous_secret_until) }]);
    await db.updateTable('webhook_configs').set({ previous_secrets }).where('id', '=', id).execute();
  }
  await db.schema.alterTable('webhook_configs').dropColumn('previous_secret').execute();
  await db.schema.alterTable('webhook_configs').dropColumn('previous_secret_until').execute();
}
