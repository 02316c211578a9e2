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

/** The colour of a variable of the style sheet in the theme that is shown. */
export function themeColor(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

export function nodeColor(category: BadgeCategory): string {
  return themeColor(VARIABLES[category] ?? '--muted');
}
