import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Every attempt of a delivery from here on; those before it stay in `deliveries.attempts` as a number. */
export async function addDeliveryAttempts(db: AnyStore): Promise<void> {
  await sql`create table delivery_attempts (
    delivery_id text not null references deliveries (id) on delete cascade, attempt integer not null,
    at bigint not null, duration_ms integer, status_code integer, error text,
    constraint delivery_attempts_key primary key (delivery_id, attempt))`.execute(db);
}
