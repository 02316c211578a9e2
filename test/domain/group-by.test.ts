import { expect, it } from 'vitest';
import { addToGroup, groupBy } from '../../src/domain/group-by.ts';

it('groups items under their keys in the order of the input', () => {
  const groups = groupBy([3, 1, 4, 1, 5], (n) => n % 2);
  addToGroup(groups, 2, 9);
  expect([...groups]).toEqual([
    [1, [3, 1, 1, 5]],
    [0, [4]],
    [2, [9]],
  ]);
});
