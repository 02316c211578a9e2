import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tagpackLoader } from '../../graph-loaders/labels/tagpack.ts';
import { CATEGORIES, isSure, type Label } from '../../src/domain/label.ts';
import { tagOf, tagpackHead } from '../../src/exports/tagpack.ts';
import { exportTagpacks } from '../../src/operator/export-labels.ts';
import { fileOf, folderOf, openLoading, openWork, START } from './loading.ts';
import '../setup/seed.ts';

const HOSTILE = [
  '&a *a',
  "it's: - [x]",
  '"quoted" \\',
  '!include x.yaml',
  '# no',
  '{"traceflow":1}',
  '- a',
  '=1',
  '日本',
];
const name = fc.oneof(fc.constantFrom(...HOSTILE), fc.stringMatching(/^[!-~]{1,60}$/));
const evm = fc.stringMatching(/^[0-9a-f]{40}$/).map((hex) => `0x${hex}`);

const labels = fc
  .record({
    chain: fc.constantFrom('ethereum', 'polygon', 'evm', 'ethereum_classic') as fc.Arbitrary<Label['chain']>,
    address: evm,
    category: fc.constantFrom(...CATEGORIES),
    label: name,
    // Of a text such as `!` or `n/a` no owner is known.
    entity: fc.option(
      name.map((text) => `Desk ${text}`),
      { nil: null },
    ),
    confidence: fc.integer({ min: 0, max: 100 }),
    validFrom: fc.option(fc.integer({ min: 1, max: START }), { nil: null }),
    maliciousContract: fc.boolean(),
    programme: fc.option(fc.constantFrom('CYBER2', 'A, B'), { nil: undefined }),
  })
  .map(({ programme, ...given }): Label => {
    const validTo = given.validFrom === null ? null : given.validFrom + START;
    return { ...given, source: 'desk', validTo, ...(programme && { programme }) };
  });

it('labels written as a TagPack are the same facts when they are loaded, and a report stays a report', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(labels, { minLength: 1, maxLength: 20, selector: ({ address }) => address }),
      async (given) => {
        const text = tagpackHead('desk', { creator: 'us', about: 'ours' }) + given.map(tagOf).join('');
        const work = await openWork('tagpack', fileOf('p.yaml', text));
        const found: Label[] = [];
        for await (const label of tagpackLoader.read(work)) found.push(label);
        expect(work.tally.errors).toEqual([]);
        const source = 'tagpack:desk';
        const expected = given.map((label) => ({
          ...label,
          source,
          confidence: isSure(label) ? label.confidence : Math.min(label.confidence, 49),
        }));
        expect(found).toEqual(expected);
        expect(found.map(isSure)).toEqual(given.map(isSure));
      },
    ),
    { numRuns: 60 },
  );
});

it('a context of others changes nothing but what it may say', async () => {
  const at = '0x098b716b8aaf21512996dc57eb0615e2383e2f96';
  const contexts = [
    '{"traceflow":{"category":"nonsense"}}',
    '{"traceflow":',
    '{"traceflow":{"category":"mixer","chain":"bitcoin_cash"}}',
  ];
  const tags = contexts.map(
    (context) =>
      `- address: ${at}\n  currency: ETH\n  abuse: scam\n  label: ${contexts.indexOf(context)}\n  context: '${context}'\n`,
  );
  const work = await openWork('tagpack', fileOf('p.yaml', `title: P\ntags:\n${tags.join('')}`));
  const found: Label[] = [];
  for await (const label of tagpackLoader.read(work)) found.push(label);
  expect(found.map(({ chain, category }) => [chain, category])).toEqual([
    ['ethereum', 'scam'],
    ['ethereum', 'scam'],
    ['ethereum', 'mixer'],
  ]);
});

it('writes labels in force, one pack a source, and of a list whose licence forbids it none', async () => {
  const { records, labels: store } = await openLoading();
  const label = (source: string, given: Partial<Label>): Label => ({
    chain: 'evm',
    address: '0x098b716b8aaf21512996dc57eb0615e2383e2f96',
    category: 'scam',
    label: 'L',
    source,
    confidence: 80,
    entity: null,
    validFrom: null,
    validTo: null,
    maliciousContract: false,
    ...given,
  });
  const stamp = await store.beginLoad();
  await store.put(
    [
      label('desk', {}),
      label('desk', { label: 'gone', validFrom: 1, validTo: 2 }),
      label('opensanctions:eu', {}),
      label('darklist', {}),
    ],
    { stamp, list: false },
  );
  const folder = join(folderOf({}), 'packs');
  const written = await exportTagpacks(records, folder, { now: () => START });
  expect(written.map(({ source, tags, file }) => [source, tags, file])).toEqual([
    ['darklist', 1, '001-darklist.yaml'],
    ['desk', 1, '002-desk.yaml'],
    ['opensanctions:eu', 0, null],
  ]);
  expect(readdirSync(folder)).toHaveLength(2);
  expect(readFileSync(join(folder, '001-darklist.yaml'), 'utf8')).toContain('licence: MIT');
  await expect(exportTagpacks(records, folder)).rejects.toThrow('is not empty');
  await expect(exportTagpacks(records, `${folder}2`, { sources: ['none'] })).rejects.toThrow(
    'No labels of the source none',
  );
});
