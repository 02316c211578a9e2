import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { fileOf, openLoading } from './loading.ts';

const A = '0x00000000000000000000000000000000000000a1';
const B = '0x00000000000000000000000000000000000000b2';

it('both files of ScamSniffer name drainers on every EVM chain, each once', async () => {
  const loading = await openLoading();
  const combined = JSON.stringify({
    'claim.example': [A, B],
    'mint.example': [A.toUpperCase().replace('0X', '0x')],
    'x.example': [7, null],
  });
  const report = await loading.load('scamsniffer', fileOf('combined.json', combined));
  expect(report).toMatchObject({ read: 5, loaded: 3, skipped: 2 });
  expect((await loading.labels.find('arbitrum', [A])).get(A)).toMatchObject([
    { category: 'drainer', label: 'Drainer of claim.example' },
  ]);
  const list = await loading.load('scamsniffer', fileOf('address.json', JSON.stringify([A, B])));
  expect(list).toMatchObject({ read: 2, loaded: 2, skipped: 0 });
  expect(await loading.labels.countLive('scamsniffer')).toBe(2);
});

it('a list is read from a URL, packed or not; an answer that is not a list is refused', async () => {
  const loading = await openLoading();
  const server = createServer((request, response) => {
    if (request.url === '/moved.json') response.writeHead(302, { location: '/address.json' }).end();
    else if (request.url === '/address.json') response.end(gzipSync(JSON.stringify([A])));
    else if (request.url === '/cut.json') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('[');
      setTimeout(() => response.destroy(), 20);
    } else response.writeHead(404).end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await loading.load('scamsniffer', `${base}/moved.json`)).toMatchObject({ read: 1, loaded: 1 });
  await expect(loading.load('scamsniffer', `${base}/gone.json`)).rejects.toThrow('HTTP 404');
  await expect(loading.load('scamsniffer', `${base}/cut.json`)).rejects.toThrow(/connection broke/);
  await expect(loading.load('scamsniffer', 'http://127.0.0.1:1/x.json')).rejects.toThrow(/Cannot read/);
  await expect(loading.load('scamsniffer', fileOf('address.json', '7'))).rejects.toThrow(
    /expected a JSON list or object/,
  );
  await expect(loading.load('scamsniffer', fileOf('address.json', '{"a":'))).rejects.toThrow(/not JSON/);
});
