import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES, type Label } from '../../src/domain/label.ts';
import { orderLabels } from '../../src/labels/label-order.ts';
import { labelOf as label } from './label-of.ts';

const AT = Date.UTC(2026, 0, 1);

describe('which of several labels counts', () => {
  it.each<[string, Partial<Label>, Partial<Label>[]]>([
    [
      'a valid one before an ended sanction',
      { category: 'exchange' },
      [{ category: 'sanctioned', source: 'ofac', validTo: AT }],
    ],
    ['a valid one before one that has not begun', { category: 'dex' }, [{ category: 'scam', validFrom: AT + 1 }]],
    [
      'a sanction before all else',
      { category: 'sanctioned', confidence: 1 },
      [
        { category: 'exchange', confidence: 100 },
        { category: 'scam', source: 'scamsniffer' },
      ],
    ],
    [
      'the official sanction before another',
      { category: 'sanctioned', source: 'ofac', confidence: 10 },
      [{ category: 'sanctioned', confidence: 100 }],
    ],
    [
      'a verified scam list before a surer exchange tag',
      { category: 'scam', source: 'forta:1/x', confidence: 60 },
      [{ category: 'exchange', confidence: 100 }],
    ],
    [
      'what says something before what does not',
      { category: 'dex', confidence: 10 },
      [{ category: 'other', confidence: 100 }],
    ],
    ['the surer one', { category: 'exchange', confidence: 90 }, [{ category: 'scam', confidence: 80 }]],
    [
      'what more sources say',
      { category: 'exchange', source: 'b' },
      [
        { category: 'dex', source: 'a' },
        { category: 'exchange', source: 'c' },
      ],
    ],
    [
      'the adverse one when nothing else decides',
      { category: 'mixer', source: 'z' },
      [{ category: 'exchange', source: 'a' }],
    ],
  ])('%s', (_, first, others) => {
    const expected = label(first);
    expect(orderLabels([...others.map(label), expected], AT)[0]).toEqual(expected);
    expect(orderLabels([expected, ...others.map(label)], AT)[0]).toEqual(expected);
  });

  it('the order in which labels were stored never matters', () => {
    const any = fc.record({
      category: fc.constantFrom(...CATEGORIES),
      source: fc.constantFrom('ofac', 'forta:1/a', 'a', 'b', 'constructor'),
      confidence: fc.integer({ min: 0, max: 100 }),
      label: fc.constantFrom('p', 'q'),
      validTo: fc.constantFrom(null, AT - 1, AT + 1),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), fc.infiniteStream(fc.double({ noNaN: true })), (given, random) => {
        const labels = given.map(label);
        const shuffled = labels.map((one) => [random.next().value!, one] as const).sort((a, b) => a[0] - b[0]);
        expect(
          orderLabels(
            shuffled.map(([, one]) => one),
            AT,
          ),
        ).toEqual(orderLabels(labels, AT));
      }),
    );
  });
});
