import { describe, expect, it } from 'vitest';
import { distancesFrom } from '../../../console/scene/arrange.ts';
import { changeGroup, changeNodes, groupNodes, setFilters } from '../../../console/scene/edits.ts';
import { histogramOf } from '../../../console/scene/histogram.ts';
import { sumsOfNode } from '../../../console/scene/node-sums.ts';
import type { SceneFilters } from '../../../src/domain/scene/scene.ts';
import { shownOf } from '../../../src/domain/scene/shown.ts';
import { feesTogether } from '../../../src/domain/scene/sums.ts';
import { at, flowOf, key, moved, sceneOf } from './scenes.ts';

const paid = flowOf('a', 'b', [moved(1, 10), moved(5, 20, 'ETH'), moved(9, 30)]);
const scene = sceneOf(
  'a',
  [paid, flowOf('b', 'c', [moved(6, 50)], { share: 0.5 }), flowOf('x', 'a', [moved(2, 7)])],
  [{ key: key('c'), category: 'exchange' }],
);
const shownWith = (filters: Partial<SceneFilters>) => shownOf(setFilters(filters)(scene));
const sums = (filters: Partial<SceneFilters>) =>
  Object.fromEntries(
    shownWith(filters).edges.map(({ id, usd, count }) => [id.replaceAll('ethereum:', ''), [usd, count]]),
  );

describe('the picture of a scene', () => {
  it('sums every transaction of an arrow, by asset', () => {
    const edge = shownOf(scene).edges.find(({ id }) => id === paid.id);
    expect(edge).toMatchObject({ usd: 60, count: 3, assets: { USDC: '40', ETH: '20' }, isAtMost: false });
  });

  it('sums what lies between the two ends of the span', () => {
    expect(sums({ from: at(2), to: at(6) })).toEqual({ 'a>b': [20, 1], 'b>c': [50, 1], 'x>a': [7, 1] });
    expect(sums({ from: at(7) })).toEqual({ 'a>b': [30, 1] });
  });

  it('sums the chosen assets, and shows what is left after the least value', () => {
    expect(sums({ assets: ['ETH'] })).toEqual({ 'a>b': [20, 1] });
    expect(sums({ min_usd: 55 })).toEqual({ 'a>b': [60, 3] });
  });

  it('shows what deals with a category, what leads away from the start or towards it, and the followed ways', () => {
    expect(Object.keys(sums({ categories: ['exchange'] }))).toEqual(['b>c']);
    expect(Object.keys(sums({ direction: 'sent' }))).toEqual(['a>b', 'b>c']);
    expect(Object.keys(sums({ direction: 'received' }))).toEqual(['x>a']);
    expect(Object.keys(sums({ followed_only: true }))).toEqual(['b>c']);
    expect(shownWith({ followed_only: true }).nodes.map(({ id }) => id)).toEqual([key('a'), key('b'), key('c')]);
  });

  it('says where a sum may be less, because its transfers are not all listed', () => {
    const part = sceneOf('a', [{ ...paid, transfers: [moved(1, 10)], usd: 60 }]);
    expect(shownOf(part).edges[0]).toMatchObject({ usd: 60, isAtMost: false });
    expect(shownOf(setFilters({ from: at(2) })(part)).edges[0]).toMatchObject({ usd: 50, count: 2, isAtMost: true });
    expect(shownOf(setFilters({ from: at(10) })(part)).edges).toEqual([]);
  });

  it('leaves out what is hidden with its arrows, and folds a group into one node', () => {
    expect(shownOf(changeNodes([key('b')], { hidden: true })(scene)).edges.map(({ id }) => id)).toEqual([
      `${key('x')}>${key('a')}`,
    ]);
    const folded = changeGroup('group:1', { collapsed: true })(groupNodes([key('b'), key('c')], 'group:1', 'G')(scene));
    const { nodes, edges } = shownOf(folded);
    expect(nodes.map(({ id }) => id)).toEqual([key('a'), 'group:1', key('x')]);
    expect(edges.find(({ to }) => to === 'group:1')).toMatchObject({ from: key('a'), usd: 60, count: 3 });
  });

  it('sums of an address what its arrows say, and apart from it what hidden payers gave', () => {
    const two = sceneOf('a', [paid, flowOf('x', 'a', [moved(2, 7)]), flowOf('y', 'a', [moved(3, 4)])]);
    const hidden = changeNodes([key('y')], { hidden: true })(two);
    expect(sumsOfNode(hidden, key('a'))).toMatchObject({
      into: { drawn: { usd: 7 }, hiddenUsd: 4 },
      out: { drawn: { usd: 60 }, hiddenUsd: 0 },
    });
    expect(sumsOfNode(setFilters({ to: at(2) })(hidden), key('a'))).toMatchObject({
      into: { drawn: { usd: 7 }, hiddenUsd: 0 },
      out: { drawn: { usd: 10 }, hiddenUsd: 0 },
    });
  });

  it('has the fees of all wallets as one row of an account, by asset, and changes no sum', () => {
    const rowOf = (kind: string, address: string, share: number, assets: Record<string, string>) => ({
      kind,
      chain: 'bitcoin' as string | null,
      address: address as string | null,
      usd: 10 * share,
      share,
      count: 1,
      assets,
    });
    const held = rowOf('held', 'a', 0.25, { BTC: '1' });
    const [first, second, third] = [
      rowOf('fees', 'b', 0.25, { BTC: '0.1' }),
      rowOf('fees', 'c', 0.25, { BTC: '0.2' }),
      rowOf('fees', 'd', 0.25, { ETH: '3' }),
    ] as const;
    const together = { ...rowOf('fees', '', 0.75, { BTC: '0.3', ETH: '3' }), chain: null, address: null, count: 3 };
    expect(feesTogether([first, second, held, third])).toEqual([held, together]);
    expect(feesTogether([held, first])).toEqual([held, first]);
  });

  it('counts as many hops to an address as arrows lie between it and the start, whichever way they point', () => {
    const away = distancesFrom(key('a'), scene.flows);
    expect(['a', 'b', 'c', 'x', 'unknown'].map((name) => away.get(key(name)))).toEqual([0, 1, 2, 1, undefined]);
  });

  it('spreads the money over its time', () => {
    expect(histogramOf([paid], 9)).toEqual({
      from: Date.parse(at(1)),
      to: Date.parse(at(9)),
      bars: [10, 0, 0, 0, 20, 0, 0, 0, 30],
    });
    expect(histogramOf([], 9)).toBeNull();
  });
});
