import type { Category } from '../parts/category-badge.tsx';
import type { Hop, Unread } from '../service/answers.ts';
import type { Exposures, GraphCounterparties, Terminals } from '../service/tracing-answers.ts';

export interface GraphNode {
  address: string;
  label: string | null;
  category: Category;
  /** Whether the account has read its history; null where the answers did not say. */
  read: boolean | null;
  /** Hops from the start, negative where money came from; for nodes that no edge places. */
  hop: number;
}

/** Everything that one address paid another, as far as the answers showed it. */
export interface GraphEdge {
  from: string;
  to: string;
  usd: number | null;
  transfers: number;
  firstAt: string;
  lastAt: string;
  /** The largest transaction. */
  txHash: string;
}

export interface MoneyGraph {
  start: string;
  nodes: ReadonlyMap<string, GraphNode>;
  /** By `<from>><to>`. */
  edges: ReadonlyMap<string, GraphEdge>;
}

export function startGraph(start: string): MoneyGraph {
  return { start, nodes: new Map([[start, nodeOf(start)]]), edges: new Map() };
}

/** Adds an address with whom it dealt. With `among`, only edges between addresses that are there already. */
export function addCounterparties(graph: MoneyGraph, answer: GraphCounterparties, among = false): MoneyGraph {
  const { address, label, category, read } = answer;
  const nodes = [{ address, label, category, read }];
  const edges: GraphEdge[] = [];
  for (const { sent, received, ...far } of answer.counterparties) {
    if (among && !graph.nodes.has(far.address)) continue;
    nodes.push(far);
    if (sent) edges.push(edgeOf(address, far.address, sent));
    if (received) edges.push(edgeOf(far.address, address, received));
  }
  return merge(graph, nodes, edges);
}

/** Adds the ways of money to labelled parties. */
export function addExposure(graph: MoneyGraph, { direct, indirect }: Exposures): MoneyGraph {
  return [...direct, ...indirect].reduce(
    (grown, { category, top }) =>
      top.reduce((each, { address, label, path }) => addPath(each, path, [{ address, label, category }]), grown),
    graph,
  );
}

export function addTerminals(graph: MoneyGraph, { terminals }: Terminals): MoneyGraph {
  return terminals.reduce(
    (grown, { address, label, category, path }) => addPath(grown, path, [{ address, label, category }]),
    graph,
  );
}

export function addPath(graph: MoneyGraph, path: Hop[], named: Partial<GraphNode>[] = []): MoneyGraph {
  const edges = path.map(
    ({ from, to, usd, at, tx_hash }): GraphEdge => ({
      from,
      to,
      usd,
      transfers: 1,
      firstAt: at,
      lastAt: at,
      txHash: tx_hash,
    }),
  );
  return merge(graph, named, edges);
}

/** Adds the addresses where a trace ended because they were not read. */
export function addFrontier(graph: MoneyGraph, frontier: Unread[]): MoneyGraph {
  const nodes = frontier.map(({ address, direction, hop }) => ({
    address,
    read: false,
    hop: direction === 'received' ? -hop : hop,
  }));
  return merge(graph, nodes, []);
}

/** Whether the money is lost at this address until somebody reads it; labelled services need no reading. */
export function isUnread({ start }: MoneyGraph, { address, category, read }: GraphNode): boolean {
  return read === false && category === 'unknown' && address !== start;
}

function merge(graph: MoneyGraph, nodes: Partial<GraphNode>[], edges: GraphEdge[]): MoneyGraph {
  const allNodes = new Map(graph.nodes);
  const allEdges = new Map(graph.edges);
  const add = ({ address = '', label, category, read, hop }: Partial<GraphNode>) => {
    const known = allNodes.get(address) ?? nodeOf(address);
    allNodes.set(address, {
      address,
      label: label ?? known.label,
      category: category && category !== 'unknown' ? category : known.category,
      read: known.read || (read ?? known.read),
      hop: known.hop || (hop ?? 0),
    });
  };
  for (const node of nodes) add(node);
  for (const edge of edges) {
    add({ address: edge.from });
    add({ address: edge.to });
    const id = `${edge.from}>${edge.to}`;
    const known = allEdges.get(id);
    // The sum of all transfers says more than one of them.
    if (!known || edge.transfers >= known.transfers) allEdges.set(id, edge);
  }
  return { start: graph.start, nodes: allNodes, edges: allEdges };
}

function nodeOf(address: string): GraphNode {
  return { address, label: null, category: 'unknown', read: null, hop: 0 };
}

type Totals = NonNullable<GraphCounterparties['counterparties'][number]['sent']>;

function edgeOf(from: string, to: string, { usd, tx_count, first_at, last_at, tx_hash }: Totals): GraphEdge {
  return { from, to, usd, transfers: tx_count, firstAt: first_at, lastAt: last_at, txHash: tx_hash };
}
