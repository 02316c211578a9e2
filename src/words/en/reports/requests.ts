/** The request to a service at which money of a case arrived; `{…}` is filled in. */
export const requests = {
  title: 'Request to freeze and to preserve records: {service}',
  reference: 'Reference',
  case: 'Case',
  date: 'Date',
  intro:
    'In the case named above, {usd} ({share} of the money followed; {assets}) arrived at addresses that public lists attribute to {service}. The way there was followed on the public ledgers; the transactions are named below.',
  deposits: 'Deposit addresses of customers, as far as can be seen: they hand on all that they get',
  way: 'The way of the money there',
  partOf: '{moved} on the ledger, {part} of it followed',
  cut: '{usd} of the money of the case could not be followed to its end ({reasons}): more of it may have arrived with {service}.',
  addresses: 'Addresses where it arrived',
  transactions: 'Transactions',
  moreAddresses: 'There are {count} more addresses; they are named on request.',
  moreTransactions: 'There are {count} more transactions; they are named on request.',
  tag: 'destination tag {tag}',
  sourceTag: 'source tag {tag}',
  untagged: 'no tag',
  noTag: 'Where no destination tag is named, the transaction itself shows whether it bears one.',
  askedTitle: 'You are asked',
  asked: [
    'to freeze what is left of these quantities in the accounts that they were credited to, as far as your law allows;',
    'to name, to the authority in charge, the customers behind these accounts with their identification and contact data;',
    'to preserve the records of these accounts: log-ins with IP addresses and devices, deposits, trades, withdrawals;',
    'to state where the money went if it left: addresses, transactions, quantities, times;',
    'to answer under the reference above, and to name a person in charge.',
  ],
  closing:
    'Sender, authority and legal basis: [to be filled in]. An attribution is an indication, not proof; please say so where an address is not yours.',
};

export type RequestWords = typeof requests;
