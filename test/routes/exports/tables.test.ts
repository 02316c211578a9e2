import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { createTransfer, type Transfer } from '../../../src/domain/transfers/transfer.ts';
import { TRANSFER_CSV_COLUMNS } from '../../../src/domain/transfers/transfer-csv.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { insertScan } from '../../../src/records/scans/scans.ts';
import { NOW, openTestApp } from '../../app/test-app.ts';

const A = `0x${'a1'.repeat(20)}`;
const B = `0x${'b2'.repeat(20)}`;

function rowsOf(body: string): Record<string, string>[] {
  return Papa.parse<Record<string, string>>(body.replace(/^\uFEFF/, ''), { header: true, skipEmptyLines: true }).data;
}

it('writes the transfers of an address as a table that names no formula', async () => {
  const { app, ctx, headers } = await openTestApp();
  const paid = (nth: number, given: Partial<Transfer>) =>
    createTransfer({
      chain: 'ethereum',
      txHash: `0x${String(nth).padStart(64, '0')}`,
      at: NOW - nth,
      from: A,
      to: B,
      asset: 'ETH',
      amount: '1.000000000000000001',
      kind: 'native',
      ...given,
    });
  const hostile = { asset: '=HYPERLINK("http://x")', token: `0x${'c3'.repeat(20)}`, kind: 'token' } as const;
  await ingestTransfers(ctx.graph, [paid(1, {}), paid(2, hostile)], new Map());
  const key = await headers();
  const reply = await app.inject({ url: `/api/v1/graph/transfers.csv?address=${A}&chain=ethereum`, headers: key });
  expect(reply.statusCode, reply.body).toBe(200);
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="${A}-transfers.csv"`);
  expect(reply.headers['x-truncated']).toBe('0');
  const rows = rowsOf(reply.body);
  expect(Object.keys(rows[0]!)).toEqual(TRANSFER_CSV_COLUMNS);
  expect(rows.map(({ asset, amount, timestamp }) => [asset, amount, timestamp])).toEqual([
    [`'${hostile.asset}`, '1.000000000000000001', new Date(NOW - 2).toISOString()],
    ['ETH', '1.000000000000000001', new Date(NOW - 1).toISOString()],
  ]);
  expect((await app.inject({ url: '/api/v1/graph/transfers.csv?address=x', headers: key })).statusCode).toBe(400);
});

it('writes all recorded scans of the account that match, and of no other', async () => {
  const { app, ctx, issue } = await openTestApp();
  const [mine, other] = [await issue('enterprise'), await issue('enterprise')];
  const scan = (accountId: string, nth: number) =>
    insertScan(ctx.records, {
      id: `${String(nth).padStart(8, '0')}-0000-4000-8000-000000000000`,
      account_id: accountId,
      chain: nth % 2 ? 'ethereum' : 'polygon',
      address: A,
      source: 'sync',
      lang: 'en',
      risk_level: 'LOW',
      risk_score: 3,
      detection_count: 0,
      rule_set_version: '1',
      result: '{}',
      // Several stand at one moment, where a page may end.
      created_at: NOW - Math.floor(nth / 3),
      units: 1,
    });
  for (let nth = 0; nth < 450; nth++) await scan(mine.accountId, nth);
  await scan(other.accountId, 450);
  const ask = async (query: string) => {
    const reply = await app.inject({ url: `/api/v1/public/scans.csv${query}`, headers: { 'x-api-key': mine.key } });
    expect(reply.statusCode, reply.body).toBe(200);
    return rowsOf(reply.body);
  };
  const rows = await ask('');
  expect(new Set(rows.map(({ scan_id }) => scan_id)).size).toBe(450);
  expect(rows).toHaveLength(450);
  const moments = rows.map(({ created_at }) => created_at!);
  expect(moments).toEqual(moments.toSorted().reverse());
  expect(await ask('?chain=polygon')).toHaveLength(225);
});
