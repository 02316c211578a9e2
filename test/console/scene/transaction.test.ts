import { describe, expect, it } from 'vitest';
import { ofTransaction } from '../../../console/scene/additions.ts';
import { distancesFrom } from '../../../console/scene/arrange.ts';
import { grown } from '../../../console/scene/grow.ts';
import { sumsOfNode } from '../../../console/scene/node-sums.ts';
import type { OpenedTransaction } from '../../../console/service/tracing-answers.ts';
import { EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import { SceneSchema } from '../../../src/domain/scene/scene.ts';
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
