import { expect, it } from 'vitest';
import { grown } from '../../../console/scene/grow.ts';
import { keysOfRow, ofPairs, pairsOfRows } from '../../../console/scene/rows.ts';
import { EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import { at, moved } from './scenes.ts';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => `ethereum:0x${digit.repeat(40)}`) as [string, string, string];

it('finds the addresses of a row in its cells and in whole nodes, and nothing else', () => {
  expect(keysOfRow([A, 5, null, 'note: a long text without meaning', { key: B, category: 'exchange' }, A])).toEqual([
    A,
    B,
  ]);
  expect(keysOfRow([`tron1:${'x'.repeat(30)}`, 'https://example.com/a-rather-long-path'])).toEqual([]);
});

it('asks once for what moved between the first two addresses of each row, in both directions, on one chain', () => {
  const far = `bitcoin:bc1${'q'.repeat(30)}`;
  expect(pairsOfRows([[A, B, C], [B, A], [A, far], [C]])).toEqual([
    { from: A, to: B },
    { from: B, to: A },
  ]);
});

it('draws the addresses of rows, and an arrow where something moved', () => {
  const [from, to] = [A, B].map((key) => key.slice('ethereum:'.length)) as [string, string];
  const pair = { chain: 'ethereum' as const, truncated: false };
  const facts = { chain: 'ethereum' as const, category: 'unknown' as const, entity: null, read: false };
  const answer = ofPairs({
    pairs: [
      { ...pair, from, to, transfers: [moved(1, 10), moved(4, 30)] },
      { ...pair, from: to, to: from, transfers: [] },
    ],
    addresses: [{ ...facts, address: to, label: 'Meridian' }],
  });
  const alone = grown(EMPTY_SCENE, { nodes: [A, B, C].map((key) => ({ key })), flows: [] }, { alone: true });
  const scene = grown(alone, answer);
  expect(scene.nodes.map(({ key, label }) => [key, label])).toEqual([
    [A, null],
    [B, 'Meridian'],
    [C, null],
  ]);
  expect(scene.flows).toMatchObject([
    { from: A, to: B, usd: 40, tx_count: 2, first_at: at(1), last_at: at(4), tx_hash: '0x430' },
  ]);
});

it('sums all transfers of a pair that are listed, and keeps the largest one by one in order of time', () => {
  const [from, to] = [A, B].map((key) => key.slice('ethereum:'.length)) as [string, string];
  const transfers = Array.from({ length: 80 }, (_, n) => ({ ...moved(1 + (n % 28), 1 + n), tx_hash: `0x${n}` }));
  const pair = { chain: 'ethereum' as const, from, to, transfers, truncated: false };
  const [flow] = ofPairs({ pairs: [pair], addresses: [] }).flows;
  expect(flow).toMatchObject({ usd: 3_240, tx_count: 80, assets: { USDC: '3240' } });
  const usd = flow!.transfers.map((one) => one.usd);
  expect(usd).toEqual(Array.from({ length: 50 }, (_, n) => 31 + n));
});
