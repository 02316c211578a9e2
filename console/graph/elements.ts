import { shortened, usd } from '../texts/formats.ts';
import { type GraphEdge, isUnread, type MoneyGraph } from './money-graph.ts';

interface Element {
  group: 'nodes' | 'edges';
  data: Record<string, unknown>;
  classes: string;
}

const WIDTH_MAX = 9;

/** What cytoscape draws: nodes by category, unread ones dashed; edges by US dollars, later ones faint. */
export function elementsOf(graph: MoneyGraph, until: string | null, selected: string | null): Element[] {
  const { start, nodes, edges } = graph;
  const isLater = ({ firstAt }: GraphEdge) => until !== null && firstAt > until;
  return [
    ...[...nodes.values()].map(
      (node): Element => ({
        group: 'nodes',
        data: { id: node.address, name: node.label ?? shortened(node.address), category: node.category },
        classes: [
          node.address === start && 'start',
          isUnread(graph, node) && 'unread',
          node.address === selected && 'chosen',
        ]
          .filter(Boolean)
          .join(' '),
      }),
    ),
    ...[...edges].map(
      ([id, edge]): Element => ({
        group: 'edges',
        data: { id, source: edge.from, target: edge.to, name: usd(edge.usd), width: edgeWidth(edge.usd) },
        classes: [isLater(edge) && 'later', id === selected && 'chosen'].filter(Boolean).join(' '),
      }),
    ),
  ];
}

/** One pixel up to 10 dollars, another for each half of a power of ten. */
export function edgeWidth(value: number | null): number {
  return Math.min(WIDTH_MAX, Math.max(1, 2 * Math.log10(Math.max(1, value ?? 1)) - 1));
}
