import { type Chain, type ChainAddress, isChain, isEvmChain, type LabelChain } from './chain.ts';

const STOPS = [
  'sanctioned',
  'darknet',
  'drainer',
  'scam',
  'theft',
  'ransomware',
  'terrorism',
  'child_abuse',
  'mixer',
  'high_risk_exchange',
  'gambling',
  'bridge',
  'exchange',
  'dex',
  'dex_router',
  'service',
] as const;

/** Every category a label may have; answers about counterparties use the closed list of the contract. */
export const CATEGORIES = ['self', 'whitelist', ...STOPS, 'other', 'unknown'] as const;
export type Category = (typeof CATEGORIES)[number];

export function isCategory(text: string): text is Category {
  return (CATEGORIES as readonly string[]).includes(text);
}

/** Tracing ends at an address of one of these; through all others it goes on. */
export const STOP_CATEGORIES: readonly Category[] = STOPS;

/** Categories of crime and of the services that hide it, gravest first. */
export const ADVERSE_CATEGORIES: readonly Category[] = [
  'sanctioned',
  'terrorism',
  'darknet',
  'child_abuse',
  'drainer',
  'theft',
  'ransomware',
  'scam',
  'mixer',
  'high_risk_exchange',
];

/** Categories that the contract's closed list for counterparties lacks; counterparties show them as `other`. */
export const UNLISTED_CATEGORIES = [
  'scam',
  'theft',
  'ransomware',
  'terrorism',
  'child_abuse',
  'high_risk_exchange',
  'service',
] as const satisfies readonly Category[];

/** A category of the contract's closed list. */
export type ListedCategory = Exclude<Category, (typeof UNLISTED_CATEGORIES)[number]>;

export function listedCategory(category: Category): ListedCategory {
  return (UNLISTED_CATEGORIES as readonly Category[]).includes(category) ? 'other' : (category as ListedCategory);
}

/** Categories that do not say what an address is. */
export const NEUTRAL_CATEGORIES: readonly Category[] = ['self', 'whitelist', 'other', 'unknown'];

/** Lawful services; `service` is any other, such as a payment processor or a mining pool. */
export const LAWFUL_SERVICE_CATEGORIES: readonly Category[] = [
  'bridge',
  'exchange',
  'dex',
  'dex_router',
  'gambling',
  'service',
];

/** Services that know their customers. */
export const KNOW_CUSTOMERS: readonly Category[] = ['exchange', 'high_risk_exchange', 'gambling', 'service'];

/** Returns the name of the service in an address's label, such as `Binance` of `Binance: Hot Wallet 3`; null without a label. */
export function serviceName(label: string | null): string | null {
  return label?.split(':')[0]?.trim() || null;
}

/** Words and numbers that lists add to the name of a service for one of its wallets. */
const OF_A_WALLET = /^(\d+|(hot|cold|deposit|withdrawal|wallet)(wallet)?s?)$/;

/**
 * Returns what all names have in common that lists give to the wallets of one service: `Binance 14`, `binance`, `Binance.com` and
 * `Binance: Hot Wallet 3` are one.
 */
export function serviceKey(name: string): string {
  const service = (serviceName(name) ?? name).toLowerCase();
  const words = service.split(/[\s_#-]/).filter(Boolean);
  while (words.length > 1 && OF_A_WALLET.test(words.at(-1)!)) words.pop();
  const bare = words
    .join('')
    .replace(/\.(com|io|net|org)$/, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return bare || service;
}

/** True for a category that speaks against an address. */
export function isAdverseCategory(category: Category | null): boolean {
  return category !== null && ADVERSE_CATEGORIES.includes(category);
}

/** True for the category of a lawful service. */
export function isLawfulService(category: Category | null): boolean {
  return category !== null && LAWFUL_SERVICE_CATEGORIES.includes(category);
}

/** True for those that give one asset for another in one transaction. */
export function isDex(category: Category | null): boolean {
  return category === 'dex' || category === 'dex_router';
}

/** Services of either kind, whose busy traffic means nothing. */
export const SERVICE_CATEGORIES: readonly Category[] = [...LAWFUL_SERVICE_CATEGORIES, 'mixer', 'high_risk_exchange'];

/** Least confidence of a sure label; a weaker one is a report, and makes no address a service. */
export const SURE_CONFIDENCE = 70;
/** The packs' own scale: 50 says that a forensic report, a trusted provider or the service itself names the owner. */
export const SURE_IN_PACKS = 50;

/** Source of what this engine infers itself. */
export const INFERENCE = 'inference';

/** Names a statement of a source: an address, its category and the name that it gets. */
export interface LabelStatement {
  /** `evm` for all EVM chains. */
  chain: LabelChain;
  address: string;
  category: Category;
  /** Name shown to people, e.g. `Binance 14`. */
  label: string;
  source: string;
}

/** A statement with its days of validity, and what else its source says. */
export interface Label extends LabelStatement {
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
  /** Programmes of a sanction as the list names them, such as `CYBER2, DPRK3`; absent where none is known. */
  programme?: string;
}

const OWN = 'own:';

/** Source of what an account says itself; the name is that of who wrote it. */
export function ownSource(author: string): string {
  return OWN + author;
}

export function isOwnLabel({ source }: { source: string }): boolean {
  return source.startsWith(OWN);
}

/** Returns who of the account wrote a label with this source; null for those of lists. */
export function ownAuthor(source: string): string | null {
  return isOwnLabel({ source }) ? source.slice(OWN.length) : null;
}

export function isValidAt(label: Label, at: number): boolean {
  return (label.validFrom === null || label.validFrom <= at) && (label.validTo === null || at < label.validTo);
}

/** True of a label whose source is sure of it; any other is a report. */
export function isSure({ confidence, source }: Label): boolean {
  return confidence >= sureFrom(source);
}

/** The confidence from which on a source's labels are sure, by the scale of its list. */
export function sureFrom(source: string): number {
  return source.startsWith('tagpack:') ? SURE_IN_PACKS : SURE_CONFIDENCE;
}

/** The label that counts where `best` is the first of these: a report gives way to an adverse label that is sure. */
export function surerThanReport(best: Label, labels: readonly Label[]): Label {
  const isAdverse = ({ category }: Label) => isAdverseCategory(category);
  if (isSure(best) || !isAdverse(best)) return best;
  return labels.find((label) => isSure(label) && isAdverse(label)) ?? best;
}

/**
 * The labels of an address that hold on a chain: its own, and of an EVM wallet what is adverse on any EVM chain, for the key is
 * the same. A contract's address may be another party's elsewhere, and a sure label on the chain itself says more.
 */
export function labelsHeldOn(chain: Chain, labels: readonly Label[], at: number): Label[] {
  const own = labels.filter((label) => label.chain === chain || (label.chain === 'evm' && isEvmChain(chain)));
  const isNamed = own.some(
    (label) => isValidAt(label, at) && isSure(label) && !NEUTRAL_CATEGORIES.includes(label.category),
  );
  if (!isEvmChain(chain) || isNamed) return own;
  return [...own, ...labels.filter((label) => listedElsewhere(label, { chain, address: label.address }) !== null)];
}

/**
 * Names the chain on which an adverse label of the same key that holds here stands; null for a label of the address itself. One for all EVM
 * chains stands on ethereum for the others. On Bitcoin one key has several addresses.
 */
export function listedElsewhere(
  { chain: on, address: listed, category, maliciousContract }: Label,
  { chain, address }: ChainAddress,
): Chain | null {
  if (!isAdverseCategory(category) || maliciousContract) return null;
  if (on === 'evm') return isEvmChain(chain) ? null : 'ethereum';
  const isOther = on !== chain || (chain === 'bitcoin' && listed !== address);
  return isChain(on) && isOther ? on : null;
}

/** Why a clean answer means little: no list of sanctions is loaded, or one was not renewed for twice its interval. */
export const LIST_GAPS = ['no_lists', 'lists_stale'] as const;
export type ListGap = (typeof LIST_GAPS)[number];

/** Label facts of an address. */
export interface AddressLabel {
  category: Category | null;
  label: string | null;
  /** True for a known contract or program, false for a known wallet; absent where it is not known. */
  isContract?: boolean;
}
