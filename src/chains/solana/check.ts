import { SourceError } from '../../errors.ts';
import type { RequestOptions, SourceFacts, SourceLack } from '../port.ts';
import type { SolanaRpc } from './rpc.ts';

const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Newest slot of a node, which must be of the main network, and if it takes batches and keeps old blocks. */
export async function checkSolana(rpc: SolanaRpc, options?: RequestOptions): Promise<SourceFacts> {
  const { genesis, slot, firstBlock, takesBatches } = await rpc.state(options);
  if (genesis !== GENESIS) {
    const reason = 'rpc: its first block is not that of the main network';
    throw new SourceError('solana', reason, { problem: 'other_network' });
  }
  const atS = await rpc.blockTime(slot, options);
  if (atS === null) throw new SourceError('solana', `rpc: it has no time for its newest slot ${slot}`);
  const lacks: SourceLack[] = [];
  if (firstBlock > 1) lacks.push('archive');
  if (!takesBatches) lacks.push('batches');
  return { height: slot, heightAt: atS * 1_000, chainId: null, lacks };
}
