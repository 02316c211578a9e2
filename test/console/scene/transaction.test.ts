import { describe, expect, it } from 'vitest';
import { flowsCsv } from '../../../console/canvas/tables.ts';
import { ofTransaction } from '../../../console/scene/additions.ts';
import { distancesFrom } from '../../../console/scene/arrange.ts';
import { grown } from '../../../console/scene/grow.ts';
import { sumsOfNode } from '../../../console/scene/node-sums.ts';
import type { OpenedTransaction } from '../../../console/service/tracing-answers.ts';
import { EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import { type Scene, SceneSchema } from '../../../src/domain/scene/scene.ts';
import { shownOf } from '../../../src/domain/scene/shown.ts';
import { at, flowOf, moved } from './scenes.ts';

const coin = (address: string | null, amount: string, usd: number) => ({ address, amount, usd });
const opened = (more: Partial<OpenedTransaction> = {}): OpenedTransaction => ({
  chain: 'bitcoin',
  tx_hash: 'hash',
  block_number: 1,
  timestamp: at(3),
  status: 'success',
  type: null,
  fee: { amount: '0.1', asset: 'BTC', payer: null },
  inputs: [coin('a', '1', 100), coin('a', '2', 200)],
  outputs: [
    { ...coin('shop', '2.5', 250), part: 'payment' },
    { ...coin('rest', '0.4', 40), part: 'change' },
    { ...coin(null, '0', 0), part: 'payment' },
  ],
  transfers: null,
  unlisted: { inputs: null, outputs: null, transfers: 0 },
  call: null,
  addresses: ['a', 'shop', 'rest'].map((address) => {
    return { address, chain: 'bitcoin', label: null, category: 'unknown', entity: null, read: address === 'a' };
  }),
  ...more,
});
const draw = (scene = EMPTY_SCENE, answer = opened()) => grown(scene, ofTransaction(answer, at(9)), { alone: true });
/** One ether and 3,000 USDC at once. */
const swap = (etherUsd: number | null) => {
  const paid = { from: 'a', to: 'shop', token: null, token_id: null, kind: 'native' as const };
  const ether = { ...paid, asset: 'ETH', amount: '1', usd: etherUsd };
  const dollars = { ...paid, kind: 'token' as const, asset: 'USDC', amount: '3000', usd: 3_000 };
  return opened({ chain: 'ethereum', inputs: null, outputs: null, transfers: [ether, dollars] });
};
const rowsOf = async (scene: Scene) => {
  const [head, ...rows] = (await flowsCsv(scene, shownOf(scene)).text()).split('\r\n').map((row) => row.split(','));
  return rows.map((row) => ['usd', 'assets'].map((name) => row[head!.indexOf(name)]).join(' '));
};

describe('an opened transaction', () => {
  it('stands between who gave and who got, each once with its sum and its part, in a scene that a board takes', () => {
    const scene = SceneSchema.parse(draw());
    const lines = scene.flows.map(({ from, to, assets, usd, part }) => [from, to, assets, usd, part]);
    expect(lines).toEqual([
      ['bitcoin:a', 'bitcoin:hash', { BTC: '3' }, 300, 'gave'],
      ['bitcoin:hash', 'bitcoin:shop', { BTC: '2.5' }, 250, 'paid'],
      ['bitcoin:hash', 'bitcoin:rest', { BTC: '0.4' }, 40, 'change'],
    ]);
    expect(shownOf(scene).nodes.map(({ id, kind }) => [id, kind])).toContainEqual(['bitcoin:hash', 'transaction']);
    expect(scene.nodes.map(({ address, read }) => [address, read])).toContainEqual(['shop', false]);
  });

  it('values each asset by itself, under a filter and in a file too', async () => {
    const scene = SceneSchema.parse(draw(EMPTY_SCENE, swap(2_000)));
    const [gave] = scene.flows;
    expect(gave).toMatchObject({ usd: 5_000, assets: { ETH: '1', USDC: '3000' } });
    expect(gave!.transfers.map(({ asset, amount, usd }) => [asset, amount, usd])).toEqual([
      ['ETH', '1', 2_000],
      ['USDC', '3000', 3_000],
    ]);
    const ofEther = { ...scene, filters: { ...scene.filters, assets: ['ETH'] } };
    expect(shownOf(ofEther).edges[0]).toMatchObject({ usd: 2_000, assets: { ETH: '1' } });
    expect(await rowsOf(ofEther)).toEqual(['2000 1 ETH', '2000 1 ETH']);
    expect(await rowsOf(scene)).toEqual(['5000 1 ETH; 3000 USDC', '5000 1 ETH; 3000 USDC']);
  });

  it('has no sum of dollars where a part has no price, and is not below a least value that the others reach', async () => {
    const scene = draw(EMPTY_SCENE, swap(null));
    const filtered = (filters: Partial<Scene['filters']>) => ({ ...scene, filters: { ...scene.filters, ...filters } });
    const usdOf = (one: Scene) => shownOf(one).edges.map(({ usd }) => usd);
    expect(usdOf(scene)).toEqual([null, null]);
    expect(usdOf(filtered({ assets: ['ETH', 'USDC'] }))).toEqual([null, null]);
    expect(usdOf(filtered({ assets: ['USDC'] }))).toEqual([3_000, 3_000]);
    expect(usdOf(filtered({ min_usd: 3_000 }))).toEqual([null, null]);
    expect(usdOf(filtered({ min_usd: 3_001 }))).toEqual([]);
    expect(await rowsOf(scene)).toEqual([' 1 ETH; 3000 USDC', ' 1 ETH; 3000 USDC']);
  });

  it('names a contract that was called without any money', () => {
    const call = { from: 'a', to: 'router', method: 'approve' };
    const answer = opened({ chain: 'ethereum', inputs: null, outputs: null, transfers: [], call });
    const { flows } = draw(EMPTY_SCENE, answer);
    expect(flows.map(({ from, to, part, assets }) => [from, to, part, assets])).toEqual([
      ['ethereum:hash', 'ethereum:router', 'called', {}],
    ]);
  });

  it('says what is known now where it is opened again', () => {
    const [shop, rest, data] = opened().outputs!;
    const again = draw(draw(), opened({ outputs: [shop!, { ...rest!, part: 'own' }, data!] }));
    expect(again.flows.map(({ part }) => part)).toEqual(['gave', 'paid', 'own']);
  });

  it('is not summed beside the arrow of the same payment, and is summed without one', () => {
    const ends = { id: 'between', from: 'bitcoin:a', to: 'bitcoin:shop' };
    const between = flowOf('a', 'shop', [moved(3, 250, 'BTC')], ends);
    const both = draw(grown(EMPTY_SCENE, { nodes: [], flows: [between] }));
    expect(sumsOfNode(both, 'bitcoin:shop').into.drawn.usd).toBe(250);
    expect(sumsOfNode(both, 'bitcoin:rest').into.drawn.usd).toBe(40);
  });

  it('is one step between payer and payee', () => {
    const { flows } = draw();
    expect(distancesFrom('bitcoin:a', flows).get('bitcoin:shop')).toBe(1);
  });
});
