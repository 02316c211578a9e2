import type { Category } from '../../src/domain/label.ts';
import type { HopAnswer, Unread } from '../service/answers.ts';
import type { Exposures, GraphCounterparties, Terminals } from '../service/tracing-answers.ts';

export interface GraphNode {
  /** `<chain>:<address>`: money may cross a bridge to the same address on another chain. */
  key: string;
  chain: string;
  address: string;
  label: string | null;
  category: Category;
  /** Whether the account has read its history; null where the answers did not say. */
  read: boolean | null;
  /** Hops from the start, negative where money came from; for nodes that no edge places. */
  hop: number;
}

export type CrossedBridge = NonNullable<HopAnswer['bridge']>;

/** The known flow from one address to another. */
export interface GraphEdge {
  /** Keys of the two nodes. */
  from: string;
  to: string;
  usd: number | null;
  transfers: number;
  firstAt: string;
  lastAt: string;
  /** The largest transaction. */
  txHash: string;
  /** The bridge that carried it to another chain. */
  bridge: CrossedBridge | null;
}

export interface MoneyGraph {
  /** Key of the node where the investigation began. */
  start: string;
  nodes: ReadonlyMap<string, GraphNode>;
  /** By `<from>><to>`; of crossings by `<from>><to>><message>`. */
  edges: ReadonlyMap<string, GraphEdge>;
}

/** Part of the value that a bridge's fee may be. */
const FEE_MAX = 0.1;

export function nodeKey(chain: string, address: string): string {
  return `${chain}:${address}`;
}

export function startGraph(chain: string, address: string): MoneyGraph {
  const start = nodeKey(chain, address);
  return { start, nodes: new Map([[start, nodeOf(start)]]), edges: new Map() };
}

/** Adds an address, its counterparties and their flows; with `drawnOnly`, only flows to addresses already in the graph. */
export function addCounterparties(graph: MoneyGraph, answer: GraphCounterparties, drawnOnly = false): MoneyGraph {
  const { chain, label, category, read } = answer;
  const key = nodeKey(chain, answer.address);
  const nodes: NodeFacts[] = [{ key, label, category, read }];
  const edges: GraphEdge[] = [];
  for (const { sent, received, address, ...facts } of answer.counterparties) {
    const far = nodeKey(chain, address);
    if (drawnOnly && !graph.nodes.has(far)) continue;
    nodes.push({ key: far, ...facts });
    if (sent) edges.push(edgeOf(key, far, sent));
    if (received) edges.push(edgeOf(far, key, received));
  }
  return merge(graph, nodes, edges);
}

/** Adds the paths of money to labelled parties. */
export function addExposure(graph: MoneyGraph, { direct, indirect }: Exposures): MoneyGraph {
  return [...direct, ...indirect].reduce(
    (grown, { category, top }) =>
      top.reduce(
        (each, { chain, address, label, path }) =>
          addPath(each, path, [{ key: nodeKey(chain, address), label, category }]),
        grown,
      ),
    graph,
  );
}

export function addTerminals(graph: MoneyGraph, { terminals }: Terminals): MoneyGraph {
  return terminals.reduce(
    (grown, { chain, address, label, category, path }) =>
      addPath(grown, path, [{ key: nodeKey(chain, address), label, category }]),
    graph,
  );
}

export function addPath(graph: MoneyGraph, path: HopAnswer[], named: NodeFacts[] = []): MoneyGraph {
  const edges = path.map(({ from, to, chain, usd, at, tx_hash, bridge }): GraphEdge => {
    // A bridge with a reason did not carry the money on, as far as is known.
    const carried = bridge && bridge.reason === null ? bridge : null;
    return {
      from: nodeKey(chain, from),
      to: nodeKey(carried?.destination.chain ?? chain, to),
      usd,
      transfers: 1,
      firstAt: at,
      lastAt: at,
      txHash: tx_hash,
      bridge: carried,
    };
  });
  return merge(graph, named, edges);
}

/** Adds the addresses where a trace ended. */
export function addFrontier(graph: MoneyGraph, frontier: Unread[]): MoneyGraph {
  const nodes = frontier.map(({ chain, address, direction, hop, reason }) => ({
    key: nodeKey(chain, address),
    read: readingHelps(reason) ? false : null,
    hop: direction === 'received' ? -hop : hop,
  }));
  return merge(graph, nodes, []);
}

/** Whether a trace may go on after the address where it ended was read. */
export function readingHelps(reason: string): boolean {
  return ['not_read', 'partial_history', 'not_read_since'].includes(reason);
}

/** Whether reading this address may extend the trace; labelled services are not read. */
export function isUnread({ start }: MoneyGraph, { key, category, read }: GraphNode): boolean {
  return read === false && category === 'unknown' && key !== start;
}

/** Facts of an answer about an address. */
type NodeFacts = Pick<GraphNode, 'key'> & Partial<Omit<GraphNode, 'key' | 'chain' | 'address'>>;

function merge(graph: MoneyGraph, nodes: NodeFacts[], edges: GraphEdge[]): MoneyGraph {
  const allNodes = new Map(graph.nodes);
  const allEdges = new Map(graph.edges);
  const add = ({ key, label, category, read, hop }: NodeFacts) => {
    const known = allNodes.get(key) ?? nodeOf(key);
    allNodes.set(key, {
      ...known,
      label: label ?? known.label,
      category: category && category !== 'unknown' ? category : known.category,
      read: known.read || (read ?? known.read),
      hop: known.hop || (hop ?? 0),
    });
  };
  for (const node of nodes) add(node);
  for (const edge of edges) {
    add({ key: edge.from });
    add({ key: edge.to });
    const id = idOf(edge);
    const known = allEdges.get(id);
    // The sum of all transfers says more than one of them.
    if (!known || edge.transfers >= known.transfers) allEdges.set(id, edge);
  }
  return withoutExplained({ start: graph.start, nodes: allNodes, edges: allEdges });
}

/** Each crossing is a flow of its own: its evidence is a pair of transactions. */
function idOf({ from, to, bridge, txHash }: GraphEdge): string {
  return bridge ? `${from}>${to}>${bridge.message_id ?? txHash}` : `${from}>${to}`;
}

/** Removes the flows that a crossing replaces, and the addresses that had no other flow. */
function withoutExplained(graph: MoneyGraph): MoneyGraph {
  const crossings = [...graph.edges.values()].filter(({ bridge }) => bridge !== null);
  if (crossings.length === 0) return graph;
  const isExplained = (edge: GraphEdge) =>
    edge.bridge === null &&
    // A sum of several transactions holds money that the crossing did not carry.
    edge.transfers === 1 &&
    crossings.some((crossing) => isDeparture(edge, crossing) || isArrival(edge, crossing));
  const edges = new Map([...graph.edges].filter(([, edge]) => !isExplained(edge)));
  const endsOf = (all: MoneyGraph['edges']) => new Set([...all.values()].flatMap(({ from, to }) => [from, to]));
  const [before, after] = [endsOf(graph.edges), endsOf(edges)];
  const nodes = [...graph.nodes].filter(([key]) => key === graph.start || after.has(key) || !before.has(key));
  return { start: graph.start, nodes: new Map(nodes), edges };
}

/** The transaction may pay others too, such as change: those flows have another value. */
function isDeparture({ from, txHash, usd }: GraphEdge, crossing: GraphEdge): boolean {
  if (from !== crossing.from || txHash !== crossing.txHash) return false;
  return usd === null || crossing.usd === null || Math.abs(usd - crossing.usd) <= FEE_MAX * crossing.usd;
}

function isArrival({ to, txHash }: GraphEdge, crossing: GraphEdge): boolean {
  return to === crossing.to && txHash === crossing.bridge?.destination.tx_hash;
}

function nodeOf(key: string): GraphNode {
  const [chain = '', address = ''] = key.split(':', 2);
  return { key, chain, address, label: null, category: 'unknown', read: null, hop: 0 };
}

type Totals = NonNullable<GraphCounterparties['counterparties'][number]['sent']>;

function edgeOf(from: string, to: string, { usd, tx_count, first_at, last_at, tx_hash }: Totals): GraphEdge {
  return { from, to, usd, transfers: tx_count, firstAt: first_at, lastAt: last_at, txHash: tx_hash, bridge: null };
}
