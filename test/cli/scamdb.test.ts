import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { openRecords } from '../../src/records/database/database.ts';
import { insertScamReport } from '../../src/records/scamdb/reports.ts';
import { builtCli, openShell } from './cli.ts';

const A = '0x00000000000000000000000000000000000000a1';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let cli: string;
beforeAll(async () => {
  cli = await builtCli();
});

/** A report as a client left it. */
async function reported(folder: string): Promise<string> {
  const records = await openRecords({ path: join(folder, 'data/records.sqlite') });
  const account = await createAccount(records, { name: 'Desk', planId: 'free' }, 1);
  const report = { account_id: account.id, chain: 'evm' as const, address: A, type: 'phishing' as const };
  const said = { description: 'Lured \u001b[31mby mail', domains: ['evil.example'], evidence_url: null, stolen_usd: 5 };
  const id = await insertScamReport(records, { ...report, ...said }, 2);
  await records.destroy();
  return id;
}

describe('scamdb reports', () => {
  it('lists what waits for a decision, and what was decided, in one JSON value or a table', async () => {
    const { run, folder } = openShell(cli);
    expect((await run(['scamdb', 'reports'])).stdout).toBe('(none)\n');
    const id = await reported(folder);
    const [waiting] = JSON.parse((await run(['scamdb', 'reports', '--json'])).stdout);
    expect(waiting).toMatchObject({
      id,
      status: 'pending',
      chain: 'evm',
      address: A,
      type: 'phishing',
      domains: ['evil.example'],
      stolen_usd: 5,
      created_at: '1970-01-01T00:00:00.002Z',
    });
    const text = (await run(['scamdb', 'reports'])).stdout;
    expect(text).toMatch(/Lured .*by mail/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey
    expect(text).not.toMatch(/\u001b/);
    await run(['scamdb', 'verify', id]);
    expect((await run(['scamdb', 'reports'])).stdout).toBe('(none)\n');
    const decided = JSON.parse((await run(['scamdb', 'reports', '--status', 'verified', '--json'])).stdout);
    expect(decided).toMatchObject([{ id, status: 'verified', decided_by: 'operator' }]);
    expect((await run(['scamdb', 'reports', '--status', 'lost'])).code).toBe(2);
  });
});

describe('scamdb verify and reject', () => {
  it('decide on a report, again and the other way, with exactly one JSON value', async () => {
    const { run, folder } = openShell(cli);
    const id = await reported(folder);
    const verified = await run(['scamdb', 'verify', id, '--reason', 'Seen it', '--by', 'Alice', '--json']);
    expect(verified.code, verified.stderr).toBe(0);
    const answer = JSON.parse(verified.stdout);
    expect(answer).toEqual({ id, status: 'verified', entry_id: expect.any(String), chain: 'evm', address: A });
    expect(JSON.parse((await run(['scamdb', 'verify', id, '--json'])).stdout)).toEqual(answer);
    const rejected = await run(['scamdb', 'reject', id.toUpperCase()]);
    expect(rejected).toMatchObject({
      code: 0,
      stdout: `Report ${id} is rejected: evm ${A}, the address is not listed\n`,
    });
  });

  it('hand the work to the running server, which answers by it at once', async () => {
    const { run, folder, serveHere } = openShell(cli);
    const id = await reported(folder);
    await serveHere();
    const verified = await run(['scamdb', 'verify', id, '--json']);
    expect(verified.code, verified.stderr).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({ status: 'verified', entry_id: expect.any(String) });
  });

  it('fail for an unknown report, and are wrong usage without an id', async () => {
    const { run } = openShell(cli);
    const unknown = await run(['scamdb', 'verify', UNKNOWN, '--json']);
    expect(unknown.code).toBe(1);
    expect(JSON.parse(unknown.stdout)).toEqual({ error: `Report not found: ${UNKNOWN}` });
    for (const args of [['verify'], ['verify', '17'], ['reject', UNKNOWN, '--reason', ' '], ['praise', UNKNOWN]]) {
      expect((await run(['scamdb', ...args])).code).toBe(2);
    }
  });
});
