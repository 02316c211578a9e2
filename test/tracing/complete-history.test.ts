import { describe, expect, onTestFinished } from 'vitest';
import { ledgerSource } from '../../fixtures/ledger-source.ts';
import { load as loadFile } from '../../graph-loaders/load.ts';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import type { Chain } from '../../src/domain/chain.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import type { Graph } from '../../src/graph/port.ts';
import { openPresignCheck } from '../../src/questions/check-presign.ts';
import { readAndScore } from '../../src/questions/scans/scan-address.ts';
import { parsePresign } from '../../src/routes/scans/presign.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { inquire } from '../../src/tracing/read/inquiry.ts';
import { engineCases } from '../graph/engine-cases.ts';
import { ENGINES } from '../graph/engines.ts';
import { build } from '../graph/world.ts';
import { fileOf } from '../graph-loaders/loading.ts';
import { putLabels } from '../labels/label-of.ts';
import { AS_OF, DAY, label, party, receive, S, send, transfer } from '../risk/world.ts';

const [LISTED, FRIEND, SHOP] = [party(1), party(2), party(3)];
const RECENT = AS_OF - 10 * DAY;
/** All that the address's own source gives. */
const OWN = [receive(FRIEND, 400, RECENT), send(SHOP, 100, RECENT + DAY)];

describe.each(Object.entries(ENGINES))('dealings that the graph alone knows, on %s', (_engine, start) => {
  let graph: Graph;
  const works = engineCases(start, (given) => {
    graph = given;
  });

  async function open(own: readonly Transfer[]): Promise<Context> {
    const ctx = await openContext(readConfig({ LOG_LEVEL: 'silent', PRESIGN_STORES_MS: '10000' }), {
      inMemory: true,
      now: () => AS_OF,
    });
    onTestFinished(() => ctx.close());
    await putLabels(ctx.labels, [label(LISTED, 'sanctioned')]);
    const { source } = ledgerSource('ethereum', own);
    return { ...ctx, graph, chainSource: async () => source };
  }

  async function scan(ctx: Context, address = S, chain: Chain = 'ethereum') {
    const { signal } = new AbortController();
    const rules = { maxAgeMs: 0, readsAll: false, reach: 'none' } as const;
    const inquiry = { ...(await inquire(ctx, 'a')), signal };
    return (await readAndScore(inquiry, { chain, address, lang: 'en' }, rules)).result;
  }

  const load = (transfers: Transfer[]) =>
    build(graph, { transfers, labels: { [LISTED]: { category: 'sanctioned', label: 'Listed' } } });

  const check = async (ctx: Context) =>
    (await openPresignCheck(ctx)(parsePresign({ chain: 'ethereum', to: S }), 'a')).verdict;

  works('count as direct dealings of a scan and of a check before signing alike', async () => {
    const ctx = await open(OWN);
    expect(await scan(ctx)).toMatchObject({ risk_level: 'LOW', metadata: { coverage: { sources: ['ledger'] } } });
    await expect.poll(() => check(ctx)).toBe('ok');
    await load([receive(LISTED, 1_500, RECENT - DAY, { index: '4' })]);
    await expect.poll(() => check(ctx)).toBe('danger');
    const found = await scan(ctx);
    expect(found).toMatchObject({
      risk_level: 'CRITICAL',
      flow_totals: { received: { ETH: 0.95 }, sent: { ETH: 0.05 } },
      metadata: { counterparty_count: 3, coverage: { sources: ['ledger', 'graph'], transfers: 3 } },
    });
    expect(found.detections).toContainEqual(
      expect.objectContaining({
        detector_id: 'sanctions_direct',
        severity: 'CRITICAL',
        details: expect.objectContaining({ measured: expect.objectContaining({ usd: 1_500, of_usd: 1_900 }) }),
      }),
    );
    await expect.poll(() => check(ctx)).toBe('danger');
  });

  works('count neither in level nor in exposure where a whole fresh reading lacks them, and are named', async () => {
    const at = AS_OF - 5 * 60_000;
    const seen = { source: 'ledger', readAt: AS_OF - 60_000 };
    const direct = receive(LISTED, 1_500, at, seen);
    const indirect = receive(SHOP, 900, at + 1, seen);
    await load([direct, indirect, transfer({ from: LISTED, to: SHOP, usd: 900, at: RECENT - DAY })]);
    const stating = async (ctx: Context, stated: readonly Transfer[]) => {
      const { source } = ledgerSource('ethereum', OWN);
      const transaction = async (txHash: string) => {
        const transfers = stated.filter((one) => one.txHash === txHash);
        const more = { block: 1, at, accounts: [], type: null };
        return transfers.length > 0 ? { txHash, transfers, status: 'success' as const, ...more } : null;
      };
      return scan({ ...ctx, chainSource: async () => ({ ...source, transaction }) });
    };
    const ctx = await open(OWN);
    // The list lags: the chain confirms both.
    const late = await stating(ctx, [direct, indirect]);
    expect(late).toMatchObject({ risk_level: 'CRITICAL', metadata: { coverage: { transfers: 4, reasons: [] } } });
    expect(late.metadata.coverage).not.toHaveProperty('unconfirmed');
    await expect.poll(() => check(ctx)).toBe('danger');
    const gone = await stating(ctx, []);
    expect(gone).toMatchObject({ risk_level: 'LOW', metadata: { coverage: { reasons: ['unconfirmed_left_out'] } } });
    const { unconfirmed, transfers, trace } = gone.metadata.coverage as Record<string, unknown>;
    expect(transfers).toBe(OWN.length);
    expect(trace).toMatchObject({ attributed: { received: 0 } });
    expect(unconfirmed).toHaveLength(2);
    expect(unconfirmed).toContainEqual(expect.objectContaining({ tx_hash: direct.txHash, from: LISTED, usd: 1_500 }));
    // Nor does any other question follow them, and they stay named.
    await expect.poll(() => check(ctx)).toBe('ok');
    const exposure = await getExposure(await inquire(ctx, null), {
      chain: 'ethereum',
      address: S,
      maxHops: 3,
      limit: 100,
    });
    expect(exposure.received_usd).toBe(400);
    expect((await stating(ctx, [])).metadata.coverage).toMatchObject({ unconfirmed: [{}, {}] });
  });

  works('count once beside what the source gives of them', async () => {
    const paid = receive(LISTED, 1_500, RECENT - DAY, { index: 'log:4', id: 'ethereum:0xab:log:4', txHash: '0xab' });
    const ctx = await open([...OWN, paid]);
    const before = await scan(ctx);
    await load([{ ...paid, index: '1', id: 'ethereum:0xab:1', source: null }]);
    const after = await scan(ctx);
    expect(after.flow_totals).toEqual(before.flow_totals);
    expect(after).toMatchObject({ risk_score: before.risk_score, metadata: { coverage: { transfers: 3 } } });
  });

  works('are judged where the source does not know the address at all', async () => {
    const ctx = await open([transfer({ from: FRIEND, to: SHOP, usd: 1 })]);
    await expect(scan(ctx)).rejects.toThrow('Address not found on ethereum');
    await load([receive(LISTED, 1_500, RECENT)]);
    expect(await scan(ctx)).toMatchObject({ risk_level: 'CRITICAL' });
  });

  works('include bait of a loaded file, for its victim and for the bait address', async () => {
    const [genuine, bait] = [`0xabcd${'2'.repeat(32)}1234`, `0xabcd${'3'.repeat(32)}1234`];
    const file = fileOf(
      't.csv',
      [
        'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd',
        `ethereum,0x${'1'.repeat(64)},0,,${(RECENT - DAY) / 1_000},${S},${genuine},USDT,900,`,
        `ethereum,0x${'2'.repeat(64)},0,,${RECENT / 1_000},${S},${bait},USDT,0,`,
      ].join('\n'),
    );
    const ctx = { ...(await open([])), chainSource: async () => null };
    expect(await loadFile({ source: 'transfers', input: file }, ctx)).toMatchObject({ loaded: 2, skipped: 0 });
    const found = async (address: string) => {
      const { risk_level, detections } = await scan(ctx, address);
      const one = detections.find(({ detector_id }) => detector_id === 'address_poisoning');
      return [risk_level, one?.severity, one?.details.measured];
    };
    expect(await found(S)).toMatchObject(['LOW', 'LOW', { lookalike: bait, genuine, kind: 'zero_value' }]);
    expect(await found(bait)).toMatchObject(['HIGH', 'HIGH', { victim: S, genuine, kind: 'zero_value' }]);
  });

  works('include who spent together with an address of Bitcoin in a loaded file', async () => {
    const [own, listed] = ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'];
    const paid = { chain: 'bitcoin', to: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', asset: 'BTC', txHash: 'f1' } as const;
    const joint = [own, listed].map((from) => transfer({ ...paid, from, index: 'out:0', apportioned: true, usd: 900 }));
    const ctx = { ...(await open([])), chainSource: async () => null };
    await ctx.labels.put([label(listed, 'theft', { chain: 'bitcoin' })], {
      stamp: await ctx.labels.beginLoad(),
      list: false,
    });
    await build(graph, { transfers: joint });
    const { detections } = await scan(ctx, own, 'bitcoin');
    expect(detections).toMatchObject([{ detector_id: 'co_spent_with_listed', severity: 'HIGH' }]);
  });
});
