import { expect, it } from 'vitest';
import { load } from '../../graph-loaders/load.ts';
import { countLabelChanges } from '../../src/labels/label-changes.ts';
import { drip, serve } from '../setup/dripping-source.ts';
import { openLoading } from './loading.ts';

const HEADER = 'chain,address,category,label,source,confidence,entity,valid_from,valid_to\n';

it.each([
  ['labels', HEADER],
  ['darklist', '['],
  ['ofac', '<sdnList>'],
  ['tagpack', 'tags:\n'],
  ['transfers', 'chain,tx_hash,index,block,timestamp,from,to,asset,amount,usd\n'],
  ['prices', 'date,asset,usd\n'],
])('a URL of %s that drips ends with the load, whatever the garbage collector does', async (source, beginning) => {
  const stores = await openLoading();
  let closed = 0;
  const ending = new AbortController();
  const reason = new Error('The command was ended');
  const url = await serve(
    drip(
      beginning,
      () => closed++,
      () => ending.abort(reason),
    ),
  );
  const before = await countLabelChanges(stores.records);
  await expect(load({ source, input: url.href }, stores, { signal: ending.signal })).rejects.toBe(reason);
  await expect.poll(() => closed).toBe(1);
  expect(await countLabelChanges(stores.records)).toBe(before);
});
