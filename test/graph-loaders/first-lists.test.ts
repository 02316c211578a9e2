import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHAINS, type Chain } from '../../src/domain/chain.ts';
import { fileOf, folderOf, openLoading } from './loading.ts';

const evm = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const TRON = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';
const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const SOLANA = 'Vote111111111111111111111111111111111111111';

/** By chain, an address that the lists below name. */
const NAMED: Record<Chain, string> = {
  ...{ bitcoin: BITCOIN, tron: TRON, xrp: XRP, solana: SOLANA, polygon: evm(3), avalanche: evm(4) },
  ...{ ethereum: evm(1), kaia: evm(1), base: evm(5), arbitrum: evm(6), optimism: evm(1), bsc: evm(2) },
};

it('the free lists that init offers name an address of each chain, and one that they do not name stays unknown', async () => {
  const loading = await openLoading();
  const { labels } = loading;
  const named = async (chain: Chain, address: string) => (await labels.find(chain, [address])).get(address)?.[0];
  for (const chain of CHAINS) expect(await named(chain, NAMED[chain])).toBeUndefined();
  const ofac = { XBT: BITCOIN, ETH: evm(1), TRX: TRON, XRP };
  const files = Object.entries(ofac).map(([code, address]) => [`sanctioned_addresses_${code}.txt`, `${address}\n`]);
  await loading.load('ofac-list', folderOf(Object.fromEntries(files)));
  const packs = folderOf({});
  mkdirSync(join(packs, 'packs'));
  const tags = [
    ['SOL', SOLANA],
    ['BEP20', evm(2)],
    ['MATIC', evm(3)],
    ['AVAX', evm(4)],
  ].map(([currency, address]) => `  - address: '${address}'\n    currency: ${currency}\n`);
  const head =
    'title: Wallets of Harbour Exchange\ncreator: desk\nlabel: Harbour Exchange\ncategory: exchange\ntags:\n';
  writeFileSync(join(packs, 'packs', 'harbour.yaml'), head + tags.join(''));
  await loading.load('tagpack', packs);
  const explorers = [`basescan,phish-hack,${evm(5)},Fake_Phishing1`, `arbiscan,phish-hack,${evm(6)},Fake_Phishing2`];
  await loading.load('eth-labels', fileOf('accounts.csv', ['explorer,label,address,nameTag', ...explorers].join('\n')));
  for (const chain of CHAINS) {
    expect([chain, await named(chain, NAMED[chain])]).toEqual([chain, expect.objectContaining({ validTo: null })]);
  }
  for (const chain of ['ethereum', 'kaia', 'solana'] as const) {
    expect(await named(chain, chain === 'solana' ? '11111111111111111111111111111111' : evm(99))).toBeUndefined();
  }
});
