import type { EdgeSingular, StylesheetJson } from 'cytoscape';
import type { Chain } from '../../src/domain/chain.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../../src/domain/scene/shown.ts';
import type { BadgeCategory } from '../parts/category-badge.tsx';
import { ARROW_SCALE, FONT, pageFont, SMALLEST } from './fonts.ts';
import { nodeColor, themeColor } from './node-colors.ts';
import { iconUrls } from './node-icons.ts';

const ICON = 16;
/** More than any picture has arrows. */
const RANKS = 10_000;

interface Drawn {
  data: (name: string) => unknown;
}

/** Colours and shapes in the theme that is shown. */
export function canvasStyle(): StylesheetJson {
  const [text, card, accent, muted, line] = ['--text', '--card', '--accent', '--muted', '--line'].map(themeColor) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const font = pageFont();
  const data = (node: Drawn, name: string) => node.data(name) as string | null | undefined;
  const icons = new Map<string, string[]>();
  const iconsOf = (node: Drawn): string[] => {
    const [chain, category] = [data(node, 'chain'), data(node, 'category') ?? 'unknown'];
    const name = `${chain} ${category}`;
    const known = icons.get(name);
    if (known) return known;
    const urls = iconUrls((chain ?? null) as Chain | null, category, nodeColor(category as BadgeCategory));
    icons.set(name, urls);
    return urls;
  };
  /** The ring: the level of a scan, else what a list says. */
  const ringOf = (node: Drawn) => {
    const level = data(node, 'level');
    return level
      ? themeColor(`--${level.toLowerCase()}`)
      : nodeColor((data(node, 'category') ?? 'unknown') as BadgeCategory);
  };
  /** Larger sums above smaller ones, above them those that say their amount, and the followed money on top: no line that says nothing strikes words through. */
  const heightOf = (edge: EdgeSingular) =>
    edge.data('rank') + (edge.data('say') ? RANKS : 0) + (edge.hasClass('followed') ? 2 * RANKS : 0);
  const endLabel = (side: 'source' | 'target') => ({
    [`${side}-label`]: (edge: Drawn) => data(edge, 'say') ?? '',
    [`${side}-text-offset`]: 'data(distance)',
  });
  return [
    {
      selector: 'node',
      style: {
        shape: 'round-rectangle',
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
        'background-color': card,
        'background-image': iconsOf,
        'background-image-crossorigin': 'null' as never,
        'background-fit': 'none',
        'background-clip': 'none',
        'background-width': [`${ICON}px`, `${ICON}px`] as never,
        'background-height': [`${ICON}px`, `${ICON}px`] as never,
        'background-position-x': (node: Drawn) => iconsOf(node).map(() => '4px'),
        'background-position-y': (node: Drawn) => (iconsOf(node).length > 1 ? ['4px', '23px'] : ['13px']),
        'border-width': 2.5,
        'border-color': ringOf,
        label: (node: Drawn) => data(node, 'say') ?? '',
        color: text,
        'font-family': font,
        'font-size': (node: Drawn) => Number(node.data('font') ?? FONT),
        'text-margin-x': 10,
        'line-height': 1.25,
        'text-wrap': 'wrap',
        'text-max-width': '1000px',
        'text-valign': 'center',
        'text-halign': 'center',
        'min-zoomed-font-size': SMALLEST,
      },
    },
    {
      selector: 'node.coloured',
      style: { 'background-color': (node: Drawn) => themeColor(`--mark-${node.data('colour')}`) },
    },
    {
      // Where names cannot be read, the colour of the ring fills the card.
      selector: 'node.far',
      style: { 'background-color': ringOf, 'background-image': 'none' as never },
    },
    {
      selector: 'node.loud',
      style: {
        'text-background-color': card,
        'text-background-opacity': 0.92,
        'text-background-padding': '1px',
        'text-margin-x': 0,
        'text-max-width': '100000px',
        'background-image': 'none' as never,
        'z-index': 8,
      },
    },
    { selector: 'node.right, node.over-right, node.under-right', style: besideStyle('right', card) },
    { selector: 'node.left, node.over-left, node.under-left', style: besideStyle('left', card) },
    { selector: 'node.over-right, node.over-left', style: { 'text-valign': 'top' } },
    { selector: 'node.under-right, node.under-left', style: { 'text-valign': 'bottom' } },
    { selector: 'node.over-right, node.under-right', style: { 'text-margin-x': -NODE_WIDTH } },
    { selector: 'node.over-left, node.under-left', style: { 'text-margin-x': NODE_WIDTH } },
    { selector: 'node.subject', style: { 'outline-width': 3, 'outline-color': accent, 'outline-offset': 2 } },
    { selector: 'node.unread', style: { 'border-style': 'dashed' } },
    { selector: 'node.pinned', style: { 'outline-width': 1, 'outline-color': text, 'outline-offset': 2 } },
    { selector: 'node.transaction', style: { shape: 'cut-rectangle', 'border-width': 1.5, 'border-color': text } },
    { selector: 'node.bundle, node.group', style: { 'border-style': 'double', 'border-width': 4 } },
    {
      selector: 'node.text',
      style: {
        'background-color': themeColor('--mark-yellow'),
        width: 'label',
        height: 'label',
        padding: '8px',
        'text-max-width': '220px',
        'border-width': 0,
      },
    },
    {
      selector: 'node.frame',
      style: {
        'background-color': accent,
        'background-opacity': 0.06,
        'border-color': accent,
        'border-style': 'dashed',
        'text-valign': 'top',
        'text-margin-y': -4,
        padding: '12px',
      },
    },
    {
      selector: 'node.lane',
      style: {
        events: 'no',
        shape: 'rectangle',
        width: 'data(width)',
        height: 'data(height)',
        padding: '0px',
        'background-color': muted,
        'background-opacity': 0.07,
        'border-width': 0,
        'z-compound-depth': 'bottom',
        'z-index': 0,
      },
    },
    {
      selector: 'node.pill',
      style: {
        width: (node: Drawn) => Number(node.data('width') ?? 0),
        height: (node: Drawn) => Number(node.data('height') ?? 0),
        'background-color': (node: Drawn) => (data(node, 'say') ? card : accent),
        'background-image': 'none' as never,
        'border-color': accent,
        'border-width': 1.5,
        'text-margin-x': 0,
        'z-index': 7,
      },
    },
    {
      selector: 'node.amount',
      style: {
        width: (node: Drawn) => Number(node.data('width') ?? 0),
        height: (node: Drawn) => Number(node.data('height') ?? 0),
        shape: 'rectangle',
        'background-opacity': (node: Drawn) => (data(node, 'say') ? 0.92 : 0),
        'background-image': 'none' as never,
        'border-width': 0,
        'line-height': 1.15,
        'text-margin-x': 0,
        'z-index': 6,
      },
    },
    {
      selector: 'edge',
      style: {
        width: 'data(width)',
        'z-index': heightOf,
        'line-color': line,
        'target-arrow-color': muted,
        'target-arrow-shape': 'triangle',
        'arrow-scale': ARROW_SCALE,
        'curve-style': 'straight',
        'source-endpoint': '90deg',
        'target-endpoint': '270deg',
        color: text,
        'font-family': font,
        'font-size': (edge: Drawn) => Number(edge.data('font') ?? FONT),
        'text-wrap': 'wrap',
        'line-height': 1.15,
        'text-background-color': card,
        'text-background-opacity': 0.92,
        'text-background-padding': '2px',
        'min-zoomed-font-size': SMALLEST,
      },
    },
    { selector: 'edge.amount-middle', style: { label: (edge: Drawn) => data(edge, 'say') ?? '' } },
    { selector: 'edge.amount-target', style: endLabel('target') as never },
    { selector: 'edge.amount-source', style: endLabel('source') as never },
    {
      selector: 'edge.amount-back',
      style: {
        label: (edge: Drawn) => data(edge, 'say') ?? '',
        'curve-style': 'unbundled-bezier',
        'control-point-distances': [70],
        'control-point-weights': [0.5],
        'source-endpoint': '180deg',
        'target-endpoint': '180deg',
      },
    },
    {
      selector: 'edge.bent',
      style: {
        'curve-style': 'segments',
        'edge-distances': 'endpoints' as never,
        'segment-weights': 'data(weights)' as never,
        'segment-distances': 'data(distances)' as never,
      },
    },
    { selector: 'edge.bridge', style: { 'line-style': 'dashed' } },
    // What a payer gets back.
    { selector: 'edge.own', style: { 'line-style': 'dotted' } },
    { selector: 'edge.followed', style: { 'line-color': muted } },
    { selector: 'node:selected', style: { 'outline-color': accent, 'outline-width': 4, 'outline-offset': 2 } },
    { selector: 'edge:selected', style: { 'line-color': accent, 'target-arrow-color': accent, 'z-index': 4 * RANKS } },
  ];
}

/** A name beside a small shape. */
function besideStyle(side: 'left' | 'right', card: string) {
  const away = side === 'right' ? 0.3 : -0.3;
  return {
    'text-background-color': card,
    'text-background-opacity': 0.92,
    'text-halign': side,
    'text-margin-x': (node: Drawn) => away * Number(node.data('font') ?? FONT),
    'text-max-width': '100000px',
    'z-index': 8,
  };
}
