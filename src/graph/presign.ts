import { type Chain, NATIVE_COIN } from '../domain/chain.ts';
import { addressKey } from './pairs.ts';
import type { Graph } from './port.ts';

const ROWS_MAX = 200;

/** Whether any transfer of the address is in the graph. */
export async function isInGraph(graph: Graph, chain: Chain, address: string, timeoutMs: number): Promise<boolean> {
  const rows = await graph.read('presign/address', { key: addressKey(chain, address) }, { timeoutMs });
  return rows.length > 0;
}

export interface AlikeQuery {
  chain: Chain;
  signer: string;
  /** Addresses to compare with. */
  compared: readonly string[];
  /** Characters at the beginning (what all addresses of the chain share included) and at the end. */
  head: number;
  tail: number;
  usdMin: number;
  /** A signer with more recipients is not searched. */
  recipientsMax: number;
}

/** Earlier recipients of the signer that begin and end like one of the compared addresses; no signer, no rows. */
export async function readAlikeRecipients(
  graph: Graph,
  { chain, signer, compared, head, tail, usdMin, recipientsMax }: AlikeQuery,
  timeoutMs: number,
): Promise<{ address: string; lastAt: number; txHash: string }[]> {
  const params = {
    signer: addressKey(chain, signer),
    recipients_max: recipientsMax,
    usd_min: usdMin,
    coin: NATIVE_COIN[chain].symbol,
    ends: [...new Set(compared.map((address) => address.slice(0, head) + address.slice(-tail)))],
    head,
    tail,
    limit: ROWS_MAX,
  };
  const rows = await graph.read('presign/earlier-recipients', params, { timeoutMs });
  return rows.map((row) => ({
    address: row.address as string,
    lastAt: row.last_at as number,
    txHash: row.top_tx_hash as string,
  }));
}
