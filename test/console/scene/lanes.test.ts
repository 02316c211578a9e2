import { expect, it } from 'vitest';
import { laneNames } from '../../../console/scene/lanes.ts';

const LANES = [0, 1].map((n) => ({
  chain: n ? 'arbitrum' : 'ethereum',
  left: 0,
  top: n * 1_100,
  width: 1_000,
  height: 1_000,
}));

it('names a lane over its corner, beside it where the lane above leaves no room there, and within the window', () => {
  const names = (zoom: number, width: number) => laneNames(LANES, { zoom, pan: { x: 0, y: 40 }, width, height: 800 });
  const [over, below] = names(0.5, 600);
  expect([over!.left + over!.width, over!.top + over!.height]).toEqual([500, 40]);
  expect(below!.top + below!.height).toBe(40 + 550);
  // Ten pixels between two lanes are too few for letters.
  const [first, beside] = names(0.1, 390);
  expect(first!.left + first!.width).toBe(100);
  expect([beside!.left, beside!.top]).toEqual([104, 150]);
  // A window without room beside the lanes keeps the name in sight.
  const [, narrow] = names(0.1, 110);
  expect(narrow!.left + narrow!.width).toBe(100);
});
