import type { Category, Label } from './label.ts';

/** Kinds of scam, gravest first: of several sources the gravest kind names the entry. */
export const SCAM_TYPES = [
  'drainer',
  'malicious_contract',
  'hack',
  'ransomware',
  'phishing',
  'rug_pull',
  'investment',
  'romance',
  'impersonation',
  'giveaway',
  'extortion',
  'other',
] as const;
export type ScamType = (typeof SCAM_TYPES)[number];

export const SCAM_SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type ScamSeverity = (typeof SCAM_SEVERITIES)[number];

export const SCAM_REPORT_STATUSES = ['pending', 'verified', 'rejected'] as const;

const WORDS: readonly [RegExp, ScamType][] = [
  [/drainer/i, 'drainer'],
  [/hack|exploit|heist|stolen|steal/i, 'hack'],
  [/ransom/i, 'ransomware'],
  [/phish/i, 'phishing'],
  [/rug.?pull|honeypot/i, 'rug_pull'],
  [/ponzi|invest|hyip|pyramid/i, 'investment'],
  [/romance|pig.?butcher/i, 'romance'],
  [/fake|impersonat|imposter/i, 'impersonation'],
  [/giveaway|airdrop/i, 'giveaway'],
  [/extort|blackmail|sextort/i, 'extortion'],
];

/** Label categories of those who take money from victims; the scam database lists them. A market or mixer is paid by choice. */
export const SCAM_CATEGORIES: readonly Category[] = ['scam', 'drainer', 'theft', 'ransomware'];

/** The kind of scam that a list's label speaks of, by its category and its words. */
export function scamTypeOf(label: Label): ScamType {
  if (label.category === 'drainer' || label.category === 'ransomware') return label.category;
  if (label.maliciousContract) return 'malicious_contract';
  const text = `${label.label} ${label.source}`;
  return WORDS.find(([words]) => words.test(text))?.[1] ?? 'other';
}

export function gravestType(types: readonly ScamType[]): ScamType {
  return SCAM_TYPES.find((type) => types.includes(type)) ?? 'other';
}

const CRITICAL_TYPES: readonly ScamType[] = ['drainer', 'malicious_contract', 'hack', 'ransomware'];
const CRITICAL_FROM_USD = 1_000_000;

/** Grades a scam by its kind, or CRITICAL from a million dollars stolen. */
export function scamSeverity(type: ScamType, stolenUsd: number): ScamSeverity {
  if (CRITICAL_TYPES.includes(type) || stolenUsd >= CRITICAL_FROM_USD) return 'CRITICAL';
  return type === 'other' ? 'MEDIUM' : 'HIGH';
}
