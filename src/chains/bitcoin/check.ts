import { z } from 'zod';
import { SourceError } from '../../errors.ts';
import { askSource, type Endpoint } from '../http.ts';
import type { RequestOptions, SourceFacts } from '../port.ts';
import { blockTimeS, checked, whole } from '../reply.ts';

const GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
const block = z.object({ height: whole, timestamp: blockTimeS });

/** Newest block of an Esplora server, which must be of the main network. */
export async function checkEsplora(endpoint: Endpoint, options?: RequestOptions): Promise<SourceFacts> {
  const genesis = await textOf(endpoint, '/block-height/0', options);
  if (genesis !== GENESIS) {
    const reason = `${endpoint.name}: its first block is not that of Bitcoin's main network`;
    throw new SourceError('bitcoin', reason, { problem: 'other_network' });
  }
  const hash = await textOf(endpoint, '/blocks/tip/hash', options);
  const reply = await askSource(endpoint, { path: `/block/${hash}`, ...options });
  const { height, timestamp } = checked(endpoint, block, reply.json, 'the newest block');
  return { height, heightAt: timestamp * 1_000, chainId: null, lacks: [] };
}

/** Hashes come as plain text. */
async function textOf(endpoint: Endpoint, path: string, options?: RequestOptions): Promise<string> {
  const { status, excerpt } = await askSource(endpoint, { path, ...options });
  const text = excerpt.trim();
  if (status === 200 && /^[0-9a-f]{64}$/.test(text)) return text;
  throw new SourceError(endpoint.chain, `${endpoint.name}: ${path}: HTTP ${status}, no hash of a block`);
}
