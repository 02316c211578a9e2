import type { StylesheetJson } from 'cytoscape';
import type { BadgeCategory } from '../parts/category-badge.tsx';
import { nodeColor, themeColor } from './node-colors.ts';

/** Colours and shapes in the theme that is shown. */
export function canvasStyle(): StylesheetJson {
  const text = themeColor('--text');
  const card = themeColor('--card');
  const accent = themeColor('--accent');
  const muted = themeColor('--muted');
  return [
    {
      selector: 'node',
      style: {
        width: 26,
        height: 26,
        'background-color': (node) => nodeColor(node.data('category') as BadgeCategory),
        'border-width': 2,
        'border-color': card,
        label: 'data(name)',
        color: text,
        'font-size': 14,
        'text-wrap': 'wrap',
        'text-max-width': '130px',
        'text-valign': 'bottom',
        'text-margin-y': 4,
        'text-background-color': card,
        'text-background-opacity': 0.8,
        'min-zoomed-font-size': 5,
      },
    },
    { selector: 'node.raised', style: { 'text-valign': 'top', 'text-margin-y': -4 } },
    { selector: 'node.start', style: { width: 38, height: 38, 'border-width': 4, 'border-color': accent } },
    {
      selector: 'node.unread',
      style: { 'background-color': card, 'border-style': 'dashed', 'border-color': muted, 'border-width': 3 },
    },
    { selector: 'node.chosen', style: { 'border-color': accent, 'border-width': 5 } },
    {
      selector: 'edge',
      style: {
        width: 'data(width)',
        'line-color': muted,
        'target-arrow-color': muted,
        'target-arrow-shape': 'triangle',
        'curve-style': 'bezier',
        label: 'data(name)',
        color: text,
        'font-size': 12,
        'text-rotation': 'autorotate',
        'text-margin-y': -9,
        'text-background-color': card,
        'text-background-opacity': 0.8,
        'min-zoomed-font-size': 5,
      },
    },
    { selector: 'edge.bridge', style: { 'line-style': 'dashed' } },
    { selector: 'edge.later', style: { opacity: 0.12 } },
    { selector: 'edge.chosen', style: { 'line-color': accent, 'target-arrow-color': accent } },
  ];
}
