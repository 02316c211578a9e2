import { SourceError } from '../../errors.ts';
import type { RequestOptions, SourceFacts } from '../port.ts';
import { GENESIS_LEDGER } from './pages.ts';
import type { XrpRpc } from './rpc.ts';

/** Newest validated ledger of a server, which must be of the main network, and if it holds the whole history. */
export async function checkXrp(rpc: XrpRpc, options?: RequestOptions): Promise<SourceFacts> {
  const { networkId, firstLedger } = await rpc.server(options);
  if (networkId !== 0) {
    const reason = `rippled: it serves network ${networkId}, not the main network`;
    throw new SourceError('xrp', reason, { problem: 'other_network' });
  }
  const ledger = await rpc.ledger('validated', options);
  if (!ledger) throw new SourceError('xrp', 'rippled: it has no validated ledger');
  const isWhole = firstLedger !== null && firstLedger <= GENESIS_LEDGER;
  return { height: ledger.index, heightAt: ledger.at, chainId: null, lacks: isWhole ? [] : ['archive'] };
}
