import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TERMINAL_CATEGORIES, type TerminalCategory } from '../../src/domain/tracing/answers.ts';
import type { Graph } from '../../src/graph/port.ts';
import { graphStats } from '../../src/graph/queries/stats.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { getTerminals } from '../../src/tracing/answers/get-terminals.ts';
import { checkRelationship } from '../../src/tracing/answers/paths/check-relationship.ts';
import { findFlowPath } from '../../src/tracing/answers/paths/find-flow-path.ts';
import { ENGINES, type GraphEngine } from '../graph/engines.ts';
import { build, type World } from '../graph/world.ts';
import { lines, tracing } from './money.ts';

// Every expected value below was computed from the same files by a separate Python program: rationals instead of
// floats, and a replay with the rest of each receipt (a payment consists of all that its sender holds, in proportion); paths by trying every sequence of transfers. Nothing was copied from answers.

const DATA = new URL('../../../shared/data/', import.meta.url);
const RONIN = new URL('heist-ronin-ethdata/', DATA);
const TOKENS = new URL('graphsense-fixtures/account/eth/tokens/reference/', DATA);
/** Made up, so that the dollars can be checked by hand. */
const USD_PER_ETH = 2_000;

const THIEF = '0x098b716b8aaf21512996dc57eb0615e2383e2f96';
const SECOND = '0x53b6936513e738f44fb50d2b9476730c0ab3bfc1';
const THIRD = '0x35fb6f6db4fb05e6a4ce86f2c93691425626d4b1';
const LAST = '0x002c93452d54b6d64bfa9879fcab14a74f1bdd44';
const FUNDER = '0x4976a4a02f38326660d17bf34b431dc6e2eb2327';

function text(url: URL): string {
  return readFileSync(url, 'utf8').trim();
}

function addressesIn(file: string): string[] {
  return [...new Set([...text(new URL(file, RONIN)).matchAll(/\\x([0-9a-f]{40})/gi)].map(([, hex]) => `0x${hex}`))].map(
    (address) => address.toLowerCase(),
  );
}

/** The transfers of the theft, the nth of the file named `ronin-n`, as the file has no hashes. */
function theft() {
  const rows = text(new URL('LazarusTabularTxs1322519.csv', RONIN)).split('\n').slice(1);
  return rows.map((row, i) => {
    const [time = '', from = '', to = '', eth = ''] = row.replaceAll('\\x', '0x').split(',');
    const amount = eth.includes('e') ? Number(eth).toFixed(18) : eth;
    return {
      from,
      to,
      at: Date.parse(time),
      amount,
      usd: Number(eth) * USD_PER_ETH,
      asset: 'ETH',
      txHash: `ronin-${i + 1}`,
    };
  });
}

/** Where money was cashed out: whoever got 1,000 ETH or more and paid nothing on. */
function cashOuts(transfers: ReturnType<typeof theft>): string[] {
  const received = new Map<string, number>();
  for (const { to, amount } of transfers) received.set(to, (received.get(to) ?? 0) + Number(amount));
  const paid = new Set(transfers.filter(({ usd }) => usd > 0).map(({ from }) => from));
  return [...received].filter(([address, eth]) => eth >= 1_000 && !paid.has(address)).map(([address]) => address);
}

const chain = 'ethereum';
const ask = { chain, maxHops: 4, limit: 200 } as const;
const search = { chain, maxHops: 4, minUsd: 0, timeOrdered: true, maxPaths: 5, throughServices: false } as const;
const categories = Object.keys(TERMINAL_CATEGORIES) as TerminalCategory[];

let engine: GraphEngine;
beforeAll(async () => {
  engine = await ENGINES.grafeo();
});
afterAll(() => engine?.close());

describe.skipIf(!existsSync(RONIN))('the theft from the Ronin bridge (skipped where ../shared/data is absent)', () => {
  let graph: Graph;
  beforeEach(async () => {
    graph = await engine.open();
    const transfers = theft();
    const marked = (addresses: string[], category: 'scam' | 'exchange' | 'sanctioned') =>
      addresses.map((address) => [address, { category, label: category }] as const);
    const labels: World['labels'] = Object.fromEntries([
      ...marked(addressesIn('EtherScanFlaggedByAddress1322768.csv'), 'scam'),
      ...marked(cashOuts(transfers), 'exchange'),
      ...marked([THIEF], 'sanctioned'),
    ]);
    await build(graph, { transfers, labels });
  });

  it('holds what moved something: 311 of 436 transfers', async () => {
    expect(theft().length).toBe(436);
    expect(await graphStats(graph)).toMatchObject({
      addresses: 214,
      transfers: 311,
      flows: 231,
      categories: expect.arrayContaining([{ category: 'exchange', addresses: 52 }]),
    });
  });

  it('says whose money the second wallet held and where it paid it', async () => {
    const answer = await getExposure(tracing(graph), { ...ask, address: SECOND });
    expect(lines(answer)).toEqual([
      'received sanctioned direct: 43258964.3 at 1',
      'sent exchange direct: 43099982.8 at 1',
    ]);
    expect(answer.direct[1]).toMatchObject({ address_count: 3, share: 1 });
    expect(answer.received_usd).toBeCloseTo(43_258_965.1371554, 5);
    expect(answer.unattributed_usd).toBeCloseTo(0.8371554, 5);
  });

  it('traces the largest cash-out back to the thief, and leaves the dust of strangers', async () => {
    const answer = await getExposure(tracing(graph), { ...ask, address: LAST });
    expect(lines(answer)).toEqual(['received sanctioned indirect: 17442582.796049 at 2']);
    expect(answer.unattributed_usd).toBeCloseTo(0.003951, 5);
    expect(answer.indirect[0]?.top[0]?.path.map((hop) => [hop.tx_hash, hop.amount])).toEqual([
      ['ronin-283', '21629.48215'],
      ['ronin-409', '8721.2914'],
    ]);
  });

  it('finds every cash-out of the thief’s money, the largest first', async () => {
    const { terminals } = await getTerminals(tracing(graph), { ...ask, address: THIEF, categories });
    expect(terminals.length).toBe(52);
    expect(terminals.filter(({ hops }) => hops === 1).length).toBe(16);
    const total = terminals.reduce((sum, { usd }) => sum + usd, 0);
    expect(total).toBeCloseTo(364_043_624.896588, 5);
    expect(terminals.slice(0, 4).map(({ address, usd, hops }) => [address, usd, hops])).toEqual([
      [LAST, 17_442_582.796049, 2],
      ['0x9e1e41985048c07a68a67f632f82799baaf903b1', 17_012_799.888376, 2],
      ['0x99b6843f8410ee696b7487a5535dd5b0ca32a12d', 14_018_999.468999, 2],
      ['0x622163f3f21752d359216343df88e9108495ca14', 13_225_599.997004, 2],
    ]);
    const near = await getTerminals(tracing(graph), { ...ask, address: THIEF, maxHops: 1, categories });
    expect(near.terminals.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(74_651_915.36, 4);
    // The list of flagged addresses is of other crimes: it has nobody of this one.
    expect((await getTerminals(tracing(graph), { ...ask, address: THIEF, categories: ['scam'] })).terminals).toEqual(
      [],
    );
  });

  it('finds the one way from the thief to the largest cash-out, and none back', async () => {
    const { paths } = await findFlowPath(tracing(graph), { ...search, from: THIEF, to: LAST });
    expect(paths.map(({ bottleneck_usd, hops }) => [bottleneck_usd, hops.map((hop) => hop.tx_hash)])).toEqual([
      [17_442_582.8, ['ronin-283', 'ronin-409']],
    ]);
    expect(paths[0]).toMatchObject({ first_at: '2022-04-21T07:19:19.000Z', last_at: '2022-05-03T07:15:20.000Z' });
    expect((await findFlowPath(tracing(graph), { ...search, from: LAST, to: THIEF })).found).toBe(false);
  });

  it('passes through the thief only when asked to', async () => {
    const request = { ...search, from: FUNDER, to: LAST };
    const stopped = await findFlowPath(tracing(graph), request);
    expect([stopped.found, stopped.searched.reasons]).toEqual([false, ['not_read', 'service_stop']]);
    const { paths } = await findFlowPath(tracing(graph), { ...request, throughServices: true });
    expect(paths.map(({ bottleneck_usd, hops }) => [bottleneck_usd, hops.map((hop) => hop.tx_hash)])).toEqual([
      [2_113.8, ['ronin-136', 'ronin-283', 'ronin-409']],
    ]);
  });

  it('relates two wallets by the thief who paid both and by the same senders of dust', async () => {
    const answer = await checkRelationship(tracing(graph), { chain, a: SECOND, b: THIRD, limit: 10 });
    expect(answer).toMatchObject({
      related: true,
      direct: { a_to_b: null, b_to_a: null },
      shortest_path: null,
      shared_count: 3,
      shared_services: [],
    });
    expect(answer.shared_counterparties.map(({ address }) => address)).toEqual([
      THIEF,
      '0x346e95e6b7d5b266b9fff6d2e7dadef84933bfe5',
      '0x40225b91d29e27134bd81ab188fe318314ef0568',
    ]);
    const [thief, dust] = answer.shared_counterparties;
    expect(thief?.with_a).toMatchObject({ sent: null, received: { usd: 43_258_964.3, tx_hash: 'ronin-283' } });
    expect(thief?.with_b).toMatchObject({ sent: null, received: { usd: 67_136_304, tx_hash: 'ronin-426' } });
    expect(dust?.with_a.received).toMatchObject({ tx_count: 2, usd: 0.8118, first_at: '2022-05-07T20:41:38.000Z' });
  });

  it('stops at the first wallet of the published list of the thieves', async () => {
    const own = await engine.open();
    const thieves = addressesIn('LazarusGroup.txt');
    expect(thieves.length).toBe(8);
    const labels = Object.fromEntries(
      thieves.map((address) => [address, { category: 'sanctioned', label: 'thieves' } as const]),
    );
    await build(own, { transfers: theft(), labels });
    const { terminals } = await getTerminals(tracing(own), { ...ask, address: THIEF, categories });
    expect(terminals.map(({ address, usd, hops }) => [address.slice(0, 6), usd, hops])).toEqual([
      ['0x35fb', 67_136_304, 1],
      ['0xf7b3', 50_255_038.4, 1],
      ['0x3e37', 47_057_600, 1],
      ['0x53b6', 43_258_964.3, 1],
      ['0xa0e1', 36_513_620, 1],
      ['0x0872', 25_190_600, 1],
      ['0x3cff', 20_259_870, 1],
    ]);
  });
});

/** The Tether transfers of five blocks; all of one block happened at one time, so that only places order them. */
function tether() {
  const hex = (base64: string) => `0x${Buffer.from(base64, 'base64').toString('hex')}`;
  return text(new URL('USDT_token_transfers.json', TOKENS))
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((row) => ({
      from: hex(row.from),
      to: hex(row.to),
      txHash: hex(row.txHash),
      index: `log:${row.logIndex}`,
      seq: row.logIndex as number,
      block: row.blockId as number,
      position: row.transactionIndex as number,
      at: 1_655_778_600_000 + (row.blockId - 15_000_000) * 12_000,
      asset: 'USDT',
      amount: String(row.value / 1e6),
      usd: row.value / 1e6,
    }));
}

describe.skipIf(!existsSync(TOKENS))('Tether of five real blocks (skipped where ../shared/data is absent)', () => {
  const EXCHANGE = '0xec30d02f10353f8efc9601371f56e808751f396f';
  const AGGREGATOR = '0x1111111254fb6c44bac0bed2854e76f90643097d';
  const POOL = '0xba12222222228d8ba445958a75a0704d566bf2c8';
  const ARBITRAGE = '0xb23dc3f00856288cd7b6bde5d06159f01b75aa4c';
  let graph: Graph;
  beforeEach(async () => {
    graph = await engine.open();
    const transfers = tether();
    const payers = transfers.filter(({ to }) => to === EXCHANGE).map(({ from }) => from);
    const labels = Object.fromEntries(
      payers.map((from) => [from, { category: 'sanctioned', label: 'payer' } as const]),
    );
    await build(graph, { transfers, labels });
  });

  it('agrees with the relations that their publisher computed, pair by pair', async () => {
    const read = (file: string) =>
      text(new URL(file, TOKENS))
        .split('\n')
        .map((line) => JSON.parse(line));
    const address = new Map(
      read('addresses.json').map((row) => [row.addressId, `0x${Buffer.from(row.address, 'base64').toString('hex')}`]),
    );
    const relations = read('address_relations.json').filter((row) => row.tokenValues?.USDT);
    expect(relations.length).toBe(143);
    for (const { srcAddressId, dstAddressId, tokenValues } of relations) {
      const [a = '', b = ''] = [address.get(srcAddressId), address.get(dstAddressId)];
      const { related, direct } = await checkRelationship(tracing(graph), { chain, a, b, limit: 1 });
      expect([related, direct.a_to_b?.usd], `${a} ${b}`).toEqual([true, tokenValues.USDT.value / 1e6]);
    }
  });

  it('charges nobody with money that arrived after the payment', async () => {
    const paid = await getExposure(tracing(graph), { ...ask, address: EXCHANGE });
    expect(lines(paid)).toEqual(['received sanctioned direct: 522247.9407 at 1']);
    // It paid in the first of the blocks, and was paid in the later ones.
    const later = await getExposure(tracing(graph), {
      ...ask,
      address: '0x71c644669afa031c0efbd48efc11b11077f01ba1',
    });
    expect([lines(later), later.received_usd, later.unattributed_usd]).toEqual([[], 67_718.75, 67_718.75]);
  });

  it('follows money through one transaction in the order of its events, and not against it', async () => {
    const through = await findFlowPath(tracing(graph), {
      ...search,
      from: POOL,
      to: '0x23376527e49b3db2a1d382583c2f65400cb1f33d',
    });
    expect(through.paths.map(({ length, bottleneck_usd }) => [length, bottleneck_usd])).toEqual([[2, 191_355.616003]]);
    expect(new Set(through.paths[0]?.hops.map((hop) => hop.tx_hash))).toEqual(
      new Set(['0x87336d6f18bcf63ac43ed779bc23f72a3e01ddff8f731141dae7d80dd47d7b2b']),
    );
    expect(through.paths[0]?.hops[0]?.to).toBe(AGGREGATOR);

    // Here the middle paid at event 20 of the transaction what it was paid only at event 24.
    const against = {
      ...search,
      from: '0x7e9a225f4d518176328a6938ee4e99cd2c776316',
      to: '0x581473efa76e547bb9858b2034590b7716a6d27e',
    };
    expect((await findFlowPath(tracing(graph), against)).found).toBe(false);
    const unordered = await findFlowPath(tracing(graph), { ...against, timeOrdered: false });
    expect(unordered.paths.map(({ bottleneck_usd, hops }) => [bottleneck_usd, hops[0]?.to])).toEqual([
      [118.711947, ARBITRAGE],
    ]);
  });
});
