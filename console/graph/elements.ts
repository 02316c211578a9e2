import { protocolName } from '../../src/domain/bridges/protocols.ts';
import { dollars } from '../../src/words/figures.ts';
import { shortened } from '../parts/shortened.ts';
import { type GraphEdge, type GraphNode, isUnread, type MoneyGraph } from './money-graph.ts';

interface Element {
  group: 'nodes' | 'edges';
  data: Record<string, unknown>;
  classes: string;
}

const WIDTH_MAX = 9;

/** What cytoscape draws: nodes by category, unread ones dashed; edges by US dollars, crossings of bridges dashed, later ones faint. */
export function elementsOf(graph: MoneyGraph, until: string | null, selected: string | null): Element[] {
  const { start, nodes, edges } = graph;
  const isLater = ({ firstAt }: GraphEdge) => until !== null && firstAt > until;
  return [
    ...[...nodes.values()].map(
      (node): Element => ({
        group: 'nodes',
        data: { id: node.key, name: nodeName(graph, node), category: node.category },
        classes: [node.key === start && 'start', isUnread(graph, node) && 'unread', node.key === selected && 'chosen']
          .filter(Boolean)
          .join(' '),
      }),
    ),
    ...[...edges].map(
      ([id, edge]): Element => ({
        group: 'edges',
        data: { id, source: edge.from, target: edge.to, name: flowName(edge), width: edgeWidth(edge.usd) },
        classes: [edge.bridge && 'bridge', isLater(edge) && 'later', id === selected && 'chosen']
          .filter(Boolean)
          .join(' '),
      }),
    ),
  ];
}

/** One pixel up to 10 dollars, another for each half of a power of ten. */
export function edgeWidth(value: number | null): number {
  return Math.min(WIDTH_MAX, Math.max(1, 2 * Math.log10(Math.max(1, value ?? 1)) - 1));
}

/** Label or address; with the chain where it is not the one of the start. */
export function nodeName({ start, nodes }: MoneyGraph, { chain, address, label }: GraphNode): string {
  const name = label ?? shortened(address);
  return chain === nodes.get(start)?.chain ? name : `${name} (${chain})`;
}

/** US dollars, and the bridge that carried them. */
export function flowName({ usd: value, bridge }: GraphEdge): string {
  return bridge ? `${dollars(value)} · ${protocolName(bridge.protocol)}` : dollars(value);
}
