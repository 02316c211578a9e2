/** The note of a transaction scan; `{…}` is filled in. */
export const transaction = {
  pending: 'The transaction is not yet in a block.',
  failed: 'The transaction failed: nothing was moved but the fee.',
  /** Begins two of the sentences below. */
  of_type: 'A transaction of type {type}',
  no_asset: 'A transaction that moved no asset',
  accounts: '{what}: the accounts involved are listed.',
  balances: '{what}: what moved is read from the changes of balances.',
  apportioned: 'The chain does not say which sender paid which receiver: amounts are shares.',
  coinjoin: 'A CoinJoin: nothing says who paid which of the equal outputs.',
  delivered: 'Paid across currencies: the amount is what was delivered.',
  partial_payment: 'A partial payment: it states {amount} {asset}; the amount is what was delivered.',
  destination_tag: 'Destination tag {tag}.',
  participants: 'Only {shown} of {count} participants are listed.',
};

export type TransactionWords = typeof transaction;
