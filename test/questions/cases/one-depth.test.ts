import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { openRenderer, packageRenderer } from '../../../reports/render.ts';
import { requestedMoney } from '../../../src/domain/scene/requested-money.ts';
import { createTransfer, type Transfer } from '../../../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { findNodeLabels } from '../../../src/labels/node-labels.ts';
import { PLANS } from '../../../src/plans.ts';
import { addCaseAddress } from '../../../src/questions/cases/case-addresses.ts';
import { listRequests } from '../../../src/questions/cases/list-requests.ts';
import { createCase } from '../../../src/questions/cases/manage-cases.ts';
import { openFile } from '../../../src/questions/cases/report-package/package-files.ts';
import { PACKAGE_FILES, type PackageInputs } from '../../../src/questions/cases/report-package/package-inputs.ts';
import { runPackage } from '../../../src/questions/cases/report-package/run-package.ts';
import { startPackage } from '../../../src/questions/cases/report-package/start-package.ts';
import { suggestAddresses } from '../../../src/questions/cases/suggest-addresses.ts';
import { findReportPackage } from '../../../src/records/cases/report-packages.ts';
import { claimJob } from '../../../src/records/jobs/claim-job.ts';
import { endJob } from '../../../src/records/jobs/job-leases.ts';
import { unpackJson } from '../../../src/records/packed-json.ts';
import { FUNDS_HOPS } from '../../../src/tracing/answers/funds/funds-of.ts';
import { getCaseFunds } from '../../../src/tracing/answers/funds/get-case-funds.ts';
import { getAddressFunds } from '../../../src/tracing/answers/funds/get-funds.ts';
import { inquire } from '../../../src/tracing/read/inquiry.ts';
import { requests as requestWords } from '../../../words/en/reports.ts';
import { requestLines } from '../../../words/request-lines.ts';
import { openTestApp } from '../../app/test-app.ts';
import { putLabels } from '../../labels/label-of.ts';
import { AMPLE_MS } from '../../tracing/money.ts';

const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;
const [THIEF, DEPOSIT, HOT, STRANGER, OTHER, FAR] = [1, 2, 3, 4, 5, 6].map((i) => address(0xa000 + i)) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const wallet = (i: number) => address(0xb000 + i);
let count = 0;
const pay = (from: string, to: string, usd: number): Transfer => {
  count += 1;
  const at = Date.parse('2026-03-01T00:00:00Z') + count * 3_600_000;
  const coin = { chain: 'ethereum', asset: 'USDT', kind: 'token', token: address(0xdac), decimals: 6 } as const;
  return createTransfer({
    ...coin,
    txHash: `0x${count.toString(16).padStart(64, '0')}`,
    index: 'log:1',
    at,
    from,
    to,
    amount: String(usd),
    usd,
  });
};

/** Twelve victims; most of their money goes thirty wallets far to the deposit address of a customer, which a stranger uses too. */
function theft(): Transfer[] {
  const victims = Array.from({ length: 12 }, (_, i) => pay(address(0xc000 + i), THIEF, 1_000));
  const way = Array.from({ length: 30 }, (_, i) => pay(i === 0 ? THIEF : wallet(i), wallet(i + 1), 9_000));
  const split = pay(THIEF, wallet(40), 3_000);
  // Wallets that others use too.
  const long = Array.from({ length: 16 }, (_, i) => {
    const to = i === 15 ? FAR : wallet(41 + i);
    const others = [pay(address(0xd000 + i), to, 1_000), pay(to, address(0xe000 + i), 1_000)];
    return [...others, pay(wallet(40 + i), to, 1_000)];
  }).flat();
  return [
    ...victims,
    ...way,
    // The customer deposits the money of a stranger too; the service sweeps the address after each deposit.
    pay(STRANGER, DEPOSIT, 3_000),
    pay(wallet(30), DEPOSIT, 9_000),
    pay(DEPOSIT, HOT, 12_000),
    pay(STRANGER, DEPOSIT, 500),
    pay(DEPOSIT, HOT, 500),
    pay(STRANGER, DEPOSIT, 700),
    pay(DEPOSIT, HOT, 700),
    pay(THIEF, address(0xc000), 500),
    split,
    pay(wallet(40), OTHER, 2_000),
    ...long,
  ];
}

async function openCase() {
  const { ctx, time, issue } = await openTestApp();
  const label = {
    chain: 'ethereum',
    category: 'exchange',
    source: 'lists',
    confidence: 90,
    validFrom: null,
    validTo: null,
  } as const;
  const labels = [
    { ...label, address: HOT, label: 'Meridian: Hot Wallet 2', entity: null, maliciousContract: false },
    { ...label, address: OTHER, label: 'Orion: Deposit 9', entity: null, maliciousContract: false },
  ];
  await putLabels(ctx.labels, labels);
  await ingestTransfers(ctx.graph, theft(), await findNodeLabels(ctx.labels, 'ethereum', [HOT, OTHER], ctx.now()));
  const tenant = { ...(await issue('enterprise')), planId: 'enterprise', plan: PLANS.enterprise } as const;
  const { id } = await createCase(ctx, tenant, { title: 'Twelve victims' });
  await addCaseAddress(ctx, tenant, id, { address: THIEF, role: 'subject' });
  return { ctx, time, tenant, id };
}

it('board, copied text, case, suggestions, report, request and CSV name the same sums of a way of thirty wallets', async () => {
  const { ctx, time, tenant, id } = await openCase();
  const asked = { direction: 'sent', maxHops: FUNDS_HOPS.usual, lang: 'en' } as const;
  const inquiry = { ...(await inquire(ctx, tenant.accountId)), remainingMs: () => AMPLE_MS };
  const board = await getAddressFunds(inquiry, { ...asked, chain: 'ethereum', address: THIEF });
  const ofCase = await getCaseFunds(inquiry, tenant, id, asked);
  expect(ofCase.rows).toEqual(board.rows);
  const sums = (rows: readonly { address: string | null; usd: number }[]) =>
    Object.fromEntries(
      rows.filter(({ address }) => address === HOT || address === OTHER).map((row) => [row.address, row.usd]),
    );
  const expected = { [HOT]: 9_000, [OTHER]: 2_000 };
  expect(sums(board.rows)).toEqual(expected);

  // A victim who was refunded is not asked to freeze anything.
  expect(board.rows.find(({ address: at }) => at === address(0xc000))).toMatchObject({ kind: 'returned', usd: 500 });

  const { requests } = await listRequests(inquiry, tenant, id, 'en');
  expect(requests.map(({ usd }) => usd)).toEqual([9_000, 2_000]);
  const [meridian, orion] = requests;
  expect(meridian).toMatchObject({
    deposit_addresses: [
      {
        address: DEPOSIT,
        handed_on_to: HOT,
        usd: 9_000,
        assets: { USDT: '9000' },
        transactions: [{ from: wallet(30), to: DEPOSIT, amount: '9000', moved_amount: '9000' }],
        transaction_count: 1,
      },
    ],
    addresses: [{ address: HOT, usd: 9_000 }],
    transactions: [{ from: DEPOSIT, to: HOT, amount: '9000', moved_amount: '12000', usd: 9_000 }],
    transaction_count: 1,
  });
  expect(meridian!.text).toContain('12,000 USDT on the ledger, 9,000 USDT (9,000.00 USD) of it followed');
  // A list names this one as a deposit address itself: who paid it is the thief's wallet.
  expect(orion).toMatchObject({ deposit_addresses: [], addresses: [{ address: OTHER, usd: 2_000 }] });
  expect(orion!.cut).toEqual({ usd: 1_000, reasons: ['max_hops'] });
  expect(orion!.text).toContain('1,000.00 USD of the money of the case could not be followed to its end');

  const row = board.rows.find((one) => one.address === HOT)!;
  const end = { ...row, chain: 'ethereum', address: HOT } as const;
  const copied = requestLines(requestedMoney([end]), requestWords, 'en');
  for (const line of copied.filter(Boolean)) expect(meridian!.text).toContain(line);

  const suggested = await suggestAddresses(inquiry, tenant, id, { limit: 20 });
  expect(JSON.stringify(suggested)).toContain(HOT);

  const { generation_id } = await startPackage(ctx, tenant, id, { language: 'en', from: null, to: null });
  const job = (await claimJob(ctx.records, { type: 'str_package', lanes: ['any'] }, ctx.now(), 10_000))!;
  time.at += 60_000;
  const close = (end: Parameters<typeof endJob>[2]) =>
    endJob(ctx.records, job, { ...end, at: ctx.now() }, async () => {});
  const attempt = { job, signal: new AbortController().signal, stopping: () => false, close } as never;
  await runPackage(ctx, attempt, packageRenderer(openRenderer(), { accountId: 'desk' }));
  const { inputs } = (await findReportPackage(ctx.records, generation_id))!;
  const { report } = (await unpackJson(inputs)) as PackageInputs;
  expect(sums(report.money!.sent.rows)).toEqual(expected);
  const csv = await buffer((await openFile(ctx, generation_id, PACKAGE_FILES.transactions))!);
  const rows: Record<string, string>[] = parse(csv, { bom: true, columns: true });
  const valueTo = (to: string) =>
    rows
      .filter(({ to_address }) => to_address === to)
      .map(({ tainted_value_usd, value_usd }) => [tainted_value_usd, value_usd]);
  expect(valueTo(HOT)).toEqual([['9000.00', '12000.00']]);
  expect(valueTo(DEPOSIT)).toEqual([['9000.00', '9000.00']]);
  expect(valueTo(OTHER)).toEqual([['2000.00', '2000.00']]);
});
