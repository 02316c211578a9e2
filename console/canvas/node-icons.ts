import type { Chain } from '../../src/domain/chain.ts';
import type { Category } from '../../src/domain/label.ts';
import { ICONS, type IconName } from '../parts/icon-shapes.ts';

/** A disc in a colour with a sign in white, each of our own drawing, within 24 by 24 units. */
const CHAIN_SIGNS: Record<Chain, [colour: string, sign: string]> = {
  bitcoin: ['#c96f00', '<path d="M9 6v12M9 7h4a2.3 2.3 0 0 1 0 5H9h5a2.5 2.5 0 0 1 0 5H9M11 4v2M11 18v2"/>'],
  ethereum: ['#4b5fb3', '<path d="M12 4l5 8-5 3-5-3zM7.5 14.5 12 20l4.5-5.5"/>'],
  arbitrum: ['#1f6fb2', '<path d="M7 18l5-12 5 12M9 14h6"/>'],
  avalanche: ['#c8323a', '<path d="M6 18L12 6l3 6M14 18l2-4 2 4z"/>'],
  base: ['#1a4fd0', '<path d="M7 12h10M12 6a6 6 0 1 1 0 12"/>'],
  bsc: ['#8f6d00', '<path d="M12 5l3 3-3 3-3-3zM12 13l3 3-3 3-3-3zM6 12h1M17 12h1"/>'],
  kaia: ['#4d7c0f', '<path d="M8 6v12M16 6l-7 6 7 6"/>'],
  optimism: ['#d0202f', '<path d="M11 12a3 3.5 0 1 1-6 0 3 3.5 0 0 1 6 0M14 18V7h2.5a2.5 2.5 0 0 1 0 6H14"/>'],
  polygon: ['#6d3fc8', '<path d="M12 5l6 3.5v7L12 19l-6-3.5v-7z"/>'],
  solana: ['#0f766e', '<path d="M8 7h9l-2 2H6zM6 11h9l2 2H8zM8 15h9l-2 2H6z"/>'],
  tron: ['#b3202a', '<path d="M5 7l12 2-6 10zM5 7l7 5 5-3M12 12l-1 7"/>'],
  xrp: ['#3f4a56', '<path d="M6 6l4 4a3 3 0 0 0 4 0l4-4M6 18l4-4a3 3 0 0 1 4 0l4 4"/>'],
};

const CATEGORY_ICONS: Partial<Record<Category, IconName>> = {
  exchange: 'exchange',
  high_risk_exchange: 'exchange',
  bridge: 'bridge',
  dex: 'swap',
  dex_router: 'swap',
  mixer: 'mixer',
  sanctioned: 'sanctioned',
  terrorism: 'violence',
  child_abuse: 'violence',
  theft: 'theft',
  scam: 'scam',
  drainer: 'drainer',
  ransomware: 'ransomware',
  darknet: 'darknet',
  gambling: 'gambling',
  service: 'service',
  whitelist: 'cleared',
};

function chainIcon(chain: Chain): string {
  const [colour, sign] = CHAIN_SIGNS[chain];
  return svgOf(`<circle cx="12" cy="12" r="11" fill="${colour}"/><g stroke="#fff" stroke-width="1.8">${sign}</g>`);
}

/** Null where a category has no sign of its own. */
function categoryIcon(category: string, colour: string): string | null {
  const name = CATEGORY_ICONS[category as Category];
  return name ? svgOf(`<g stroke="${colour}" stroke-width="2.2">${ICONS[name]}</g>`) : null;
}

function svgOf(inside: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke-linecap="round" stroke-linejoin="round">${inside}</svg>`;
}

/** Addresses of drawn icons: the page's policy lets a picture come from a blob, not from a text. */
const urls = new Map<string, string>();

function iconUrl(svg: string): string {
  const known = urls.get(svg) ?? URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  urls.set(svg, known);
  return known;
}

/** Returns the addresses of the signs of a chain and of a category, as far as there are some. */
export function iconUrls(chain: Chain | null, category: string, colour: string): string[] {
  const signs = [chain ? chainIcon(chain) : null, categoryIcon(category, colour)];
  return signs.flatMap((svg) => (svg ? [iconUrl(svg)] : []));
}
