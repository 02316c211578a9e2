import type { Chain } from '../../domain/chain.ts';
import { addressKey } from '../address-key.ts';
import type { Graph } from '../port.ts';

/** Returns who paid each address first; only addresses whose own history was read in full are in it. */
export async function findFirstPayers(
  graph: Graph,
  chain: Chain,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map();
  const keys = addresses.map((address) => addressKey(chain, address));
  const rows = await graph.read('scan/first-payers', { keys }, { timeoutMs });
  const payers = new Map(rows.map((row) => [row.key as string, row.payer as string]));
  return new Map(addresses.flatMap((address, i) => (payers.has(keys[i]!) ? [[address, payers.get(keys[i]!)!]] : [])));
}
