import type { EndReason } from '../../domain/tracing/walk/ends.ts';

/** Why a search behind an address ended, beside the ends of its traces. */
type SearchReason =
  | 'pattern_budget'
  | 'address_budget'
  | 'crossing_budget'
  | 'source_failed'
  | 'not_readable'
  | 'returned';

/** Why a trace ended at an address, or a search behind it. */
export type EndWords = Record<EndReason | SearchReason, string>;

export const ends: EndWords = {
  not_read: 'the address was not read',
  partial_history: 'its history was read in part only',
  received_unseen: 'more was paid than is known to have come in',
  unknown_origin: 'no known transfer explains the money',
  returned: 'the money went back to who had paid it',
  held: 'the money was still there',
  not_read_since: 'not read since the money arrived',
  spent_unseen: 'spent in transfers that were not read',
  unpriced: 'no price is known',
  burned: 'the money was burned',
  fees: 'paid as fees to the network',
  own_money: 'the money came back to its owner',
  bridge_liquidity: 'money of a pool that paid out a crossing',
  max_hops: 'the hop limit was reached',
  limit: 'the limit of addresses was reached',
  small_share: 'too small a part of the money',
  time_budget: 'the time limit was reached',
  pattern_budget: 'not every flow around the address was searched for patterns',
  address_budget: 'the number of addresses that one reading opens was used up',
  crossing_budget: 'the number of crossings that one reading looks for was used up',
  source_failed: 'a data source failed',
  not_readable: 'no data source reads the chain',
  hub_not_expanded: 'it has too many transfers to follow the money of one customer',
  contract: 'put into a contract, and not seen to come out',
  contract_not_expanded: 'a contract that pools the money of many',
  bridge_pending: 'not delivered so far',
  bridge_not_found: 'the other chain was asked and has no fitting delivery or deposit',
  bridge_no_link: 'nothing links the two sides',
  bridge_chain_unsupported: 'the other chain is not supported',
  bridge_source_missing: 'no data source is configured for the other chain',
  bridge_not_looked_up: 'the other side was not looked for',
  bridge_likely: 'the other side is only likely',
  bridge_open: 'anybody could have stated the crossing',
  cross_chain_off: 'bridges were left out of this trace',
};
