import { expect, it } from 'vitest';
import { isValidAt, type Label } from '../../src/domain/label.ts';
import { dateCopiedSanctions } from '../../src/labels/label-lists.ts';
import { labelOf } from './label-of.ts';

const END = Date.UTC(2025, 2, 21);
const label = (given: Partial<Label>) =>
  labelOf({ category: 'sanctioned', source: 'tagpack:US Treasury OFAC Sanctions List', ...given });
const ofac = (given: Partial<Label> = {}) => label({ chain: 'evm', source: 'ofac', validTo: END, ...given });
const validAfter = (...labels: Label[]) =>
  dateCopiedSanctions(labels)
    .filter((one) => isValidAt(one, END))
    .map((one) => one.source);

it('a delisting ends what public collections copied, on its own day, and nothing else', () => {
  const mixer = label({ category: 'mixer', source: 'tagpack:Tornado.cash' });
  const own = label({ source: 'operator' });
  expect(dateCopiedSanctions([ofac(), label({}), mixer, own])).toEqual([ofac(), label({ validTo: END }), mixer, own]);
  expect(validAfter(ofac({ source: 'ofac-list' }), label({ source: 'eth-labels' }))).toEqual([]);
});

it.each<[string, Label]>([
  ['one of OFAC’s two lists still holds it', ofac({ source: 'ofac-list', validTo: null })],
  ['OFAC listed it again', ofac({ validFrom: END + 1, validTo: null })],
])('a copy stays where %s', (_, other) => {
  expect(validAfter(ofac(), other, label({}))).toContain(label({}).source);
});

it('a copy stays where OFAC never listed the address on its chain', () => {
  expect(validAfter(label({}))).toHaveLength(1);
  expect(validAfter(ofac({ chain: 'bsc' }), label({}))).toHaveLength(1);
  expect(validAfter(ofac({ category: 'scam' }), label({}))).toHaveLength(1);
});

it('a copy without a day begins on the day that the list of OFAC states, where it states one for all of its entries', () => {
  const day = END - 1_000;
  const dated = ofac({ validFrom: day, validTo: null });
  const list = label({ source: 'ofac-list' });
  expect(dateCopiedSanctions([dated, label({}), list])).toEqual([
    dated,
    label({ validFrom: day }),
    label({ source: 'ofac-list', validFrom: day }),
  ]);
  expect(dateCopiedSanctions([dated, ofac({ validTo: null }), label({})])[2]).toEqual(label({}));
  expect(dateCopiedSanctions([dated, label({ source: 'operator' })])[1]).toEqual(label({ source: 'operator' }));
});

it('a copy that came only after the delisting never held, and one that ended before keeps its day', () => {
  expect(validAfter(ofac(), label({ validFrom: END + 5 }))).toEqual([]);
  expect(dateCopiedSanctions([ofac(), label({ validTo: END - 5 })])[1]).toEqual(label({ validTo: END - 5 }));
});
