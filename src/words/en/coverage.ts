import type { ListGap } from '../../domain/label.ts';
import type { SuppressedDetection } from '../../risk/detection.ts';

export const coverage = {
  /** Why a history was not read in full, by the reason in the coverage of its scan. */
  readings: {
    amount_not_stated: 'transfers whose amount the source does not state',
    balance_unexplained: 'the transfers do not add up to the balance that the chain states',
    conflict: 'known transfers are missing, or another source states them otherwise',
    explorer_indexing: 'the explorer had not indexed the newest blocks',
    failed_not_listed: 'failed transactions are not listed',
    hidden_amounts: 'amounts that only their parties can read',
    history_shorter_than_count: 'fewer transactions than the source counts',
    impossible_token_amounts: 'impossible token amounts were left out',
    graph_limit: 'not all transfers that the graph knows of the address were compared',
    indirect_time_budget: 'the search for indirect exposure ran out of time',
    input_without_address: 'inputs without an address',
    internal_not_listed: 'internal transfers are not listed',
    lists_stale: 'a sanctions list is older than twice its interval',
    many_party_transaction: 'a transaction of too many parties',
    moved_since: 'the address has moved since it was read',
    native_not_listed: 'transfers of the coin are not listed',
    nft_not_listed: 'NFT transfers are not listed',
    no_source_configured: 'no data source is configured for the chain',
    no_lists: 'no sanctions list is loaded',
    owner_of_token_account: 'the owner of the token account was read',
    page_limit: 'only the newest transactions up to the limit',
    pruned_history: 'the source no longer keeps older transactions',
    received_unseen: 'more was paid than is known to have come in',
    rewards_not_listed: 'rewards are not all listed',
    sent_not_listed: 'fewer of its own transactions are listed than the chain counts',
    spendings_only: 'only spendings were read',
    token_account_limit: 'the limit of token accounts was reached',
    tokens_not_listed: 'token transfers are not listed',
    transaction_limit: 'the limit of transactions was reached',
    transfer_limit: 'the limit of transfers was reached',
    truncated_server_history: 'the server does not hold the whole history',
    unconfirmed_left_out: 'unconfirmed transactions were left out',
    unmatched_balance_change: 'a balance changed without a known transfer',
    unnamed_mint_not_listed: 'transfers that do not name the mint are not listed',
    unnamed_tokens: 'transfers of tokens without a name',
  },
  /** After an answer about transfers that may lack some. */
  mayLack: 'Transfers may be missing: {reasons}.',
  /** Beside a level: how much of the received money has a labelled origin, and how much was looked at for one. */
  origins: 'Of what was received: known origin {known}%, looked at {share}%.',
  /** Beside a level, before all: how much of the money, more than half, was not followed to its end. */
  beyond: {
    received:
      '{usd} USD ({share}%) of what was received came from further away than was followed: the level does not speak for it.',
    sent: '{usd} USD ({share}%) of what was sent went further than was followed: the level does not speak for it.',
  },
  /** Beside a level, before it. */
  listGaps: {
    no_lists: 'No sanctions list is loaded, so listed parties are not recognized.',
    lists_stale: 'A sanctions list is older than twice its interval, so newly listed parties are not recognized.',
  } satisfies Record<ListGap, string>,
  /** Beside a level: why the money could not be followed to its origin. */
  overspentBehind:
    'Addresses that the money came by paid more than is known to have come in: their histories are not whole.',
  betweenNotes: ' ',
  /** Why a detection that was found does not count. */
  suppressions: {
    service_label: 'a label names the address as a service',
    service_like: 'it behaves like a service',
    deposit_address: 'it is a deposit address',
    contract_address: 'it is a contract',
    partial_history: 'the history was read in part only',
    recurring_recipients: 'the receivers are paid regularly',
    recurring_business: 'this is regular business of the address',
    kept: 'less than half of the money left within a week, and none of it is tainted',
    short_chain: 'the chain of payments is too short',
    whitelist: 'the counterparties are on your whitelist',
  } satisfies Record<SuppressedDetection['suppressed_by'], string>,
};

/** Why something was not read, or does not count. */
export type CoverageWords = typeof coverage;
