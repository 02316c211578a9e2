import type { Core } from 'cytoscape';
import papaparse from 'papaparse';
import { edgeWidth, flowName, nodeName } from './elements.ts';
import { isUnread, type MoneyGraph } from './money-graph.ts';
import { nodeColor, themeColor } from './node-colors.ts';

const MARGIN = 80;
const RADIUS = 13;

export function graphPng(canvas: Core): Promise<Blob> {
  return canvas.png({ output: 'blob-promise', full: true, scale: 2, bg: themeColor('--card') });
}

/** Every edge with its evidence, one per row. */
export function graphCsv({ nodes, edges }: MoneyGraph): Blob {
  const rows = [...edges.values()].map((edge) => ({
    from_chain: nodes.get(edge.from)?.chain,
    from: nodes.get(edge.from)?.address,
    from_label: nodes.get(edge.from)?.label ?? '',
    to_chain: nodes.get(edge.to)?.chain,
    to: nodes.get(edge.to)?.address,
    to_label: nodes.get(edge.to)?.label ?? '',
    to_category: nodes.get(edge.to)?.category ?? '',
    usd: edge.usd ?? '',
    transfers: edge.transfers,
    first_at: edge.firstAt,
    last_at: edge.lastAt,
    tx_hash: edge.txHash,
    bridge: edge.bridge?.protocol ?? '',
    bridge_message_id: edge.bridge?.message_id ?? '',
    bridge_match: edge.bridge?.match ?? '',
    arrival_tx_hash: edge.bridge?.destination.tx_hash ?? '',
    arrived_at: edge.bridge?.destination.at ?? '',
  }));
  return new Blob([papaparse.unparse(rows, { escapeFormulae: true })], { type: 'text/csv' });
}

/** The canvas in its current layout, as SVG. */
export function graphSvg(canvas: Core, graph: MoneyGraph): Blob {
  const { x1, y1, x2, y2 } = canvas.elements().boundingBox();
  const box = [x1 - MARGIN, y1 - MARGIN, x2 - x1 + 2 * MARGIN, y2 - y1 + 2 * MARGIN].map(Math.round).join(' ');
  const text = themeColor('--text');
  const line = themeColor('--muted');
  const placeOf = (id: string) => canvas.getElementById(id).position();
  const edges = [...graph.edges.values()].map((edge) => {
    const [a, b] = [placeOf(edge.from), placeOf(edge.to)];
    const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
    return (
      `<path d="M${at(a)}L${at(b)}" stroke="${line}" stroke-width="${edgeWidth(edge.usd).toFixed(1)}"/>` +
      arrow(a, b, line) +
      `<text x="${Math.round(x)}" y="${Math.round(y) - 6}" font-size="10" fill="${text}">${escaped(flowName(edge))}` +
      `<title>${escaped(edge.txHash)}</title></text>`
    );
  });
  const nodes = [...graph.nodes.values()].map((node) => {
    const { x, y } = placeOf(node.key);
    const dashes = isUnread(graph, node) ? ` fill-opacity="0.15" stroke="${line}" stroke-dasharray="4 3"` : '';
    return (
      `<circle cx="${Math.round(x)}" cy="${Math.round(y)}" r="${RADIUS}" fill="${nodeColor(node.category)}"${dashes}/>` +
      `<text x="${Math.round(x)}" y="${Math.round(y) + 28}" font-size="12" fill="${text}">${escaped(nodeName(graph, node))}</text>`
    );
  });
  const drawing =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" font-family="sans-serif" text-anchor="middle" fill="none">` +
    `<rect x="${Math.round(x1 - MARGIN)}" y="${Math.round(y1 - MARGIN)}" width="100%" height="100%" fill="${themeColor('--card')}"/>` +
    `${edges.join('')}${nodes.join('')}</svg>`;
  return new Blob([drawing], { type: 'image/svg+xml' });
}

/** A triangle at three quarters of the way. */
function arrow(a: { x: number; y: number }, b: { x: number; y: number }, color: string): string {
  const angle = Math.round((Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI);
  const tip = `${Math.round(a.x + (b.x - a.x) * 0.75)} ${Math.round(a.y + (b.y - a.y) * 0.75)}`;
  return `<path d="M-7-5L5 0L-7 5Z" fill="${color}" transform="translate(${tip}) rotate(${angle})"/>`;
}

function at({ x, y }: { x: number; y: number }): string {
  return `${Math.round(x)} ${Math.round(y)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
