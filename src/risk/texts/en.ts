import type { Wording } from './wording.ts';

export const TEXTS_EN: Wording = {
  names: {
    sanctions_self: 'Sanctioned address',
    subject_category: 'Known illicit address',
    known_malicious: 'Known malicious contract',
    sanctions_direct: 'Direct exposure to sanctions',
    sanctions_indirect: 'Indirect exposure to sanctions',
    darknet_exposure: 'Exposure to darknet markets',
    drainer_exposure: 'Exposure to wallet drainers',
    scam_exposure: 'Exposure to scams',
    mixer_exposure: 'Exposure to mixers',
    indirect_exposure: 'Indirect illicit exposure',
    poisoning_loss: 'Payment to a look-alike address',
    address_poisoning: 'Address poisoning attempt',
    fan_in: 'Collection from many senders',
    rapid_distribution: 'Rapid distribution',
    fan_out: 'Distribution to many receivers',
    gather_scatter: 'Gathering and scattering',
    pass_through: 'Pass-through',
    cycle: 'Round trips',
    peel_chain: 'Peeling of a balance',
    wash_trading: 'Wash trading',
    structuring: 'Structured amounts',
    large_transfer: 'Large transfer',
    high_velocity: 'Unusually fast activity',
    dormant_reactivation: 'Reactivation after dormancy',
    new_address_large_inflow: 'Large inflow to a new address',
    cex_cash_out: 'Cash-out at exchanges',
    chain_hopping: 'Use of several bridges',
    high_fee_loss: 'Repeated conversion at a loss',
    privacy_asset: 'Conversion into a privacy asset',
    gambling_exposure: 'Exposure to gambling',
    ml_anomaly: 'Unusual behaviour',
  },
  texts: {
    'sanctions_self.listed': 'The address is under sanctions: {label} (source: {source}).',
    'sanctions_self.delisted':
      'The address was under sanctions until {delisted_at} and has been delisted: {label} (source: {source}).',
    subject_category: 'The address itself is labelled as {category}: {label} (source: {source}).',
    known_malicious: 'The contract is known to be malicious: {label} (source: {source}).',
    'sanctions_direct.sent': 'Sent {value} in {transfers|transfer|transfers} to a sanctioned party: {entities}.',
    'sanctions_direct.sent_before':
      'Sent {value} in {transfers|transfer|transfers} to a party that was sanctioned later: {entities}.',
    'sanctions_direct.received':
      'Received {value} ({share} of the inflow) in {transfers|transfer|transfers} from a sanctioned party: {entities}.',
    'sanctions_direct.received_before':
      'Received {value} ({share} of the inflow) in {transfers|transfer|transfers} from a party that was sanctioned later: {entities}.',
    'sanctions_direct.received_dust':
      'Received {value} ({share} of the inflow) from a sanctioned party: {entities}. So small a part is taken as unsolicited dust.',
    'sanctions_direct.received_dust_before':
      'Received {value} ({share} of the inflow) from a party that was sanctioned later: {entities}. So small a part is taken as unsolicited dust.',
    'sanctions_indirect.received':
      '{share} of the inflow ({usd}) comes from sanctioned parties through unlabelled addresses, {min_hops} hops away at the nearest.',
    'sanctions_indirect.sent':
      '{share} of the outflow ({usd}) ends at sanctioned parties through unlabelled addresses, {min_hops} hops away at the nearest.',
    'indirect_exposure.received':
      '{share} of the inflow ({usd}) comes from {category} addresses through unlabelled ones, {min_hops} hops away at the nearest.',
    'indirect_exposure.sent':
      '{share} of the outflow ({usd}) ends at {category} addresses through unlabelled ones, {min_hops} hops away at the nearest.',
    ...exposureTexts('darknet', 'darknet-market'),
    ...exposureTexts('drainer', 'wallet-drainer'),
    ...exposureTexts('scam', 'scam'),
    ...exposureTexts('mixer', 'mixer'),
    'gambling_exposure.sent': '{share} of the outflow ({usd}) went to gambling services.',
    'gambling_exposure.received': '{share} of the inflow ({usd}) came from gambling services.',
    poisoning_loss:
      'Paid {usd} to {lookalike}, an address that had been planted because it looks like a known counterparty.',
    address_poisoning:
      'Worthless transfers ({baits|time|times}; {kind}) plant {lookalike}, which looks like the known counterparty {genuine}: the first {prefix} and the last {suffix} characters are equal. Check the whole address before paying.',
    'address_poisoning.bait':
      'The address baits {victims|party|parties} with worthless transfers ({baits|time|times}; {kind}): it looks like {genuine}, which {victim} paid; the first {prefix} and the last {suffix} characters are equal.',
    fan_in:
      'Received {usd} from {senders} unrelated senders within {hours} hours; {forwarded_share} of it was passed on soon after.',
    rapid_distribution: 'Sent {usd} to {receivers} receivers within {hours|hour|hours}.',
    fan_out: 'Sent {usd} to {receivers} receivers within {hours} hours.',
    gather_scatter:
      'Gathered {usd} from {senders} senders and sent {passed_share} of it to {receivers} others within {hours} hours.',
    pass_through:
      '{passed_share} of {usd} received in {episodes|payment|payments} left again within {hours|hour|hours}.',
    cycle:
      'Money went to one party and came back {round_trips} times within {hours} hours ({usd}, {returned_share} returned).',
    peel_chain: '{peels} payments in a row each took a small slice off a balance of {start_usd} ({usd} in total).',
    'wash_trading.token':
      '{asset} went back and forth with one party ({round_trips} round trips, {usd}) and hardly changed hands: net {net_share}.',
    'wash_trading.nft': 'Item {token_id} of {asset} keeps changing hands among the same parties ({usd} paid).',
    'structuring.sent':
      '{transfers} payments just below {limit} to one receiver within {hours} hours ({usd}); chance does not explain them.',
    'structuring.received':
      '{transfers} payments just below {limit} from one sender within {hours} hours ({usd}); chance does not explain them.',
    large_transfer: '{transfers|large transfer|large transfers}, the largest of {largest_usd}.',
    'high_velocity.burst':
      'Up to {transactions_day} transactions a day and {transactions_hour} an hour, far above what is usual for the address.',
    'high_velocity.large_payments': '{transfers} large payments within 24 hours ({usd}).',
    dormant_reactivation: 'After {gap_days} days without sending anything, {usd} left within a week.',
    new_address_large_inflow: 'A new address received {usd} in its first {hours} hours.',
    'cex_cash_out.plain': '{share} of the outflow ({usd}) went to exchanges.',
    'cex_cash_out.tainted':
      '{share} of the outflow ({usd}) went to exchanges after illicit money had come in ({tainted_share} of the inflow).',
    'chain_hopping.plain': 'Sent {usd} through {bridges} bridges within {hours} hours: {names}.',
    'chain_hopping.tainted':
      'After an inflow from an illicit source, sent {usd} through {bridges} bridges within {hours} hours: {names}.',
    high_fee_loss: '{conversions} exchanges of assets lost {lost_usd} of {usd} ({loss_share}).',
    privacy_asset: 'Exchanged other assets for {assets} ({usd}).',
    ml_anomaly: 'The behaviour is unusual (score {score} of 1), mainly in: {features}. Unusual does not mean unlawful.',
  },
  words: {
    darknet: 'darknet market',
    drainer: 'wallet drainer',
    zero_value: 'no value',
    tiny: 'tiny amounts',
    dust_native: 'dust',
    counterfeit: 'counterfeit token',
    log_transactions_per_day: 'transactions per day',
    log_received_usd_per_day: 'amount received per day',
    log_sent_usd_per_day: 'amount sent per day',
    sent_received_ratio: 'ratio of sent to received',
    counterparties_per_transaction: 'counterparties per transaction',
    median_hold_hours: 'holding time',
    passed_share_24h: 'share passed on within a day',
    round_amount_share: 'share of round amounts',
    burstiness: 'bursts of activity',
    one_time_counterparty_share: 'share of one-time counterparties',
    stablecoin_share: 'share of stablecoins',
    hour_entropy: 'spread over the hours of the day',
  },
  unpriced: 'an amount of unknown price',
  usd: (amount) => `${amount} USD`,
  worthUsd: (amount) => `${amount} USD`,
  yen: (amount) => `${amount} JPY`,
  minutes: (count) => `${count} ${count === 1 ? 'minute' : 'minutes'}`,
  hours: (count) => `${count} hours`,
  date: (iso) => iso,
  lessThan: (share) => `less than ${share}`,
  listSeparator: ', ',
};

function exposureTexts(category: string, adjective: string): Record<string, string> {
  const id = `${category}_exposure`;
  return {
    [`${id}.sent`]: `Sent {value} ({share} of the outflow) in {transfers|transfer|transfers} to ${adjective} addresses.`,
    [`${id}.received`]: `Received {value} ({share} of the inflow) in {transfers|transfer|transfers} from ${adjective} addresses.`,
    [`${id}.received_dust`]: `Received {value} ({share} of the inflow) from ${adjective} addresses. So small a part is taken as unsolicited dust.`,
  };
}
