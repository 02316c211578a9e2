import { expect, it } from 'vitest';
import { SOURCE_NAMES, SOURCES } from '../../graph-loaders/sources.ts';
import { fileOf, openLoading } from './loading.ts';

const A = '0x00000000000000000000000000000000000000a1';
const HTML = '<!doctype html>\n<html><body>Not found</body></html>\n';
const XML = '<?xml version="1.0"?>\n<Error><Code>NoSuchKey</Code></Error>\n';
const PACKAGE = JSON.stringify({ name: 'x', version: '1.0.0', files: ['a', 'b'] });
const ADDRESSES = JSON.stringify([A]);
const COMMENTED = JSON.stringify([{ note: 'no such field' }]);

const NAMES: Record<string, string> = {
  'ofac-list': 'sanctioned_addresses_ETH.txt',
  ofac: 'sdn.xml',
  tagpack: 'pack.yaml',
  'bitcoin-etl': 'transactions.json',
  scamsniffer: 'combined.json',
  darklist: 'list.json',
};

it.each(SOURCE_NAMES)('%s refuses another format in one line that names its own, and ends nothing', async (source) => {
  const loading = await openLoading();
  const { format } = await SOURCES[source].importLoader();
  for (const text of ['', HTML, XML, PACKAGE]) {
    const error = await loading.load(source, fileOf(NAMES[source] ?? 'file.csv', text)).then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message, text).toContain(`${source} takes ${format}.`);
    expect(error?.message).not.toContain('\n');
  }
});

it.each([
  ['darklist', ADDRESSES],
  ['darklist', COMMENTED],
  ['eth-labels', COMMENTED],
  ['scamsniffer', COMMENTED],
  ['scamsniffer', '{}'],
])('%s refuses the JSON of another source: %s', async (source, text) => {
  const loading = await openLoading();
  await expect(loading.load(source, fileOf('list.json', text))).rejects.toThrow(`${source} takes `);
});
