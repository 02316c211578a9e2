import { detectors } from './codes.ts';
import { variantsOf } from './exposure-variants.ts';

/** Who is on the other side, by category. */
const PARTIES = {
  sanctioned: 'a sanctioned party',
  terrorism: 'a party listed for terrorism financing',
  darknet: 'a darknet market',
  child_abuse: 'a seller of child abuse material',
  drainer: 'a wallet drainer',
  theft: 'the wallet of a theft',
  ransomware: 'a ransomware gang',
  scam: 'a scam',
  mixer: 'a mixer',
  high_risk_exchange: 'a high-risk exchange',
};

const UNDATED = 'The list states no day of designation.';
const BEFORE = 'It moved before the party was designated[, on {designated_at}].';
const BEFORE_COUNTRY =
  'It moved before the party was designated[, on {designated_at},] by a programme that names a country or sector ({programmes}).';

/** The same text whoever stands at the end of the money. */
const INDIRECT = {
  received:
    '{share} of the inflow ({worth})[, {recent_share} of that of its last 90 days,] comes from {party}[ ({entities})], {min_hops} hops away at the nearest; inferred across unlabelled wallets.',
  lost: 'Lost {value}: {share} of the outflow ends at {party}[ ({entities})], {min_hops} hops away at the nearest; inferred across unlabelled wallets.',
  sent: '{share} of the outflow ({worth}) ends at {party}[ ({entities})], {min_hops} hops away at the nearest; inferred across unlabelled wallets.',
};

export const detections = {
  /** Stands after a text whose party is known by unsure labels alone. */
  report: '[ That the party is one is reported by {reported_by} alone, without certainty.]',
  /** Names the other side, where the text itself does not. */
  who: ' With {parties}[ and {others} more].',
  /** Stands for an address without a holder, such as the zero address. */
  nobody: 'newly issued or destroyed tokens',
  /** Stands last: when what a detection rests on took place. */
  when: { day: ' Dated {from_at}.', span: ' Dated {from_at} to {to_at}.' },
  names: detectors,
  texts: {
    'sanctions_self.listed':
      'The address is under sanctions: {label} (source: {source})[; it is listed on {listed_on}, the same key].',
    'sanctions_self.reported':
      'The address is reported to be under sanctions: {label} (reported by {source})[; it is listed on {listed_on}, the same key].',
    'sanctions_self.delisted':
      'The address was under sanctions until {delisted_at} and has been delisted: {label} (source: {source}).',
    'subject_category.listed':
      'The address itself is listed as {category}: {label} (source: {source})[; it is listed on {listed_on}, the same key].',
    'subject_category.reported':
      'The address is reported as {category}: {label} (reported by {source})[; it is listed on {listed_on}, the same key].',
    known_malicious: 'The contract is known to be malicious: {label} (source: {source}).',
    'known_malicious.reported': 'The contract is reported to be malicious: {label} (reported by {source}).',
    ...exposureTexts('sanctions_direct', '', PARTIES.sanctioned),
    ...exposureTexts('sanctions_direct', '_undated', 'a sanctioned party (its list states no day of designation)'),
    ...exposureTexts('sanctions_direct', '_before', 'a party that was sanctioned later[ (on {designated_at})]'),
    ...exposureTexts(
      'sanctions_direct',
      '_before_country',
      'a party that was sanctioned later[ (on {designated_at})] by a programme that names a country or sector ({programmes})',
    ),
    'sanctions_indirect.received': INDIRECT.received,
    'sanctions_indirect.sent': INDIRECT.sent,
    'sanctions_indirect.received_undated': `${INDIRECT.received} ${UNDATED}`,
    'sanctions_indirect.sent_undated': `${INDIRECT.sent} ${UNDATED}`,
    'sanctions_indirect.received_before': `${INDIRECT.received} ${BEFORE}`,
    'sanctions_indirect.sent_before': `${INDIRECT.sent} ${BEFORE}`,
    'sanctions_indirect.received_before_country': `${INDIRECT.received} ${BEFORE_COUNTRY}`,
    'sanctions_indirect.sent_before_country': `${INDIRECT.sent} ${BEFORE_COUNTRY}`,
    'co_spent_with_listed.joint':
      'Spent {value} in {transactions|transaction|transactions} together with {address}, {party} ({entities}): who signs for one address of a transaction mostly signs for all.',
    'co_spent_with_listed.payjoin':
      'Spent {value} in one transaction together with {address}, {party} ({entities}). It has the shape of a payjoin, in which payer and payee spend together.',
    accomplice:
      'Got {value} in {transfers|transfer|transfers}, {share} of the inflow, in the same transactions in which {victims|party|parties} lost money to {entities}. That it takes part is inferred from this; no list names it.',
    'accomplice.signed':
      'Signed {transfers|transfer|transfers} by which {victims|party|parties} lost {value} to {entities}. That it takes part is inferred from this; no list names it.',
    shared_layer:
      '{senders|party|parties} paid it, it kept next to nothing, and {usd}, {share} of the outflow, went to {wallets|wallet|wallets} that {entities} pays too. That both collect for the same people is inferred from this; no list names it.',
    'indirect_exposure.received': INDIRECT.received,
    'indirect_exposure.sent': INDIRECT.sent,
    'indirect_exposure.lost': INDIRECT.lost,
    'beyond_reach.received':
      '{worth}, {share} of the inflow, came over {hops} steps and from further away than is followed, mostly by wallets that only pass money on or past an address that is reported as adverse. Its origin is not known.',
    'beyond_reach.sent':
      '{worth}, {share} of the outflow, went over {hops} steps and further than is followed, mostly by wallets that only pass money on or past an address that is reported as adverse. Its end is not known.',
    ...exposureTexts('terrorism_exposure', '', PARTIES.terrorism),
    ...exposureTexts('darknet_exposure', '', PARTIES.darknet),
    ...exposureTexts('child_abuse_exposure', '', PARTIES.child_abuse),
    ...exposureTexts('drainer_exposure', '', PARTIES.drainer),
    ...exposureTexts('theft_exposure', '', PARTIES.theft),
    ...exposureTexts('ransomware_exposure', '', PARTIES.ransomware),
    ...exposureTexts('scam_exposure', '', PARTIES.scam),
    ...exposureTexts('mixer_exposure', '', PARTIES.mixer),
    ...exposureTexts('high_risk_exchange_exposure', '', PARTIES.high_risk_exchange),
    'gambling_exposure.sent': '{share} of the outflow ({worth}) went to gambling services.',
    'gambling_exposure.received': '{share} of the inflow ({worth}) came from gambling services.',
    poisoning_loss:
      'Lost {value} to {lookalike}, an address that had been planted because it looks like a known counterparty.',
    address_poisoning:
      'Worthless transfers ({baits|time|times}; {kind}) plant {lookalike}, which looks like the known counterparty {genuine}: the first {prefix} and the last {suffix} characters are equal. Check the whole address before paying.',
    'address_poisoning.bait':
      'The address baits {victims|party|parties} with worthless transfers ({baits|time|times}; {kind}): it looks like {genuine}, which {victim} paid; the first {prefix} and the last {suffix} characters are equal.',
    'fan_in.kept': 'Received {value} from {senders} unrelated senders within {minutes}.',
    'fan_in.forwarded':
      'Received {value} from {senders} unrelated senders within {minutes}; {forwarded_share} of it left again soon after.',
    rapid_distribution: 'Sent {value} to {receivers} receivers within {minutes}.',
    fan_out: 'Sent {value} to {receivers} receivers within {minutes}.',
    gather_scatter:
      'Gathered {value} from {senders} senders and sent {passed_share} of it to {receivers} others within {minutes}.',
    'gather_scatter.around':
      '{usd} from several senders went out again to several others within {minutes}[; sent from here: {amounts}].',
    pass_through:
      '{passed_share} of {value} received in {episodes|payment|payments} left again within {minutes} of receipt.',
    'pass_through.around':
      'Within {minutes}, {usd} came in and went out again soon after each receipt[; sent from here: {amounts}].',
    'cycle.pair':
      'Money went to one party and came back {round_trips} times within {minutes} ({worth}, {returned_share} returned).',
    'cycle.ring':
      '{usd} that was sent from here came back over {addresses|other address|other addresses} within {minutes}[; it was sent as {amounts}].',
    peel_chain: '{peels} payments in a row each took a small slice off a balance of {start_usd} ({worth} in total).',
    'peel_chain.chain':
      '{usd} moved on over {addresses|other address|other addresses} in a row; each kept most of it together and paid a small part to others[; sent from here: {amounts}].',
    scatter_gather:
      'Sent {usd} over {addresses} separate addresses, which all passed it on to one receiver within {minutes}[; sent from here: {amounts}].',
    'scatter_gather.received':
      'Received {usd} that one sender had spread over {addresses} separate addresses within {minutes}.',
    relay_chain:
      '{usd} was passed on {transfers} times in a row within {minutes}, each time nearly in full[; sent from here: {amounts}].',
    'wash_trading.token':
      '{asset} went back and forth with one party ({round_trips} round trips, {worth}) and almost none of it stayed[ (net {net_share})].',
    'wash_trading.nft': 'Item {token_id} of {asset} keeps changing hands among the same parties ({usd} paid).',
    'structuring.sent':
      '{transfers} payments just below {limit} to one receiver within {minutes}, {value} in all; chance does not explain them.',
    'structuring.received':
      '{transfers} payments just below {limit} from one sender within {minutes}, {value} in all; chance does not explain them.',
    large_transfer: 'The largest payment[ {direction}]: {value}[; {more|more large payment|more large payments}].',
    'high_velocity.burst':
      'Up to {transactions_day} transactions a day and {transactions_hour} an hour, far above what is usual for the address.',
    'high_velocity.large_payments': '{transfers} large payments within {minutes}, {value} in all.',
    dormant_reactivation: 'After {gap_days} days without sending anything, sent {value}[ within {minutes}].',
    new_address_large_inflow:
      'A new address received {value} in {payments|payment|payments}[ within {minutes}], its first.',
    'cex_cash_out.plain': '{share} of the outflow ({worth}) went to exchanges.',
    'cex_cash_out.tainted':
      '{share} of the outflow ({worth}) went to exchanges after illicit money had come in[ ({tainted_share} of the inflow)].',
    'chain_hopping.plain':
      'Sent {value} through {bridges} bridges within {hours} hours: {names}[; {crossings|crossing|crossings} arrived on {chains}: {arrivals}].',
    'chain_hopping.tainted':
      'After an inflow from an illicit source, sent {value} through {bridges} bridges within {hours} hours: {names}[; {crossings|crossing|crossings} arrived on {chains}: {arrivals}].',
    high_fee_loss: '{conversions} exchanges of assets lost {lost_usd} of {value} ({loss_share}).',
    privacy_asset: 'Exchanged other assets for {assets} ({worth}).',
    ml_anomaly: 'The behaviour is unusual (score {score} of 1), mainly in: {features}. Unusual does not mean unlawful.',
  },
  parties: PARTIES,
};

/** How exposure to one kind of party reads; `suffix` names its standing. */
function exposureTexts<Detector extends string, Suffix extends string>(
  detector: Detector,
  suffix: Suffix,
  party: string,
) {
  const received = `Received {value}[, {share} of the inflow,] in {transfers|transfer|transfers} from ${party}: {entities}[; with other kinds of crime it is {together_share}].`;
  return variantsOf(detector, suffix, {
    sent: `Sent {value}[, {flow_share} of the outflow,] in {transfers|transfer|transfers} to ${party}: {entities}[; with other kinds of crime it is {together_share}].`,
    claimed: `A token contract says that the address sent {amounts} in {transfers|transfer|transfers} to ${party}: {entities}. The address did not ask for it, and anyone can write such a line.`,
    lost: `Lost {value} in {transfers|transfer|transfers} to ${party}: {entities}.`,
    taken: `Lost {value} to ${party}: {entities}. It was taken in {transfers|transfer|transfers} by an approval or permit.`,
    returned: `Got back {value} in {transfers|transfer|transfers} from ${party}: {entities}. It had been taken from the address.`,
    handed_back: `Received {value} in {transfers|transfer|transfers} from ${party}: {entities}. All of it was sent back to the same address.`,
    received,
    received_small: `${received} The amount is small.`,
    received_dust: `${received} Nothing was ever sent to it, so this counts as unsolicited dust.`,
    received_first: `${received} These are the first coins of the address.`,
  });
}

/** Names and descriptions of detections. */
export type DetectionWords = typeof detections;
