import type { Chain } from './chain.ts';

/** Every category a label may have; answers about counterparties use the closed list of the contract. */
export const CATEGORIES = [
  'self',
  'whitelist',
  'sanctioned',
  'darknet',
  'drainer',
  'scam',
  'mixer',
  'gambling',
  'bridge',
  'exchange',
  'dex',
  'dex_router',
  'other',
  'unknown',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Tracing ends at an address of one of these; through all others it goes on. */
export const STOP_CATEGORIES: readonly Category[] = [
  'sanctioned',
  'darknet',
  'drainer',
  'scam',
  'mixer',
  'gambling',
  'bridge',
  'exchange',
  'dex',
  'dex_router',
];

/** Lawful services whose busy traffic is their normal life. */
export const SERVICE_CATEGORIES: readonly Category[] = ['bridge', 'exchange', 'dex', 'dex_router', 'gambling', 'mixer'];

/** A statement of one source about one address, with its days of validity. */
export interface Label {
  /** A chain, or `evm` for all eight EVM chains. */
  chain: Chain | 'evm';
  address: string;
  category: Category;
  /** Name shown to people, e.g. `Binance 14`. */
  label: string;
  source: string;
  /** 0-100. */
  confidence: number;
  /** Name or id of the owner, where the source names one. */
  entity: string | null;
  /** First valid moment, epoch ms; null = always valid. */
  validFrom: number | null;
  /** End of validity (exclusive), epoch ms; null = still valid. Delisted entries keep their end. */
  validTo: number | null;
  /** True for a contract known to be malicious in itself (a drainer or phishing contract). */
  maliciousContract: boolean;
}

export function isValidAt(label: Label, at: number): boolean {
  return (label.validFrom === null || label.validFrom <= at) && (label.validTo === null || at < label.validTo);
}
