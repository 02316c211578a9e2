import { type Chain, NATIVE_COIN } from '../domain/chain.ts';
import { addressKey } from './pairs.ts';
import type { Graph } from './port.ts';

/** Whether any transfer of the address is in the graph. */
export async function isInGraph(graph: Graph, chain: Chain, address: string, timeoutMs: number): Promise<boolean> {
  const rows = await graph.read('presign/address', { key: addressKey(chain, address) }, { timeoutMs });
  return rows.length > 0;
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
