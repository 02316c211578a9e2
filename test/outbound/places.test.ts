import { expect, it } from 'vitest';
import { PUBLIC_SOURCES } from '../../src/chains/public-sources.ts';
import { shownUrl, withoutSecrets } from '../../src/outbound/places.ts';

/** The forms in which providers put the key of a customer into an address, with invented keys of any length. */
const KEYED: [given: string, shown: string][] = [
  ['https://eth-mainnet.provider.example/v2/q7', 'https://eth-mainnet.provider.example/v2/********'],
  ['https://mainnet.provider.example/v3/0a1b2c3d4e', 'https://mainnet.provider.example/v3/********'],
  ['https://rpc.provider.example/eth/k-19/', 'https://rpc.provider.example/eth/********/'],
  ['https://go.provider.example/Ab1_x', 'https://go.provider.example/********'],
  ['https://one.example/ext/bc/C/rpc', 'https://one.example/ext/bc/C/rpc'],
  ['https://a.example/node/v1/eth/mainnet/zz9', 'https://a.example/node/v1/eth/mainnet/********'],
  ['https://a.example/v1/lb/77fe', 'https://a.example/v1/lb/********'],
  ['https://a.example/RPC/ETH/%61bc', 'https://a.example/RPC/ETH/********'],
  ['https://0f1e2d3c4b5a69788796.eth.rpc.example/', 'https://********.eth.rpc.example'],
  ['https://us%40er:pw@a.example:8545/api', 'https://********@a.example:8545/api'],
  ['https://lb.example/ogrpc?network=ethereum&dkey=s3', 'https://lb.example/ogrpc?network=********&dkey=********'],
  ['https://a.example/api?s3cret', 'https://a.example/api?********'],
  ['https://a.example/api?k=a=b#c', 'https://a.example/api?k=********#********'],
  ['not a url', '********'],
];

it('shows of a URL only words that are known, wherever and however short its key is', () => {
  expect(KEYED.map(([given]) => shownUrl(given))).toEqual(KEYED.map(([, shown]) => shown));
});

it('shows the public sources whole: nothing in them is a key', () => {
  for (const { url } of PUBLIC_SOURCES) expect(shownUrl(url)).toBe(url);
});

it('takes keys out of the text of a reply that repeats the request', () => {
  const urls = ['https://rpc.example/v2/k3y9/eth?dkey=d77d&network=ethereum'];
  const reply = 'rpc: HTTP 404 Cannot POST /v2/k3y9/eth?dkey=d77d, unknown key h0sh on ethereum';
  expect(withoutSecrets(reply, urls, ['h0sh'])).toBe(
    'rpc: HTTP 404 Cannot POST /v2/********/eth?dkey=********, unknown key ******** on ethereum',
  );
});
