import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { load } from '../../../graph-loaders/load.ts';
import { EVM_CHAINS } from '../../../src/domain/chain.ts';
import type { Endings } from '../../../src/labels/put-labels.ts';
import { savePrices } from '../../../src/prices/price-store.ts';
import type { ScanAnswer } from '../../../src/questions/scans/record-scan.ts';
import { openTestApp } from '../../app/test-app.ts';
import { explorerUpstream } from '../../chains/evm/test-explorer.ts';
import { hashOf, timeOf, transaction } from '../../chains/evm/world.ts';
import { type ServedUpstream, serveUpstream } from '../../contract/upstream.ts';
import { folderOf, SHARED_MISSING, shared } from '../../graph-loaders/loading.ts';

const LAZARUS = '0x098b716b8aaf21512996dc57eb0615e2383e2f96';
const TORNADO = '0x722122df12d4e14e13ac3b6895a86e84145b6967';
const PHISHER = '0x80d7bb18521acbef32d7906502ebe94928690e93';
const FAKE_TOKEN = '0xf193a9afb00715aacf7ca9ebffafe02c77517c2e';
const EXCHANGE = '0x05f51aab068caa6ab7eeb672f88c180f67f17ec7';
const ANOTHER_EXCHANGE = '0x3f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be';
const TRON_UNDER_XBT = 'TUCsTq7TofTCJRRoHk6RvhMoS2mJLm5Yzq';

const PERSON = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
const FRIEND = '0x1111111111111111111111111111111111111111';
const PAYER = '0x2222222222222222222222222222222222222222';
const MIXER_USER = '0x3333333333333333333333333333333333333333';
const EARLIER_VICTIM = '0x7777777777777777777777777777777777777777';
const VICTIM = '0x4444444444444444444444444444444444444444';
const DUSTED = '0x5555555555555555555555555555555555555555';

const ETHER = 10n ** 18n;
const payments: [from: string, to: string, value: bigint][] = [
  [EXCHANGE, PERSON, 5n * ETHER],
  [PERSON, FRIEND, 2n * ETHER],
  [ANOTHER_EXCHANGE, PAYER, 3n * ETHER],
  [PAYER, LAZARUS, ETHER],
  [ANOTHER_EXCHANGE, MIXER_USER, 9n * ETHER],
  [MIXER_USER, TORNADO, 8n * ETHER],
  // Who pays a scam before anybody else does is not taken for its victim.
  [EARLIER_VICTIM, PHISHER, ETHER],
  [ANOTHER_EXCHANGE, VICTIM, 4n * ETHER],
  [VICTIM, PHISHER, 4n * ETHER],
  [ANOTHER_EXCHANGE, DUSTED, 7n * ETHER],
  [LAZARUS, DUSTED, ETHER / 10_000n],
  ['0x6666666666666666666666666666666666666666', FAKE_TOKEN, ETHER],
];

/** The chain's real parties with invented payments, asked as any explorer. */
const chain = explorerUpstream(
  {
    head: 1_000_000,
    tokens: {},
    transactions: payments.map(([from, to, value], n) =>
      transaction({ hash: hashOf(`real ${n}`), block: 1_000 + n * 7_200, from, to, value }),
    ),
  },
  { style: 'etherscan' },
);

describe.skipIf(SHARED_MISSING)('with real public lists (the shared test data)', () => {
  let explorer: ServedUpstream;
  beforeAll(async () => {
    explorer = await serveUpstream(chain);
  });
  afterAll(() => explorer.close());

  const title = 'known addresses and whoever dealt with them get their levels, and Tornado Cash its delisting';
  it(title, { timeout: 180_000 }, async () => {
    const test = await openTestApp({
      ETHEREUM_EXPLORER_URL: `${explorer.url}/api`,
      ETHEREUM_EXPLORER_STYLE: 'etherscan',
      ETHEREUM_EXPLORER_KEY: 'k',
    });
    const headers = await test.headers('enterprise');
    const loadList = async (source: string, input: string, endings: Endings = 'wait') => {
      const report = await load({ source, input, endings }, test.ctx);
      test.time.at += 1_000;
      return report;
    };
    const ask = async (url: string) => {
      const reply = await test.app.inject({ url: `/api/v1/public/${url}`, headers });
      expect(reply.statusCode, reply.body).toBe(200);
      return reply.json();
    };
    const scan = async (address: string) => {
      const answer: ScanAnswer = await ask(`scan?address=${address}`);
      const { risk_level, risk_score, detections } = answer;
      return [risk_level, risk_score, ...detections.map((one) => one.detector_id)];
    };
    const presign = async (on: string, to: string) => {
      const answer = await ask(`presign/check?chain=${on}&to=${to}`);
      const fromLabels = (name: string) => name !== 'never_seen' && name !== 'scan_risk';
      const signals = Object.keys(answer.signals).filter((name) => fromLabels(name) && answer.signals[name]);
      return [answer.verdict, answer.score, ...signals];
    };

    const days = [...Array(400).keys()].map((day) => new Date(timeOf(0) + day * 86_400_000).toISOString().slice(0, 10));
    await savePrices(
      test.ctx.records,
      days.map((date) => ({ date, asset: 'ETH', usd: 1_000 })),
    );
    await loadList('ofac-list', shared('ofac-0xb10c'));
    await loadList('tagpack', shared('graphsense-tagpacks/packs/ofac.yaml'));
    await loadList('tagpack', shared('graphsense-tagpacks/packs/tornado_cash.yaml'));
    await loadList('forta', shared('forta-labelled/labels/1/etherscan_malicious_labels.csv'));
    await loadList('darklist', shared('mew-darklist/addresses-darklist.json'));
    await loadList('eth-labels', shared('eth-labels/mainnet-2022-exchange.csv'));

    expect(await scan(LAZARUS)).toEqual(['CRITICAL', 100, 'sanctions_self']);
    expect(await scan(TORNADO)).toEqual(['CRITICAL', 100, 'sanctions_self', 'subject_category']);
    expect(await scan(PHISHER)).toEqual(['CRITICAL', 90, 'subject_category']);
    expect(await scan(FAKE_TOKEN)).toEqual(['CRITICAL', 90, 'subject_category']);
    expect(await scan(TRON_UNDER_XBT)).toEqual(['CRITICAL', 100, 'sanctions_self']);
    expect(await scan(EXCHANGE)).toEqual(['LOW', 0]);
    expect(await scan(PERSON)).toEqual(['LOW', 0]);
    expect(await scan(PAYER)).toEqual(['CRITICAL', 95, 'sanctions_direct']);
    expect(await scan(MIXER_USER)).toEqual(['CRITICAL', 95, 'sanctions_direct']);
    expect(await scan(VICTIM)).toEqual(['MEDIUM', 41, 'scam_exposure']);
    expect(await scan(DUSTED)).toEqual(['LOW', 20, 'sanctions_direct']);

    for (const on of EVM_CHAINS) expect(await presign(on, LAZARUS)).toEqual(['danger', 100, 'sanctioned']);
    expect(await presign('tron', TRON_UNDER_XBT)).toEqual(['danger', 100, 'sanctioned']);
    expect(await presign('ethereum', TORNADO)).toEqual(['danger', 100, 'sanctioned', 'mixer']);
    expect(await presign('ethereum', PHISHER)).toEqual(['danger', 90, 'scamdb_hit']);
    expect(await presign('ethereum', FAKE_TOKEN)).toEqual(['danger', 90, 'scamdb_hit']);
    expect(await presign('ethereum', EXCHANGE)).toEqual(['ok', 0]);
    expect(await presign('ethereum', PERSON)).toEqual(['ok', 0]);
    // As the scans above rated them.
    for (const bad of [PAYER, MIXER_USER]) expect(await presign('ethereum', bad)).toEqual(['danger', 95]);
    expect(await presign('ethereum', VICTIM)).toEqual(['caution', 41]);
    expect(await presign('ethereum', DUSTED)).toEqual(['ok', 0]);

    // The list of 2024 without the 90 EVM addresses that that of 2026 no longer names.
    const still = new Set(
      readFileSync(shared('ofac-ultrasound/data.csv'), 'utf8')
        .split('\n')
        .map((row) => row.split(',')[0]!.toLowerCase()),
    );
    const files = readdirSync(shared('ofac-0xb10c')).filter((name) => name.endsWith('.txt'));
    const newer = files.map((name) => {
      const rows = readFileSync(shared(`ofac-0xb10c/${name}`), 'utf8').split('\n');
      return [name, rows.filter((row) => !row.startsWith('0x') || still.has(row.toLowerCase())).join('\n')];
    });
    await loadList('ofac-list', folderOf(Object.fromEntries(newer)), 'end');
    expect(await presign('ethereum', TORNADO)).toEqual(['danger', 85, 'delisted', 'mixer']);
    // The label gives 85; a detection as grave as the level, and the sanctions before, add to it.
    expect(await scan(TORNADO)).toEqual(['CRITICAL', 92, 'subject_category', 'sanctions_self']);
    expect(await scan(MIXER_USER)).toEqual(['CRITICAL', 95, 'sanctions_direct']);
    expect(await presign('ethereum', LAZARUS)).toEqual(['danger', 100, 'sanctioned']);
  });
});
