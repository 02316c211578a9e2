import type { StylesheetJson } from 'cytoscape';
import { NODE_HEIGHT, NODE_WIDTH } from '../../src/domain/scene/shown.ts';
import type { BadgeCategory } from '../parts/category-badge.tsx';
import { nodeColor, themeColor } from './node-colors.ts';

const STRIP = 4;

/** Colours and shapes in the theme that is shown. */
export function canvasStyle(): StylesheetJson {
  const [text, card, accent, muted, line] = ['--text', '--card', '--accent', '--muted', '--line'].map(themeColor) as [
    string,
    string,
    string,
    string,
    string,
  ];
  // The style sheet is asked once for each category, not for each node.
  const colors = new Map<BadgeCategory, string>();
  const colorOf = (category: BadgeCategory) => {
    const color = colors.get(category) ?? nodeColor(category);
    colors.set(category, color);
    return color;
  };
  const strip = (fill: string) => (node: { data: (name: string) => unknown }) => {
    const category = colorOf(node.data('category') as BadgeCategory);
    return [category, category, fill, fill];
  };
  const endLabel = (side: 'source' | 'target') => ({
    [`${side}-label`]: 'data(name)',
    [`${side}-text-offset`]: 'data(distance)',
  });
  return [
    {
      selector: 'node',
      style: {
        shape: 'round-rectangle',
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
        'background-fill': 'linear-gradient',
        'background-gradient-direction': 'to-right',
        'background-gradient-stop-colors': strip(card),
        'background-gradient-stop-positions': ['0%', `${STRIP}%`, `${STRIP}%`, '100%'],
        'border-width': 1,
        'border-color': muted,
        label: 'data(name)',
        color: text,
        'font-size': 12,
        'line-height': 1.25,
        'text-wrap': 'wrap',
        'text-max-width': `${NODE_WIDTH}px`,
        'text-valign': 'center',
        'text-halign': 'center',
        'min-zoomed-font-size': 5,
      },
    },
    {
      selector: 'node.coloured',
      style: {
        'background-gradient-stop-colors': (node: { data: (name: string) => string }) =>
          strip(themeColor(`--mark-${node.data('colour')}`))(node),
      },
    },
    { selector: 'node.subject', style: { 'border-width': 3, 'border-color': accent } },
    { selector: 'node.unread', style: { 'border-style': 'dashed', 'border-width': 2 } },
    { selector: 'node.pinned', style: { 'border-width': 2, 'border-color': text } },
    { selector: 'node.bundle, node.group', style: { 'border-style': 'double', 'border-width': 4 } },
    {
      selector: 'node.text',
      style: {
        'background-fill': 'solid',
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
        'background-fill': 'solid',
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
      selector: 'edge',
      style: {
        width: 'data(width)',
        'line-color': line,
        'target-arrow-color': muted,
        'target-arrow-shape': 'triangle',
        'arrow-scale': 0.9,
        'curve-style': 'straight',
        'source-endpoint': '90deg',
        'target-endpoint': '270deg',
        color: text,
        'font-size': 11,
        'text-wrap': 'wrap',
        'text-background-color': card,
        'text-background-opacity': 0.92,
        'text-background-padding': '2px',
        'min-zoomed-font-size': 5,
      },
    },
    { selector: 'edge.amount-target', style: endLabel('target') as never },
    { selector: 'edge.amount-source', style: endLabel('source') as never },
    {
      selector: 'edge.amount-back',
      style: {
        label: 'data(name)',
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
    { selector: 'edge.followed', style: { 'line-color': muted } },
    { selector: 'node:selected', style: { 'border-color': accent, 'border-width': 4, 'border-style': 'solid' } },
    { selector: 'edge:selected', style: { 'line-color': accent, 'target-arrow-color': accent, 'z-index': 9 } },
  ];
}
