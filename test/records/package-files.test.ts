import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { deleteCaseRow, insertCase } from '../../src/records/cases/cases.ts';
import { insertPackageFile, insertReportPackage, openPackageFile } from '../../src/records/cases/report-packages.ts';
import type { Records } from '../../src/records/database/database.ts';
import { insertJob } from '../../src/records/jobs/jobs.ts';
import { onBothStores } from './on-both-stores.ts';

onBothStores('the kept files of a report package', (open) => {
  const openPackage = async (records: Records) => {
    const account = await createAccount(records, { name: 'Desk', planId: 'enterprise' }, 1);
    const caseId = randomUUID();
    await insertCase(records, {
      id: caseId,
      account_id: account.id,
      title: 'Theft',
      description: '',
      status: 'open',
      priority: 'medium',
      assignee: null,
      created_at: 1,
      updated_at: 1,
      legal_hold: 0,
    });
    const job = { accountId: account.id, type: 'str_package', caseId, input: {}, total: 4 } as const;
    const { id } = await insertJob(records, job, 1);
    const row = { id, case_id: caseId, format: 1, inputs: '', files: '[]', degraded: 0, stamp: null, created_at: 1 };
    await insertReportPackage(records, row);
    return { accountId: account.id, caseId, id };
  };

  it('come back byte for byte, of any size, and go with their case', async () => {
    const records = await open();
    const { accountId, caseId, id } = await openPackage(records);
    const files = {
      'large.csv': randomBytes(2 * 1024 * 1024 + 7),
      'small.pdf': Buffer.from('%PDF'),
      'empty.json': Buffer.of(),
    };
    for (const [name, bytes] of Object.entries(files)) {
      await insertPackageFile(records, id, { name, gzipped: gzipSync(bytes) });
    }
    for (const [name, bytes] of Object.entries(files)) {
      expect((await buffer((await openPackageFile(records, id, name))!)).equals(bytes), name).toBe(true);
    }
    expect(await openPackageFile(records, id, 'other.csv')).toBeNull();

    await deleteCaseRow(records, accountId, caseId);
    expect(await records.selectFrom('report_package_files').select('name').execute()).toEqual([]);
  });

  it('end with an error where a part of them is missing', async () => {
    const records = await open();
    const { id } = await openPackage(records);
    await insertPackageFile(records, id, { name: 'large.csv', gzipped: gzipSync(randomBytes(2 * 1024 * 1024)) });
    await records.deleteFrom('report_package_files').where('part', '=', 1).execute();
    await expect(buffer((await openPackageFile(records, id, 'large.csv'))!)).rejects.toThrow('unexpected end of file');
  });
});
