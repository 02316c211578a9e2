import { hidesPayers } from '../../domain/coinjoin/hides-payers.ts';
import type { Graph, Row } from '../port.ts';
import { type ExposureReadOptions, type GraphAddress, openAddresses } from './exposure.ts';

/** A payer of a CoinJoin with more counterparties is not asked with whom it spent elsewhere. */
const COUNTERPARTIES_MAX = 200;

/** Opens the CoinJoin transactions that do not hide their payers: money goes on there as at any wallet. Throws GraphError. */
export async function openTransparentCoinJoins(
  graph: Graph,
  keys: readonly string[],
  options: ExposureReadOptions & { room: number },
): Promise<Map<string, GraphAddress>> {
  const { labels, timeoutMs } = options;
  const wanted = new Map(keys.map((key) => [key, { received: true, sent: true }]));
  const opened = await openAddresses(graph, wanted, options);
  const payers = new Set([...opened.values()].flatMap(({ received }) => received.map(({ from }) => from)));
  const params = { keys: [...payers], most: COUNTERPARTIES_MAX };
  const rows = await graph.read<{ keys: string[] } & Row>('exposure/spent-together', params, { timeoutMs });
  const together = rows.map(({ keys }) => keys);
  const categoryOf = (key: string) => labels.get(key)?.category ?? null;
  return new Map([...opened].filter(([, coinJoin]) => !hidesPayers(coinJoin, categoryOf, together)));
}
