import { once } from 'node:events';
import fs, { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { keyOfFile } from '../../src/data-folder/secret-box.ts';
import { childModule } from '../setup/child-module.ts';
import { KEYS } from './key-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'traceflow-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('processes that start together agree on one key, and leave nothing beside it', async () => {
  const start = String(Date.now() + 1_000);
  const all = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = await childModule('test/records/key-process.ts', [folder, start]);
      const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      expect(status, err).toBe(0);
      return out.trim().split('\n');
    }),
  );
  expect(all[0]).toHaveLength(KEYS);
  for (const keys of all) expect(keys).toEqual(all[0]);
  expect(readdirSync(folder)).toHaveLength(KEYS);
  expect(statSync(join(folder, '0')).mode & 0o777).toBe(0o600);
});

it('a process that loses the race for a key takes that of the winner, on a folder without links too', () => {
  const path = join(folder, 'raced.key');
  const copy = fs.copyFileSync;
  vi.spyOn(fs, 'linkSync').mockImplementation(() => {
    throw Object.assign(new Error('no links'), { code: 'EPERM' });
  });
  vi.spyOn(fs, 'copyFileSync').mockImplementation((...asked) => {
    writeFileSync(path, Buffer.alloc(32, 7).toString('base64url'));
    copy(...asked);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  expect(keyOfFile(path)).toEqual(Buffer.alloc(32, 7));
});

it('a file that holds no key is refused', () => {
  const path = join(folder, 'secret.key');
  writeFileSync(path, '');
  expect(() => keyOfFile(path)).toThrow('is not a key; restore it, or set SECRET_KEY');
});
