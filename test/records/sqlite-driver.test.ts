import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { SQLITE_DRIVER } from '../../src/records/database/sqlite-driver.ts';

/** Ten minutes by `ROUNDS=40000 npx vitest run test/records/sqlite-driver.test.ts --testTimeout=3600000`. */
const ROUNDS = Number(process.env.ROUNDS ?? 100);

// V8 runs the engine's own steps between two awaits without a context. A driver that needs one to free a statement
// ends the process there, and nowhere else: a collection that JavaScript asks for shows nothing.
const CODE = `
const [driver, rounds] = process.argv.slice(1);
const sqlite = new (require(driver))(':memory:');
sqlite.exec('create table notes (id integer primary key, text text)');
(async () => {
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < 50; n++) sqlite.prepare('insert into notes (text) values (?)').run('note');
    for (let n = 0; n < 2000; n++) await null;
    await new Promise(setImmediate);
  }
  console.log(sqlite.prepare('select count(*) from notes').pluck().get());
})();
`;

it(`Node ${process.versions.node} outlives the collection of statements at any moment, in ${ROUNDS} rounds`, async () => {
  const driver = createRequire(import.meta.url).resolve(SQLITE_DRIVER);
  const child = spawn(process.execPath, ['--gc-interval=500', '-e', CODE, driver, String(ROUNDS)]);
  const [out, err, exit] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect(exit, err).toEqual([0, null]);
  expect(out.trim()).toBe(String(ROUNDS * 50));
});
