import { z } from 'zod';
import { SourceError } from '../../errors.ts';
import type { RequestOptions, SourceFacts } from '../port.ts';
import { blockTimeMs, checked, whole } from '../reply.ts';
import type { TronApi } from './api.ts';

/** End of the id of the first block, which is the id of the chain too. */
const GENESIS_END = '2b6653dc';
/** The black hole of the main network. */
const ADDRESS = 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy';
const block = z.object({
  blockID: z.string(),
  block_header: z.object({ raw_data: z.object({ number: whole.default(0), timestamp: blockTimeMs.default(0) }) }),
});

/** Newest block of a TRON source, which must be of the main network, and if it lists the transactions of accounts. */
export async function checkTron(api: TronApi, options?: RequestOptions): Promise<SourceFacts> {
  const first = checked(api.endpoint, block, await api.block(0, options), 'the first block');
  if (!first.blockID.endsWith(GENESIS_END)) {
    const reason = `${api.endpoint.name}: its first block is not that of TRON's main network`;
    throw new SourceError('tron', reason, { problem: 'other_network' });
  }
  const newest = checked(api.endpoint, block, await api.block('newest', options), 'the newest block');
  const { number, timestamp } = newest.block_header.raw_data;
  const request = { path: `/v1/accounts/${ADDRESS}/transactions/trc20`, query: {}, shape: z.unknown(), pageLimit: 1 };
  const list = await api.list({ ...request, enough: () => true }, options);
  return { height: number, heightAt: timestamp, chainId: null, lacks: list === null ? ['account_lists'] : [] };
}
