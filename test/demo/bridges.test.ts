import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWN_STORIES } from '../../fixtures/demo/levels.ts';
import { type Demo, startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import type { suggestAddresses } from '../../src/questions/cases/suggest-addresses.ts';
import type { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import type { getTerminals } from '../../src/tracing/answers/get-terminals.ts';

describe('a theft over two bridges to an exchange on a third chain', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED });
  });
  afterAll(() => demo?.close());
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${demo.url}/api/v1${path}`, { headers: { 'x-api-key': demo.keys.enterprise } });
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  };
  const post = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${demo.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': demo.keys.enterprise, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.ok, path).toBe(true);
    return (await response.json()) as T;
  };
  const address = (chain: Chain, name: string, story = 'bridge_theft') =>
    roleOf(demo.world, chain, story, name).address;
  const txBetween = (chain: Chain, from: string, to: string) =>
    demo.world.moves[chain].find((move) => move.from === from && move.to === to)!.txHash;

  it('is named by one scan of the last wallet, with each hop and both transactions of both bridges', {
    timeout: 120_000,
  }, async () => {
    const last = address('optimism', 'ferry_5');
    const scan = await get<{
      risk_level: string;
      detections: { detector_id: string; description: string; details: { ways?: { path: string[] }[] } }[];
      metadata: { coverage: { trace: unknown } };
    }>(`/public/scan?address=${last}&chain=optimism`);
    const named = scan.detections.filter(({ description }) => description.includes('Kelp Vault exploiter'));
    expect(scan.metadata.coverage.trace).toMatchObject({ frontier: [], attributed: { received: 1, sent: 1 } });
    expect(named).toHaveLength(1);
    // What left the thief is more than what arrived here: the bridges took their fees.
    expect(named[0]!.description).toContain('100% of the inflow (88,400 USD) comes from');
    const { indirect } = await get<Awaited<ReturnType<typeof getExposure>>>(
      `/exposure/${last}?chain=optimism&max_hops=5`,
    );
    const [theft] = indirect.filter(({ direction, category }) => direction === 'received' && category === 'theft');
    expect(theft).toMatchObject({
      min_hops: 5,
      top: [{ chain: 'ethereum', address: address('ethereum', 'vault_thief') }],
    });
    const { path } = theft!.top[0]!;
    expect(path.map(({ chain, to, bridge }) => [chain, to, bridge?.destination.chain ?? null])).toEqual([
      ['ethereum', address('ethereum', 'ferry_1'), null],
      ['ethereum', address('arbitrum', 'ferry_2'), 'arbitrum'],
      ['arbitrum', address('arbitrum', 'ferry_3'), null],
      ['arbitrum', address('optimism', 'ferry_4'), 'optimism'],
      ['optimism', last, null],
    ]);
    const crossed = path.flatMap(({ bridge }) => (bridge ? [bridge] : []));
    expect(
      crossed.every(
        ({ match, protocol, source, destination }) =>
          match === 'id' && protocol === 'across' && source.tx_hash && destination.tx_hash,
      ),
    ).toBe(true);
    expect(crossed.map(({ bridge_fee }) => bridge_fee)).toEqual(['100', '100']);
    const inScan = named[0]!.details.ways![0]!.path.map((id) => id.split('#')[0]);
    expect(inScan).toEqual(
      path.toReversed().flatMap(({ tx_hash, bridge }) => (bridge ? [bridge.destination.tx_hash, tx_hash] : [tx_hash])),
    );
    expect(path[0]!.tx_hash).toBe(
      txBetween('ethereum', address('ethereum', 'vault_thief'), address('ethereum', 'ferry_1')),
    );
  });

  it('grades every wallet beyond a bridge as the table of levels says', { timeout: 120_000 }, async () => {
    for (const chain of ['optimism', 'arbitrum'] as const) {
      for (const [name, { level, detections = [] }] of Object.entries(OWN_STORIES[chain]!.bridge_theft!)) {
        type Graded = { risk_level: string; detections: { detector_id: string; severity: string }[] };
        const scan = await get<Graded>(`/public/scan?address=${address(chain, name)}&chain=${chain}`);
        const found = scan.detections.map(({ detector_id, severity }) => `${detector_id} ${severity}`);
        expect({ name, level: scan.risk_level }).toEqual({ name, level });
        expect(found, name).toEqual(expect.arrayContaining(detections));
      }
    }
  });

  it('suggests for a case the addresses of other chains under their own chain, and none that it holds', {
    timeout: 120_000,
  }, async () => {
    const subject = { chain: 'optimism', address: address('optimism', 'ferry_5') } as const;
    const held = { chain: 'arbitrum', address: address('arbitrum', 'ferry_2') } as const;
    await get(`/public/scan?address=${subject.address}&chain=optimism`);
    const { case: opened } = await post<{ case: { id: string } }>('/cases', { title: 'Kelp Vault' });
    await post(`/cases/${opened.id}/addresses`, { ...subject, role: 'subject' });
    await post(`/cases/${opened.id}/addresses`, { ...held, role: 'intermediary' });
    const { suggestions } = await get<Awaited<ReturnType<typeof suggestAddresses>>>(`/cases/${opened.id}/suggestions`);
    const back = suggestions.filter(({ direction, usd }) => direction === 'received' && usd > 1_000);
    expect(back.map((one) => [one.hop, one.chain, one.address])).toEqual([
      [5, 'ethereum', address('ethereum', 'vault_thief')],
      [1, 'optimism', address('optimism', 'ferry_4')],
      [2, 'arbitrum', address('arbitrum', 'ferry_3')],
      [4, 'ethereum', address('ethereum', 'ferry_1')],
    ]);
  });

  it('shows where the money left for a chain that is not served', { timeout: 120_000 }, async () => {
    const strait = address('ethereum', 'strait', 'bridge_without_source');
    await get(`/public/scan?address=${strait}&chain=ethereum`);
    const { terminals, coverage } = await get<Awaited<ReturnType<typeof getTerminals>>>(
      `/exposure/${strait}/terminals?chain=ethereum`,
    );
    const bridge = {
      protocol: 'across',
      message_id: '3100502',
      reason: 'bridge_chain_unsupported',
      destination: { chain: '59144', tx_hash: null },
    };
    expect(terminals).toMatchObject([{ category: 'bridge', path: [{ bridge }] }]);
    expect(coverage).toMatchObject({ complete: false, frontier: [{ reason: 'bridge_chain_unsupported', bridge }] });
  });

  it('shows where the money likely arrived, and follows it where it is asked for', { timeout: 120_000 }, async () => {
    const from = address('ethereum', 'causeway_1', 'bridge_likely');
    const to = address('arbitrum', 'causeway_2', 'bridge_likely');
    await get(`/public/scan?address=${to}&chain=arbitrum`);
    await get(`/public/scan?address=${from}&chain=ethereum`);
    const terminals = async (query: string) =>
      (await get<Awaited<ReturnType<typeof getTerminals>>>(`/exposure/${from}/terminals?chain=ethereum${query}`))
        .terminals;
    const tx_hash = demo.world.moves.arbitrum.find((move) => move.to === to)!.txHash;
    const bridge = { match: 'likely', bridge_fee: '2', destination: { chain: 'arbitrum', address: to, tx_hash } };
    expect(await terminals('')).toMatchObject([
      { category: 'bridge', path: [{ bridge: { ...bridge, reason: 'bridge_likely' } }] },
    ]);
    const followed = await terminals('&likely_matches=follow');
    expect(followed[0]).toMatchObject({
      chain: 'arbitrum',
      category: 'exchange',
      assets: { USDT: '780' },
      path: [{ bridge: { ...bridge, reason: null } }, {}],
    });
  });
});
