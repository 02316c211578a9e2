import { describe, expect, it } from 'vitest';
import { nodeLabelOf } from '../../src/labels/node-labels.ts';
import { labelOf } from './label-of.ts';

const NOW = 1_000;

describe('what a node says of its labels', () => {
  it.each([
    ['a service that is sure', [labelOf({ category: 'exchange', confidence: 70 })], 'exchange'],
    ['no service that nothing is sure of', [labelOf({ category: 'exchange', confidence: 69 })], null],
    ['an adverse party of any confidence', [labelOf({ category: 'scam', confidence: 20 })], 'scam'],
    [
      'an adverse party behind a doubtful service',
      [labelOf({ category: 'exchange', confidence: 60 }), labelOf({ category: 'theft', confidence: 40 })],
      'theft',
    ],
    [
      'a sure adverse party before a graver one that is only reported',
      [labelOf({ category: 'sanctioned', confidence: 20 }), labelOf({ category: 'scam', confidence: 90 })],
      'scam',
    ],
    [
      'nothing of what is over',
      [labelOf({ category: 'exchange', confidence: 100, validTo: NOW }), labelOf({ category: 'dex', confidence: 50 })],
      null,
    ],
  ] as const)('%s', (_, labels, category) => {
    expect(nodeLabelOf(labels, NOW).category).toBe(category);
  });

  it('names a doubtful service', () => {
    const doubtful = labelOf({ category: 'exchange', label: 'Perhaps Acme', source: 'tags', confidence: 30 });
    expect(nodeLabelOf([doubtful], NOW)).toMatchObject({ category: null, label: 'Perhaps Acme', label_source: 'tags' });
  });
});
