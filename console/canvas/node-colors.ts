import type { BadgeCategory } from '../parts/category-badge.tsx';

const VARIABLES: Partial<Record<BadgeCategory, string>> = {
  sanctioned: '--critical',
  terrorism: '--critical',
  darknet: '--critical',
  child_abuse: '--critical',
  drainer: '--critical',
  theft: '--critical',
  ransomware: '--critical',
  scam: '--critical',
  mixer: '--high',
  high_risk_exchange: '--high',
  gambling: '--medium',
  exchange: '--low',
  whitelist: '--low',
  bridge: '--accent',
  dex: '--accent',
  dex_router: '--accent',
  service: '--accent',
};

/** A browser takes long to compute a style, and a canvas asks for each of its nodes. */
const known = { theme: '', colors: new Map<string, string>() };

/** The colour of a variable of the style sheet in the theme that is shown. */
export function themeColor(variable: string): string {
  const root = document.documentElement;
  const { theme = '' } = root.dataset;
  if (theme !== known.theme) Object.assign(known, { theme, colors: new Map() });
  const color = known.colors.get(variable) ?? getComputedStyle(root).getPropertyValue(variable).trim();
  if (color !== '') known.colors.set(variable, color);
  return color;
}

export function nodeColor(category: BadgeCategory): string {
  return themeColor(VARIABLES[category] ?? '--muted');
}
