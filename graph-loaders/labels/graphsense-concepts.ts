import { adverseCategory } from '../../src/domain/adverse-words.ts';
import { type Chain, isEvmChain } from '../../src/domain/chain.ts';
import { ADVERSE_CATEGORIES, type Category } from '../../src/domain/label.ts';
import { wordTable } from '../reading/word-table.ts';

/**
 * Categories of concepts; one that is absent has the category of its broader concept. What stands
 * below `abuse` is adverse: `scam` where nothing says more. Fraud in all its forms is `scam`, trade in what is forbidden and
 * violence are `darknet`. The last words of each group are of older packs.
 */
const CONCEPT_CATEGORIES = wordTable<Category>({
  abuse: 'scam',
  perpetrator: 'scam',
  social_engineering: 'scam',
  malware: 'scam',
  fraud: 'scam',
  rug_pull: 'scam',
  sanction: 'sanctioned',
  terrorism: 'terrorism',
  terrorism_financing: 'terrorism',
  child_sexual_abuse: 'child_abuse',
  child_sexual_exploitation: 'child_abuse',
  csam: 'child_abuse',
  ransomware: 'ransomware',
  hacking: 'theft',
  hack: 'theft',
  theft: 'theft',
  extremism: 'darknet',
  sexual_abuse: 'darknet',
  human_trafficking: 'darknet',
  violence: 'darknet',
  drugs: 'darknet',
  weapons: 'darknet',
  counterfeit: 'darknet',
  money_laundering: 'darknet',
  dark_web: 'darknet',
  mixing: 'mixer',
  mixing_service: 'mixer',
  exchange: 'exchange',
  wallet_service: 'exchange',
  atm: 'exchange',
  hosted_wallet: 'exchange',
  broker: 'exchange',
  escrow_wallet: 'service',
  payment_processor: 'service',
  miner: 'service',
  mining_service: 'service',
  gambling: 'gambling',
  defi_dex: 'dex',
  defi_dex_aggregator: 'dex_router',
  defi_bridge: 'bridge',
  bridge: 'bridge',
  // A sale of tokens, of which its broader concept would make an exchange.
  ico_wallet: 'other',
});

/** Where it is said, not what was done: what else a tag says counts before it. */
const PLACES = ['dark_web'];

/** The category of a concept in any spelling, on a chain; null where the taxonomy gives none of ours. */
function conceptCategory(word: string, chain: Chain): Category | null {
  // A market of a UTXO chain sells on the dark web, one of an EVM chain collectibles.
  if (word === 'market' && !isEvmChain(chain)) return 'darknet';
  for (let concept: string | undefined = word; concept !== undefined; concept = BROADER_CONCEPT[concept]) {
    const category = CONCEPT_CATEGORIES[concept];
    if (category) return category;
  }
  return null;
}

export interface StatedConcepts {
  /** Words that accuse: an unknown one is `scam`. */
  abuses: readonly string[];
  concepts: readonly string[];
  /** Concepts of the actor that the tag names. */
  actor: readonly string[];
}

/**
 * The category of a tag: what it or its actor is accused of, the gravest first, then what it is, then what its actor is.
 * `unmapped` gets each word that has no category; such a word counts by what it seems to accuse of.
 */
export function categoryOfConcepts(
  { abuses, concepts, actor }: StatedConcepts,
  chain: Chain,
  unmapped: (word: string) => void,
): Category {
  const read = (words: readonly string[], otherwise: Category | null) =>
    words.flatMap((stated) => {
      const word = stated.replace(/[\s-]+/g, '_');
      const known = conceptCategory(word, chain);
      if (known === null) unmapped(stated);
      const category = known ?? adverseCategory(stated) ?? otherwise;
      return category === null ? [] : [{ category, isPlace: PLACES.includes(word) }];
    });
  const own = [...read(abuses, 'scam'), ...read(concepts, null)];
  const all = [...own, ...read(actor, null)];
  const gravest = (isPlace: boolean) =>
    ADVERSE_CATEGORIES.find((category) => all.some((one) => one.category === category && one.isPlace === isPlace));
  return gravest(false) ?? gravest(true) ?? all[0]?.category ?? 'other';
}

/**
 * How sure a pack is of its tags, 0-100: the packs' own scale, from `confidence.csv` beside the taxonomy (MIT, copyright
 * GraphSense).
 */
export const CONFIDENCES = wordTable<number>({
  override: 100,
  ownership: 100,
  ledger_immanent: 100,
  manual_transaction: 90,
  service_api: 70,
  forensic_investigation: 70,
  authority_data: 60,
  trusted_provider: 50,
  service_data: 50,
  forensic: 50,
  untrusted_transaction: 40,
  web_crawl: 20,
  heuristic: 10,
  unknown: 5,
});
export const CONFIDENCE_UNSTATED = 50;

/** Currency and network names of the packs to the chains on which the tag can stand; absent: another chain. */
export const TAGPACK_CHAINS = wordTable<string>({
  BTC: 'bitcoin',
  XBT: 'bitcoin',
  ETH: 'ethereum',
  TRX: 'tron',
  XRP: 'xrp',
  RIPPLE: 'xrp',
  SOL: 'solana',
  BSC: 'bsc',
  BNB: 'bsc',
  BEP20: 'bsc',
  MATIC: 'polygon',
  POL: 'polygon',
  AVAX: 'avalanche',
  AVAXC: 'avalanche',
  ARB: 'arbitrum',
  ARBITRUM: 'arbitrum',
  OP: 'optimism',
  OPTIMISM: 'optimism',
  BASE: 'base',
  KLAY: 'kaia',
  KAIA: 'kaia',
  ERC20: 'ethereum',
  TRC20: 'tron',
  // Tokens of several chains: the address's form decides.
  USDT: '',
  USDC: '',
  OMNI: '',
});

/**
 * GraphSense's taxonomy of concepts: the narrower ones of each. Read from `src/graphsenselib/tagpack/db/concepts.yaml` of
 * https://github.com/graphsense/graphsense-lib (MIT, copyright 2022 GraphSense), version 0.1.0, which derives from the
 * taxonomy of INTERPOL's working group on the dark web and virtual assets.
 */
const NARROWER = {
  concept: 'unknown behaviour source entity item',
  source: 'mention dark_web',
  mention: 'website_mention',
  website_mention: 'forum_mention',
  behaviour: 'abuse gray_usage white_usage deployer funder',
  gray_usage: 'mixing',
  abuse:
    'sexual_abuse violence human_trafficking scam financial_crime extortion phishing hacking drugs weapons sanction counterfeit extremism black_list',
  sexual_abuse: 'child_sexual_abuse',
  violence: 'murder torture',
  financial_crime: 'investment_fraud money_laundering payment_card_fraud',
  investment_fraud: 'ponzi_scheme',
  ponzi_scheme: 'pyramid_scheme',
  extortion: 'sextortion ransomware',
  hacking: 'service_hack account_hack exploit data_breach social_engineering malware',
  extremism: 'terrorism terrorism_financing',
  entity: 'organization user service',
  user: 'victim perpetrator donation miner',
  service:
    'exchange wallet_service filesharing index market messaging_service mixing_service mining_service gambling search_engine shop faucet payment_processor atm hosting vpn nameservice defi',
  wallet_service: 'escrow_wallet ico_wallet',
  white_usage: 'cold_wallet hot_wallet warm_wallet deposit_wallet white_list',
  mixing: 'coinjoin',
  defi: 'defi_token defi_lending defi_dex defi_derivatives defi_bridge defi_dao defi_staking defi_custody defi_derivative',
  defi_dex: 'defi_dex_pair',
  item: 'collectible',
  black_list: 'gov_black_list',
  white_list: 'gov_white_list',
} as const;

/**
 * The broader concept of each, up to `concept`.
 *
 * @internal
 */
export const BROADER_CONCEPT = wordTable<string>(
  Object.fromEntries(
    Object.entries(NARROWER).flatMap(([broader, names]) => names.split(' ').map((name) => [name, broader])),
  ),
);
