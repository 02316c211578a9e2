import { expect, it } from 'vitest';
import type { ChainSource } from '../../../src/chains/port.ts';
import type { Chain } from '../../../src/domain/chain.ts';
import { SourceError } from '../../../src/errors.ts';
import { locateTransaction } from '../../../src/questions/scans/locate-transaction.ts';

const HASH = 'AB'.repeat(32);

/** Sources by chain: what each says of any transaction. */
const sources = (answers: Partial<Record<Chain, () => Promise<unknown>>>) => ({
  chainSource: async (chain: Chain) => {
    const transaction = answers[chain];
    return transaction ? ({ transaction } as unknown as ChainSource) : null;
  },
});

it('asks all chains that a hash can be on, and says of each what its source knows', async () => {
  const ctx = sources({ bitcoin: async () => null, xrp: async () => ({ txHash: HASH }) });
  expect(await locateTransaction(ctx, 'desk', HASH.toLowerCase())).toEqual({
    tx_hash: HASH,
    found_on: ['xrp'],
    chains: [
      { chain: 'bitcoin', state: 'not_found' },
      { chain: 'tron', state: 'not_configured' },
      { chain: 'xrp', state: 'found' },
    ],
  });
});

it('a source that fails takes nothing from the others', async () => {
  const failing = () => Promise.reject(new SourceError('ethereum', 'down'));
  const found = await locateTransaction(sources({ ethereum: failing, base: async () => ({}) }), 'desk', `0x${HASH}`);
  expect(found.found_on).toEqual(['base']);
  expect(found.chains.find(({ chain }) => chain === 'ethereum')).toEqual({ chain: 'ethereum', state: 'not_answered' });
});

it('refuses a text that is not a hash of any chain', async () => {
  await expect(locateTransaction(sources({}), 'desk', '0x12')).rejects.toThrow('Invalid transaction hash');
});
