import type { Graph } from '../port.ts';

type ChainStats = { chain: string; addresses: number; scanned: number; labelled: number };

export interface GraphStats {
  engine: Graph['engine'];
  addresses: number;
  scanned: number;
  transfers: number;
  /** Ordered pairs with a transfer. */
  flows: number;
  /** Money that crossed a bridge, with both sides or one. */
  bridged: number;
  entities: number;
  chains: ChainStats[];
  categories: { category: string; addresses: number }[];
}

/** Counts the addresses of each chain by reading all of them. */
export function chainStats(graph: Graph): Promise<ChainStats[]> {
  return graph.read<ChainStats>('stats/nodes', {});
}

/** Counts nodes and relationships of the graph by reading all of it. */
export async function graphStats(graph: Graph): Promise<GraphStats> {
  const chains = await chainStats(graph);
  const categories = await graph.read<GraphStats['categories'][number]>('stats/categories', {});
  const [edges] = await graph.read<Pick<GraphStats, 'transfers' | 'flows' | 'bridged' | 'entities'>>('stats/edges', {});
  const sum = (field: 'addresses' | 'scanned') => chains.reduce((total, chain) => total + chain[field], 0);
  return { engine: graph.engine, addresses: sum('addresses'), scanned: sum('scanned'), ...edges!, chains, categories };
}
