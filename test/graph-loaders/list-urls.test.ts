import { expect, it } from 'vitest';
import { load } from '../../graph-loaders/load.ts';
import { countLabelChanges } from '../../src/labels/label-changes.ts';
import { drip, serve, underCollection } from '../setup/dripping-source.ts';
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
  const dripping = drip(beginning, () => closed++);
  const url = await serve((request, response) => {
    // Counted from the request: a busy machine may begin a load later than that.
    setTimeout(() => ending.abort(reason), 400);
    dripping(request, response);
  });
  const before = await countLabelChanges(stores.records);
  const loading = load({ source, input: url.href }, stores, { signal: ending.signal });
  await expect(underCollection(loading)).rejects.toBe(reason);
  await expect.poll(() => closed).toBe(1);
  expect(await countLabelChanges(stores.records)).toBe(before);
});
