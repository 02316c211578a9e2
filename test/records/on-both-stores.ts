import { afterAll, describe } from 'vitest';
import { openRecords, type Records } from '../../src/records/database/database.ts';
import { usePostgres } from './postgres.ts';
import { expectSoundRecords } from './sound-records.ts';

/** Runs one suite on SQLite and on PostgreSQL. */
export function onBothStores(name: string, suite: (open: () => Promise<Records>) => void): void {
  const opened: Records[] = [];
  const closeAll = async () => {
    for (const records of opened.splice(0)) {
      await expectSoundRecords(records);
      await records.destroy();
    }
  };

  describe(`${name} on SQLite`, () => {
    afterAll(closeAll);
    suite(async () => {
      const records = await openRecords({ path: null });
      opened.push(records);
      return records;
    });
  });

  describe(`${name} on PostgreSQL`, () => {
    const server = usePostgres();
    // Hooks that end a suite run in reverse: this one before the server is released.
    afterAll(closeAll);
    suite(async () => {
      const records = await openRecords({ databaseUrl: await server.newStore(), path: null });
      opened.push(records);
      return records;
    });
  });
}
