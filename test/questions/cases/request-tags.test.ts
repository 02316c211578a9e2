import { expect, it } from 'vitest';
import type { Bridges } from '../../../src/chains/bridges/bridges.ts';
import { freezingRequests, requestText } from '../../../src/questions/cases/freezing-requests.ts';
import { getFunds } from '../../../src/tracing/answers/funds/get-funds.ts';
import { getTerminals } from '../../../src/tracing/answers/get-terminals.ts';
import { LANGUAGES } from '../../../words/language.ts';
import { xrpAccount, xrpHash } from '../../chains/xrp/ledger.ts';
import { fileOf, openLoading } from '../../graph-loaders/loading.ts';
import { tracing } from '../../tracing/money.ts';

const [thief, victim, exchange] = ['thief', 'victim', 'exchange'].map(xrpAccount) as [string, string, string];
const HEADER = 'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd,destination_tag,source_tag';
const pay = (n: number, from: string, to: string, amount: number, tags = ',') =>
  `xrp,${xrpHash(`${n}`)},0,${n},2026-10-0${n},${from},${to},XRP,${amount},${amount * 2},${tags}`;

it('two customers at one XRP address stand apart in account, terminals and request, each with its amounts', async () => {
  const loading = await openLoading();
  const labels = `chain,address,category,label,source,confidence,entity,valid_from,valid_to\nxrp,${exchange},exchange,Meridian,lists,90,Meridian,,`;
  await loading.load('labels', fileOf('labels.csv', labels));
  const rows = [
    pay(1, victim, thief, 1_000),
    pay(2, thief, exchange, 300, '4471,'),
    pay(3, thief, exchange, 200, '4294967295,7'),
    pay(4, thief, exchange, 100.5, '4471,'),
    pay(5, thief, exchange, 50),
  ];
  expect((await loading.load('transfers', fileOf('t.csv', [HEADER, ...rows].join('\n')))).errors).toEqual([]);
  const { bridges, ...known } = tracing(loading.graph);
  const ctx = { ...known, labels: loading.labels, bridges: bridges as unknown as Bridges };

  const funds = await getFunds(ctx, { keys: [`xrp:${thief}`], direction: 'sent', maxHops: 3, lang: 'en' });
  const [row] = funds.rows.filter(({ kind }) => kind === 'party');
  const byTag = [
    { tag: 4471, usd: 801, assets: { XRP: '400.5' }, transfers: 2 },
    { tag: 4294967295, usd: 400, assets: { XRP: '200' }, transfers: 1 },
    { tag: null, usd: 100, assets: { XRP: '50' }, transfers: 1 },
  ];
  expect(row).toMatchObject({ tags: byTag, tag_count: 3, path: [{ destination_tag: 4471 }] });
  expect(funds.flows[0]?.transfers[1]).toMatchObject({ destination_tag: 4294967295, source_tag: 7 });
  const asked = { chain: 'xrp', address: thief, maxHops: 3, categories: ['exchange'], limit: 10 } as const;
  expect((await getTerminals(ctx, { ...asked, categories: ['exchange'] })).terminals).toMatchObject([{ tags: byTag }]);

  const caseId = '5b1d7e0c-0000-4000-8000-000000000000';
  // Rounded as in the account.
  expect(freezingRequests(caseId, { rows: [{ ...row!, share: 1 / 3 }] })).toMatchObject([{ share: 0.333333 }]);
  const [request] = freezingRequests(caseId, funds);
  expect(request!.addresses.map(({ address, destination_tag, usd }) => [address, destination_tag, usd])).toEqual([
    [exchange, 4471, 801],
    [exchange, 4294967295, 400],
    [exchange, null, 100],
  ]);
  for (const language of LANGUAGES) {
    const page = { request: request!, caseTitle: 'A theft', madeAt: '2026-11-20T00:00:00Z', language };
    const lines = requestText(page).split('\n');
    for (const tag of ['4471', '4294967295']) {
      expect(lines.filter((line) => line.includes(tag) && line.startsWith(`XRP Ledger ${exchange}`))).toHaveLength(1);
    }
    // Each transaction names its customer too.
    expect(lines.filter((line) => line.includes('4471'))).toHaveLength(3);
  }
});

it('tags that are none, or contradict the X-address, are refused with their line', async () => {
  const loading = await openLoading();
  // An account with the tag 1.
  const tagged = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu';
  const file = [
    HEADER,
    pay(1, victim, thief, 1, '4294967296,'),
    pay(2, victim, thief, 1, '-1,'),
    pay(3, victim, thief, 1, ',x'),
    pay(4, victim, tagged, 1, '2,'),
    pay(5, victim, tagged, 1),
    `ethereum,0x${'1'.repeat(64)},0,1,2026-10-06,0x${'a'.repeat(40)},0x${'b'.repeat(40)},ETH,1,1,5,`,
  ];
  const { errors, loaded } = await loading.load('transfers', fileOf('t.csv', file.join('\n')));
  expect(loaded).toBe(1);
  expect(errors).toEqual([
    { line: 2, reason: 'destination_tag is not a tag of to: 4294967296' },
    { line: 3, reason: 'destination_tag is not a tag of to: -1' },
    { line: 4, reason: 'source_tag is not a tag of from: x' },
    { line: 5, reason: 'destination_tag is not a tag of to: 2' },
    { line: 7, reason: 'destination_tag is not a tag of to: 5' },
  ]);
  const facts = await loading.graph.read('scan/read-transfers', { key: `xrp:${victim}`, limit: 10 });
  expect(facts).toMatchObject([{ transfer: { destination_tag: 1 } }]);
});

it('a request says between which amounts the rules of attribution lie, or that they are the same', async () => {
  const loading = await openLoading();
  const labels = `chain,address,category,label,source,confidence,entity,valid_from,valid_to\nxrp,${exchange},exchange,Meridian,lists,90,Meridian,,`;
  await loading.load('labels', fileOf('labels.csv', labels));
  const [mule, friend] = ['mule', 'friend'].map(xrpAccount) as [string, string];
  // The mule holds 1,000 of a friend beside 1,000 of the thief when 500 go to the exchange.
  const mixed = [
    pay(1, victim, thief, 1_000),
    pay(2, friend, mule, 1_000),
    pay(3, thief, mule, 1_000),
    pay(4, mule, exchange, 500, '7,'),
  ];
  const plain = [pay(1, victim, thief, 1_000), pay(2, thief, exchange, 500, '7,')];
  const requestFor = async (rows: string[], ctx: Awaited<ReturnType<typeof openLoading>>) => {
    await ctx.load('transfers', fileOf('t.csv', [HEADER, ...rows].join('\n')));
    const { bridges, ...known } = tracing(ctx.graph);
    const asked = { keys: [`xrp:${thief}`], direction: 'sent', maxHops: 3, lang: 'en', method: 'range' } as const;
    const funds = await getFunds({ ...known, labels: ctx.labels, bridges: bridges as unknown as Bridges }, asked);
    return freezingRequests('5b1d7e0c-0000-4000-8000-000000000000', funds)[0]!;
  };
  const request = await requestFor(mixed, loading);
  expect(request).toMatchObject({ usd: 500, range: { least_usd: 0, most_usd: 1_000 } });
  const page = { request, caseTitle: 'A theft', madeAt: '2026-11-20T00:00:00Z', language: 'en' } as const;
  expect(requestText(page)).toContain('the amount lies between 0.00 USD and 1,000.00 USD');

  const other = await openLoading();
  await other.load('labels', fileOf('labels.csv', labels));
  const same = await requestFor(plain, other);
  expect(same.range).toEqual({ least_usd: same.usd, most_usd: same.usd });
  expect(requestText({ ...page, request: same })).toContain('The amount is the same by each usual rule');
});
