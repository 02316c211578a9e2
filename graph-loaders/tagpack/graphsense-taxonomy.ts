import { wordTable } from '../reading/word-table.ts';

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

/** The broader concept of each, up to `concept`. */
export const BROADER_CONCEPT = wordTable<string>(
  Object.fromEntries(
    Object.entries(NARROWER).flatMap(([broader, names]) => names.split(' ').map((name) => [name, broader])),
  ),
);
