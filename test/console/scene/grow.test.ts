import { describe, expect, it } from 'vitest';
import { ofCounterparties, ofFunds, ofOpened, ofPath } from '../../../console/scene/additions.ts';
import { fittingScene, readScene } from '../../../console/scene/fit-scene.ts';
import { followedFrom, grown } from '../../../console/scene/grow.ts';
import { COLUMN } from '../../../console/scene/place.ts';
import type { HopAnswer } from '../../../console/service/answers.ts';
import { SCENE_BYTES_MAX, SCENE_NODES_MAX } from '../../../src/domain/scene/bounds.ts';
import type { Scene } from '../../../src/domain/scene/scene.ts';
import { shownOf } from '../../../src/domain/scene/shown.ts';
import { at, flowOf, key, moved, nodeIn, sceneOf } from './scenes.ts';

const totals = (usd: number, tx_count = 1) => ({ usd, tx_count, first_at: at(1), last_at: at(1), tx_hash: `0x${usd}` });
const party = (address: string, usd: number) => ({
  address,
  label: null,
  category: 'unknown' as const,
  read: false,
  state: 'unread' as const,
  sent: totals(usd),
  received: null,
});
const hubAnswer = (count: number) => ({
  address: 'hub',
  chain: 'ethereum' as const,
  label: null,
  category: 'unknown' as const,
  read: true,
  state: 'whole' as const,
  counterparties: Array.from({ length: count }, (_, n) => party(`p${n}`, 1_000 - n)),
  total: count,
  limit: 500,
  truncated: false,
});
const hop = (from: string, to: string, more: Partial<HopAnswer> = {}): HopAnswer => ({
  from,
  to,
  chain: 'ethereum',
  tx_hash: `0x${from}${to}`,
  asset: 'ETH',
  amount: '1',
  usd: 10,
  at: at(1),
  ...more,
});
const crossing: NonNullable<HopAnswer['bridge']> = {
  crossing_id: 'ethereum:0x1:0',
  protocol: 'across',
  message_id: '7',
  match: 'id',
  reason: null,
  source: { chain: 'ethereum', address: 'a', tx_hash: '0xab', asset: 'USDC', amount: '10', at: at(1) },
  destination: { chain: 'base', address: 'b', tx_hash: '0xba', asset: 'USDC', amount: '10', at: at(2) },
  bridge_fee: null,
};

const placesOf = (scene: Scene) => new Map(scene.nodes.map(({ key: name, x, y }) => [name, `${x} ${y}`]));

describe('a scene that grows', () => {
  it('moves nothing that stands, and puts no two addresses in one place', () => {
    const before = sceneOf('hub', [flowOf('hub', 'b', [moved(1, 5)]), flowOf('x', 'hub', [moved(1, 9)])]);
    const after = grown(before, ofCounterparties(hubAnswer(12)));
    const [old, now] = [placesOf(before), placesOf(after)];
    for (const [name, place] of old) expect(now.get(name)).toBe(place);
    expect(new Set(now.values()).size).toBe(now.size);
    expect(nodeIn(after, 'p3').x).toBeGreaterThan(nodeIn(after, 'hub').x);
    expect(nodeIn(after, 'x').x).toBeLessThan(nodeIn(after, 'hub').x);
  });

  it('puts an address beside the one with which it moved most', () => {
    const way = [flowOf('a', 'b', [moved(1, 90)]), flowOf('b', 'c', [moved(2, 80)]), flowOf('a', 'e', [moved(1, 10)])];
    const start = grown(sceneOf('a', []), { nodes: [], flows: way });
    const further = [
      flowOf('c', 'd', [moved(3, 70)]),
      flowOf('d', 'e', [moved(4, 5)]),
      flowOf('d', 'f', [moved(4, 60)]),
    ];
    const scene = grown(start, { nodes: [], flows: further });
    expect(['a', 'b', 'c', 'd', 'f'].map((name) => nodeIn(scene, name).x / COLUMN)).toEqual([0, 1, 2, 3, 4]);
  });

  it('draws the 20 largest of a hub, and the rest as one node', () => {
    const scene = grown(sceneOf('hub', []), ofCounterparties(hubAnswer(490)));
    const { nodes, edges } = shownOf(scene);
    expect(nodes.filter(({ kind }) => kind === 'address')).toHaveLength(21);
    const [bundle] = nodes.filter(({ kind }) => kind === 'bundle');
    expect(bundle?.keys).toHaveLength(470);
    const rest = edges.find(({ to }) => to === bundle?.id);
    expect(rest?.usd).toBe(Array.from({ length: 470 }, (_, n) => 980 - n).reduce((sum, usd) => sum + usd, 0));
    expect(nodeIn(scene, 'p0').bundle).toBeNull();
  });

  it('draws chosen counterparties of a hub each by itself, as a grid, whether its bundle held them or not', () => {
    const before = grown(sceneOf('hub', []), ofCounterparties(hubAnswer(490)));
    const chosen = [...hubAnswer(490).counterparties.slice(100, 130), party('far', 1)];
    const after = grown(before, ofCounterparties({ ...hubAnswer(0), counterparties: chosen }), { single: true });
    const drawn = chosen.map(({ address }) => nodeIn(after, address));
    expect(drawn.every(({ bundle }) => bundle === null)).toBe(true);
    const old = placesOf(before);
    expect(after.nodes.filter(({ key: name, x, y }) => old.has(name) && old.get(name) !== `${x} ${y}`)).toHaveLength(
      30,
    );
    expect(new Set(drawn.map(({ x }) => x)).size).toBe(4);
    expect(shownOf(after).nodes.find(({ kind }) => kind === 'bundle')?.keys).toHaveLength(440);
  });

  it('shows a hidden counterparty that is drawn by itself, in its place, and no other', () => {
    const start = grown(sceneOf('hub', []), ofCounterparties(hubAnswer(40)));
    const hidden = new Set([key('p1'), key('p2'), key('p35')]);
    const before = { ...start, nodes: start.nodes.map((node) => ({ ...node, hidden: hidden.has(node.key) })) };
    const wanted = hubAnswer(40).counterparties.filter(({ address }) => ['p1', 'p35'].includes(address));
    const after = grown(before, ofCounterparties({ ...hubAnswer(0), counterparties: wanted }), { single: true });
    const drawn = shownOf(after).nodes.map(({ id }) => id);
    expect(drawn).toEqual(expect.arrayContaining([key('p1'), key('p35')]));
    expect(drawn).not.toContain(key('p2'));
    expect(placesOf(after).get(key('p1'))).toBe(placesOf(before).get(key('p1')));
  });

  it('keeps the name of an exchange that a path names by its address alone', () => {
    const named = { key: key('e'), label: 'Meridian', category: 'exchange' as const };
    const scene = sceneOf('a', [flowOf('a', 'e', [moved(1, 1)])], [named]);
    expect(nodeIn(grown(scene, ofPath([hop('a', 'b'), hop('b', 'e')])), 'e')).toMatchObject(named);
  });

  it('draws a crossing in the place of the payment to the bridge', () => {
    const paid = flowOf('a', 'pool', [moved(1, 10)], { tx_hash: '0xab' });
    const scene = grown(sceneOf('a', [paid]), ofPath([hop('a', 'b', { tx_hash: '0xab', bridge: crossing })]));
    expect(scene.flows.map(({ to, bridge }) => [to, bridge?.protocol])).toEqual([['base:b', 'across']]);
    expect(scene.nodes.map((node) => node.key).sort()).toEqual(['base:b', 'ethereum:a']);
  });

  it('has the shares of the newest account alone', () => {
    const coverage = { frontier: [] } as never;
    const account = (to: string) =>
      ofFunds({
        rows: [],
        coverage,
        flows: [
          {
            from: 'a',
            to,
            chain: 'ethereum',
            usd: 5,
            share: 0.5,
            assets: { USDC: '5' },
            tx_count: 1,
            first_at: at(1),
            last_at: at(1),
            transfers: [moved(1, 5) as never],
          },
        ],
      });
    const followed = { key: key('a'), direction: 'sent' as const };
    const once = followedFrom(sceneOf('a', []), followed, account('b'));
    const twice = followedFrom(once, followed, account('c'));
    expect(twice.flows.map(({ to, share }) => [to, share])).toEqual([
      [key('b'), null],
      [key('c'), 0.5],
    ]);
  });

  it('takes as unread what was never read, not what was read in part or before the money came', () => {
    const frontier = ['not_read', 'partial_history', 'not_read_since'].map((reason) => ({
      chain: 'ethereum' as const,
      address: reason,
      reason,
      usd: 1,
    }));
    const { nodes } = ofFunds({ rows: [], flows: [], coverage: { frontier } as never });
    expect(nodes.filter(({ read }) => read === false)).toEqual([{ key: key('not_read'), read: false }]);
  });

  it('takes as read what a trace has opened, on the chain where it did', () => {
    const opened = { hop: 1, direction: 'sent' as const, usd: 1, transfers: 0, complete: false, reason: null };
    const addresses = [
      { ...opened, address: 'a', complete: true },
      { ...opened, address: 'b', chain: 'base' as const, transfers: 9, reason: 'partial_history' },
      { ...opened, address: 'c', reason: 'limit' },
    ];
    expect(ofOpened({ chain: 'ethereum', addresses })).toEqual([
      { key: 'ethereum:a', read: true },
      { key: 'base:b', read: true },
    ]);
  });

  it('groups the addresses of one entity, and leaves those that were grouped by hand', () => {
    const entity = (name: string) => ({ key: key(name), entity: 'Meridian' });
    const scene = sceneOf(
      'a',
      ['b', 'c', 'd'].map((to) => flowOf('a', to, [moved(1, 1)])),
      [entity('b'), entity('c')],
    );
    expect(scene.groups).toEqual([{ id: 'entity:Meridian', name: 'Meridian', collapsed: false }]);
    expect(scene.nodes.filter(({ group }) => group !== null)).toHaveLength(2);
  });

  it('holds as many nodes as a board, whatever an answer brings', () => {
    const flows = Array.from({ length: 3_000 }, (_, n) => flowOf('a', `n${n}`, [moved(1, 1)]));
    const scene = sceneOf('a', flows);
    expect(scene.nodes).toHaveLength(SCENE_NODES_MAX);
  });
});

describe('the scene of a file', () => {
  it('comes back as it was saved', async () => {
    const scene = sceneOf('a', [flowOf('a', 'b', [moved(1, 5)])]);
    expect(await readScene(JSON.parse(JSON.stringify(fittingScene(scene))))).toEqual(scene);
  });

  it('is none in another version or of something else', async () => {
    expect(await readScene({ ...sceneOf('a', []), version: 2 })).toBeNull();
    expect(await readScene('<script>')).toBeNull();
  });

  it('fits into a board: transfers of the smallest flows are left out first', () => {
    const listed = Array.from({ length: 50 }, (_, n) => moved(1 + (n % 28), n + 1));
    const flows = Array.from({ length: 300 }, (_, n) => flowOf('a', `n${n}`, listed, { usd: n }));
    const fitted = fittingScene(sceneOf('a', flows));
    expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(SCENE_BYTES_MAX);
    expect(fitted.flows.find(({ to }) => to === key('n0'))?.transfers).toEqual([]);
    expect(fitted.flows.find(({ to }) => to === key('n299'))?.transfers).toHaveLength(50);
  });
});
