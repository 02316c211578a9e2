import { sql } from 'kysely';
import type { AddressHistory } from '../../chains/port.ts';
import type { Chain } from '../../domain/chain.ts';
import { chunksOf, type Records } from '../database/database.ts';
import { packJson, unpackJson } from '../packed-json.ts';

/** Bounds the memory that packing takes; an address with more transfers is read from the chain for every scan. */
const TRANSFERS_MAX = 100_000;
/** Bytes of a packed transfer at most, about. */
const PACKED_BYTES = 200;

export interface CachedRead {
  history: AddressHistory;
  /** Epoch ms of the read. */
  readAt: number;
}

/** A read that is kept until a moment, epoch ms. */
export interface KeptRead extends CachedRead {
  expiresAt: number;
}

export type ReadCache = ReturnType<typeof openReadCache>;

/** Opens the readings of chains that all accounts share. */
export function openReadCache(records: Records) {
  const keptSince = ({ chain, address, since }: { chain: Chain; address: string; since: number }) =>
    records
      .selectFrom('scan_cache')
      .where('chain', '=', chain)
      .where('address', '=', address)
      .where('created_at', '>', since);

  async function deleteExpired(now: number): Promise<void> {
    await records.deleteFrom('scan_cache').where('expires_at', '<', now).execute();
  }

  return {
    deleteExpired,

    /** Keeps what a chain source said about an address, for whichever tenant asks next. */
    async save(chain: Chain, address: string, read: CachedRead, expiresAt: number): Promise<void> {
      await deleteExpired(read.readAt);
      if (read.history.transfers.length > TRANSFERS_MAX) return;
      const row = { result: await packJson(read.history), created_at: read.readAt, expires_at: expiresAt };
      await records
        .insertInto('scan_cache')
        .values({ chain, address, ...row })
        .onConflict((conflict) => conflict.columns(['chain', 'address']).doUpdateSet(row))
        .execute();
    },

    /** The kept read, if it was made after `since` (epoch ms). `beforeUnpacking` gets how many transfers it has at least. */
    async find(
      read: { chain: Chain; address: string; since: number },
      beforeUnpacking: (transfers: number) => void = () => {},
    ): Promise<KeptRead | undefined> {
      const kept = keptSince(read);
      const size = await kept.select(sql<number>`octet_length(result)`.as('bytes')).executeTakeFirst();
      if (!size) return undefined;
      beforeUnpacking(Math.floor(size.bytes / PACKED_BYTES));
      const row = await kept.selectAll().executeTakeFirst();
      if (!row) return undefined;
      const history = await unpackJson<AddressHistory>(row.result);
      return { history, readAt: row.created_at, expiresAt: row.expires_at };
    },

    /** Returns true where `find` would find one. */
    async has(read: { chain: Chain; address: string; since: number }): Promise<boolean> {
      return (await keptSince(read).select('created_at').executeTakeFirst()) !== undefined;
    },

    /** Makes the next scans of these addresses ask the chain again. */
    async delete(chain: Chain, addresses: readonly string[]): Promise<void> {
      for (const some of chunksOf(addresses)) {
        await records.deleteFrom('scan_cache').where('chain', '=', chain).where('address', 'in', some).execute();
      }
    },
  };
}
