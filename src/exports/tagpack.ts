import { isChain, type LabelChain } from '../domain/chain.ts';
import { type Category, isSure, type Label, SURE_IN_PACKS } from '../domain/label.ts';

/** Networks as GraphSense names them; a label of all EVM chains stands on the first. */
const NETWORKS: Record<LabelChain, string> = {
  evm: 'ETH',
  ethereum: 'ETH',
  bitcoin: 'BTC',
  tron: 'TRX',
  solana: 'SOL',
  xrp: 'XRP',
  bsc: 'BSC',
  polygon: 'MATIC',
  avalanche: 'AVAX',
  arbitrum: 'ARB',
  optimism: 'OP',
  base: 'BASE',
  kaia: 'KAIA',
  bitcoin_cash: 'BCH',
  bitcoin_sv: 'BSV',
  ethereum_classic: 'ETC',
};

/** Words of the packs' taxonomy; an accusation is an `abuse`, what an address is a concept. None where no word says it. */
const ABUSES: Partial<Record<Category, string>> = {
  sanctioned: 'sanction',
  drainer: 'phishing',
  scam: 'scam',
  theft: 'hacking',
  ransomware: 'ransomware',
  terrorism: 'terrorism_financing',
  child_abuse: 'child_sexual_abuse',
};
const CONCEPTS: Partial<Record<Category, string>> = {
  darknet: 'dark_web',
  mixer: 'mixing_service',
  high_risk_exchange: 'exchange',
  gambling: 'gambling',
  bridge: 'defi_bridge',
  exchange: 'exchange',
  dex: 'defi_dex',
  dex_router: 'defi_dex',
};

/** Words of the taxonomy for these confidences; the others stand as numbers. */
const CONFIDENCES: Record<number, string> = {
  100: 'ownership',
  90: 'manual_transaction',
  70: 'forensic_investigation',
  60: 'authority_data',
  50: 'trusted_provider',
  40: 'untrusted_transaction',
  20: 'web_crawl',
  10: 'heuristic',
  5: 'unknown',
};

/** Facts in the `context` of a tag, for which a pack has no field. */
export interface TagContext {
  category: Category;
  /** Where no pack has a network for it. */
  chain?: LabelChain;
  valid_from?: number;
  valid_to?: number;
  malicious_contract?: true;
  programme?: string;
}

const PREFIX = 'tagpack:';

/** The head of a pack: all its tags are of one source, which a load finds again as `tagpack:<source>`. */
export function tagpackHead(source: string, { creator, about }: { creator: string; about: string }): string {
  const title = source.startsWith(PREFIX) ? source.slice(PREFIX.length) : source;
  return `title: ${quoted(title)}\ncreator: ${quoted(creator)}\ndescription: ${quoted(about)}\ntags:\n`;
}

/** One tag of a pack. */
export function tagOf(label: Label): string {
  const { chain, address, category, validFrom, validTo, maliciousContract, programme } = label;
  const context: TagContext = {
    category,
    ...(!isChain(chain) && { chain }),
    ...(validFrom !== null && { valid_from: validFrom }),
    ...(validTo !== null && { valid_to: validTo }),
    ...(maliciousContract && { malicious_contract: true }),
    ...(programme && { programme }),
  };
  const confidence = packConfidence(label);
  const fields: [string, string | undefined][] = [
    ['address', address],
    ['network', NETWORKS[chain]],
    ['label', label.label],
    ['source', label.source],
    ['confidence', CONFIDENCES[confidence] ?? String(confidence)],
    ['actor', label.entity ?? undefined],
    ['abuse', ABUSES[category]],
    ['concepts', CONCEPTS[category]],
    ['context', JSON.stringify({ traceflow: context })],
  ];
  const stated = fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${quoted(value)}`]));
  return `- ${stated.join('\n  ')}\n`;
}

/** On the packs' scale, where less makes a tag sure: a report stays one. */
function packConfidence(label: Label): number {
  return isSure(label) ? label.confidence : Math.min(label.confidence, SURE_IN_PACKS - 1);
}

/** A text of JSON is one of YAML. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
