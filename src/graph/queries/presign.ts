import { type Chain, NATIVE_COIN } from '../../domain/chain.ts';
import { addressKey } from '../address-key.ts';
import type { Graph } from '../port.ts';

/** Those of the keys whose address has a transfer in the graph. */
export async function findKnown(graph: Graph, keys: readonly string[], timeoutMs: number): Promise<Set<string>> {
  const rows = await graph.read('presign/known-addresses', { keys: [...keys] }, { timeoutMs });
  return new Set(rows.map((row) => row.key as string));
}

export interface RecipientsQuery {
  chain: Chain;
  signer: string;
  usdMin: number;
  /** A signer with more recipients is not searched. */
  recipientsMax: number;
}

/** Earlier recipients of the signer; none where the graph does not know it. */
export async function readRecipients(
  graph: Graph,
  { chain, signer, usdMin, recipientsMax }: RecipientsQuery,
  timeoutMs: number,
): Promise<{ address: string; lastAt: number; txHash: string }[]> {
  const params = {
    signer: addressKey(chain, signer),
    recipients_max: recipientsMax,
    usd_min: usdMin,
    coin: NATIVE_COIN[chain].symbol,
  };
  const rows = await graph.read('presign/earlier-recipients', params, { timeoutMs });
  return rows.map((row) => ({
    address: row.address as string,
    lastAt: row.last_at as number,
    txHash: row.top_tx_hash as string,
  }));
}
