import { expect, it, onTestFinished } from 'vitest';
import { ledgerSource } from '../../../fixtures/ledger-source.ts';
import { load } from '../../../graph-loaders/load.ts';
import { readConfig } from '../../../src/config.ts';
import { type Context, openContext } from '../../../src/context.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { graphHistory } from '../../../src/graph/queries/read-history.ts';
import { readAndScore } from '../../../src/questions/scans/scan-address.ts';
import { createAccount } from '../../../src/records/accounts/accounts.ts';
import { inquire } from '../../../src/tracing/read/inquiry.ts';
import { fileOf } from '../../graph-loaders/loading.ts';
import { putLabels } from '../../labels/label-of.ts';
import { AS_OF, DAY, HOUR, label, party, receive, S, send, transfer } from '../../risk/world.ts';

const [THIEF, HOP, SHOP, FRIEND] = [party(1), party(2), party(3), party(4)];
const AT = AS_OF - 10 * DAY;

async function open(transfers: readonly Transfer[]) {
  let now = AS_OF;
  const config = readConfig({ LOG_LEVEL: 'silent', SCAN_TRACE_MS: '60000' });
  const ctx = await openContext(config, { inMemory: true, now: () => now });
  onTestFinished(() => ctx.close());
  ctx.labels.gap = async () => null;
  await putLabels(ctx.labels, [label(THIEF, 'theft')]);
  let given = transfers;
  const { id: account } = await createAccount(ctx.records, { name: 'Desk', planId: 'pro' }, now);
  const served: Context = { ...ctx, chainSource: async () => ledgerSource('ethereum', given).source };
  return {
    ctx,
    give: (next: readonly Transfer[]) => {
      given = next;
    },
    async scan(options: { maxAgeMs?: number; readsAll?: boolean; alone?: boolean } = {}) {
      now += HOUR;
      const { signal } = new AbortController();
      const { maxAgeMs = 0, readsAll = false, alone = false } = options;
      const reach = maxAgeMs > 0 ? 'none' : 'scan';
      const known = alone ? { ...ctx, chainSource: async () => null } : served;
      const inquiry = { ...(await inquire(known, account)), signal };
      const { result } = await readAndScore(
        inquiry,
        { chain: 'ethereum', address: S, lang: 'en' },
        { maxAgeMs, readsAll, reach },
      );
      const {
        level_basis: basis,
        level_note: note,
        coverage,
      } = result.metadata as {
        level_basis: string;
        level_note: string | null;
        coverage: { reasons: string[]; unexplained?: object[]; trace: { reasons: string[] } };
      };
      return { level: result.risk_level, basis, note, coverage };
    },
  };
}

const inBlock = { block: 7, position: null };
const STOLEN = transfer({ from: THIEF, to: HOP, usd: 5_000, at: AT, ...inBlock });
const PASSED = receive(HOP, 5_000, AT, inBlock);

it('takes for no clean origin what passed a wallet within one block of unknown order', async () => {
  const { scan } = await open([STOLEN, PASSED]);
  expect(['HIGH', 'CRITICAL']).toContain((await scan()).level);
});

it('shows where a wallet behind the address paid what it never received, and read again by a fresh scan alone', async () => {
  const { give, scan } = await open([PASSED]);
  const first = await scan();
  expect(first).toMatchObject({ level: 'LOW', basis: 'partial', coverage: { reasons: [] } });
  expect(first.coverage.trace.reasons).toContain('received_unseen');
  expect(first.note).toContain('paid more than is known');
  give([STOLEN, PASSED]);
  expect((await scan()).level).toBe('LOW');
  expect(['HIGH', 'CRITICAL']).toContain((await scan({ readsAll: true })).level);
});

it('is a gap of the address itself: more spent of an asset than ever came in', async () => {
  const spends = async (usd: number) => (await open([receive(FRIEND, 400, AT), send(SHOP, usd, AT + 1)])).scan();
  expect(await spends(410)).toMatchObject({ basis: 'full', coverage: { reasons: [] } });
  const more = await spends(900);
  expect(more).toMatchObject({ basis: 'partial', coverage: { reasons: ['received_unseen'], complete: false } });
  expect(more.coverage.unexplained).toEqual([{ asset: 'ETH', token: null, amount: expect.stringMatching(/^0?\.?\d/) }]);
  expect(more.note).toContain('more was paid than is known to have come in');
});

it('is said by a repeated scan: the graph knows of dealings after the reading that it relies on', async () => {
  const { ctx, scan } = await open([receive(FRIEND, 400, AT)]);
  expect(await scan()).toMatchObject({ basis: 'full' });
  const asked = { maxAgeMs: 10 * DAY };
  expect(await scan(asked)).toMatchObject({ basis: 'full', coverage: { reasons: [] } });
  await ingestTransfers(
    ctx.graph,
    [receive(SHOP, 300, AS_OF + 2 * HOUR, { source: 'ledger', readAt: AS_OF + 2 * HOUR })],
    new Map(),
  );
  const later = await scan(asked);
  expect(later).toMatchObject({ basis: 'partial', coverage: { reasons: ['moved_since'] } });
  expect(later.note).toContain('moved since it was read');
  await ingestTransfers(
    ctx.graph,
    [receive(SHOP, 200, AT - DAY, { source: 'ledger', readAt: AS_OF + 2 * HOUR })],
    new Map(),
  );
  expect((await scan(asked)).coverage.reasons).toEqual(['moved_since', 'conflict']);
});

it('is none where a file was declared to hold all from the beginning', async () => {
  const row = (nth: number, at: number, from: string, to: string, usd: number) =>
    `ethereum,0x${String(nth).repeat(64)},0,,${at / 1_000},${from},${to},ETH,${usd / 2_500},${usd}`;
  const file = (rows: string[]) =>
    fileOf('t.csv', ['chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd', ...rows].join('\n'));
  const rows = [row(1, AT, FRIEND, S, 400), row(2, AT + 1_000, S, SHOP, 100)];
  const loaded = async (whole: { fromStart: boolean } | undefined) => {
    const { ctx, scan } = await open([]);
    await load({ source: 'transfers', input: file(rows), ...(whole && { whole }) }, ctx);
    return scan({ alone: true });
  };
  expect(await loaded({ fromStart: true })).toMatchObject({
    level: 'LOW',
    basis: 'full',
    coverage: { complete: true, reasons: [] },
  });
  for (const whole of [{ fromStart: false }, undefined])
    expect(await loaded(whole)).toMatchObject({ basis: 'partial', coverage: { reasons: ['no_source_configured'] } });
});

it('knows a contract in a whole file by what it paid on within a transaction, and follows a swap over it', async () => {
  const [POOL, ROUTER] = [party(7), party(8)];
  let seq = 0;
  const row = (nth: number, from: string, to: string, asset: 'USDC' | 'ETH', usd: number) => {
    const [place, amount] = asset === 'ETH' ? [`trace:${seq++}`, usd / 2_500] : [`log:${seq++}`, usd];
    return `ethereum,0x${String(nth).repeat(64)},${place},,${AT / 1_000 + nth},${from},${to},${asset},${amount},${usd}`;
  };
  const rows = [
    row(1, party(9), POOL, 'ETH', 200_000),
    row(2, THIEF, HOP, 'USDC', 50_000),
    ...[row(3, HOP, ROUTER, 'USDC', 50_000), row(3, ROUTER, POOL, 'USDC', 50_000)],
    ...[row(3, POOL, ROUTER, 'ETH', 50_000), row(3, ROUTER, FRIEND, 'ETH', 49_900)],
    row(4, FRIEND, S, 'ETH', 49_000),
  ];
  const { ctx, scan } = await open([]);
  const input = fileOf('t.csv', ['chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd', ...rows].join('\n'));
  await load({ source: 'transfers', input, whole: { fromStart: true } }, ctx);
  expect((await scan({ alone: true })).level).toMatch(/HIGH|CRITICAL/);
  const types = await Promise.all(
    [ROUTER, HOP].map(async (address) => (await graphHistory(ctx.graph, 'ethereum', address)).addressType),
  );
  expect(types).toEqual(['contract', 'unknown']);
});

it('takes a wallet whose tokens an allowance moves on for no contract, and who serves two in their transactions, or is filled by five, for one', async () => {
  const [PULLED, SPLITTER, SPENDER, KEEPER, MARKET, LENDER, BRIDGE, PAID, TAKEN, DUSTED, ...PAYERS] = Array.from(
    { length: 15 },
    (_, i) => party(6 + i),
  ) as [string, string, string, string, string, string, string, string, string, string, ...string[]];
  let seq = 0;
  const row = (nth: number, [from, to]: [string, string], sender: string) =>
    `ethereum,0x${String(nth).repeat(64)},log:${seq++},,${AT / 1_000 + nth},${from},${to},USDC,100,100,${sender}`;
  const rows = [
    ...[row(1, [THIEF, PULLED], THIEF), row(1, [PULLED, HOP], THIEF)],
    ...[row(2, [THIEF, PULLED], SPENDER), row(2, [PULLED, HOP], SPENDER)],
    // Without a signer, tokens of several show nothing.
    ...[row(3, [FRIEND, S], ''), row(3, [S, HOP], ''), row(4, [THIEF, S], ''), row(4, [S, HOP], '')],
    ...[row(5, [THIEF, SPLITTER], THIEF), row(5, [SPLITTER, HOP], THIEF)],
    ...[row(6, [FRIEND, SPLITTER], FRIEND), row(6, [SPLITTER, HOP], FRIEND)],
    // Coin that another's transaction moves is a contract's.
    row(7, [KEEPER, HOP], HOP).replace('USDC', 'ETH'),
    // A market pays its depositors, each by his own call; an allowance of a wallet is for one.
    ...[row(8, [MARKET, FRIEND], FRIEND), row(8, [MARKET, HOP], HOP)],
    ...[row(9, [LENDER, HOP], HOP), row(9, [LENDER, HOP], HOP)],
    // A bridge pays for its one relayer; who has four payers, dust or one taking may be a wallet whose tokens were taken.
    ...PAYERS.map((payer) => row(1, [payer, BRIDGE], payer)),
    ...PAYERS.slice(1).map((payer) => row(2, [payer, PAID], payer)),
    ...PAYERS.map((payer) => row(1, [payer, TAKEN], payer)),
    ...PAYERS.map((payer) => row(2, [payer, DUSTED], payer).replace('100,100', '9,9')),
    ...[BRIDGE, PAID, DUSTED].flatMap((one) => [row(3, [one, HOP], SPENDER), row(4, [one, FRIEND], SPENDER)]),
    ...[row(5, [TAKEN, HOP], SPENDER), row(5, [TAKEN, FRIEND], SPENDER)],
  ];
  const { ctx } = await open([]);
  const head = 'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd,tx_sender';
  await load(
    { source: 'transfers', input: fileOf('t.csv', [head, ...rows].join('\n')), whole: { fromStart: true } },
    ctx,
  );
  const types = await Promise.all(
    [PULLED, S, LENDER, PAID, TAKEN, DUSTED, SPLITTER, KEEPER, MARKET, BRIDGE].map(
      async (one) => (await graphHistory(ctx.graph, 'ethereum', one)).addressType,
    ),
  );
  expect(types).toEqual([...Array(6).fill('unknown'), ...Array(4).fill('contract')]);
});
