import type { CalldataFault } from '../../src/domain/calldata/calldata.ts';
import type { Category } from '../../src/domain/label.ts';
import type { RiskLevel } from '../../src/risk/detection.ts';
import { detectors } from './codes.ts';
import { variantsOf } from './forms.ts';

/** Notes of an answer about exposure; `{…}` is filled in. */
export const exposure = {
  out_of_time: 'The search ran out of time before it found anything. Ask again, or with fewer hops.',
  no_transfers: 'The graph holds no transfers of this address.',
  not_scanned: 'You have not scanned this address yet: only transfers seen in other scans are counted.',
  not_scanned_of:
    'You have not scanned {unread} of its {all} addresses yet: of those only transfers seen in other scans are counted.',
  hop_limit: '{usd} USD was not followed beyond hop {hops} (max_hops).',
  relays: 'Wallets with one way in and one way out cost no hop, up to {steps} steps a way.',
  likely: '{usd} USD was followed over bridges whose other side is only likely (likely_matches=follow).',
  open: '{usd} USD was followed over bridges by statements that anybody can make (bridge_open).',
};

/** Notes of the account of the money; `{…}` is filled in. */
export const funds = {
  not_read:
    'The graph knows no transfers of this address in this direction. Scan it (GET /public/scan) or have its money followed (POST /graph/trace), then ask again.',
  no_subject: 'No address of the case has the role `subject`. Give it to those whose money is to be followed.',
  ends_at:
    'The money was not followed beyond {parties}, as label lists name them. To follow it on, add them to the case with the role "{role}": all subjects are one party.',
  subjects_unread:
    'You have not read {count} of the addresses yet: of those, only transfers seen elsewhere are counted.',
  members_max:
    'Of {count} addresses of the subjects and their holders {followed} are followed: what these paid to the others is left out, and where the others sent it is not known.',
  subjects_max: 'Of {count} subjects the first {most} are followed.',
  exchanged:
    'Exchanges of its own inside one transaction count neither as received nor as sent: {usd} USD is left out of the total.',
  uncovered: 'Of what was sent, {usd} USD is not explained by what is known to have come in.',
  flows_max: 'Of {count} flows the largest {shown} are shown.',
  methods: {
    fifo: 'Mixed money is attributed first in, first out: each payment draws on the oldest receipt of the wallet.',
    lifo: 'Mixed money is attributed last in, first out: each payment draws on the newest receipt of the wallet.',
    lowest_balance:
      'Mixed money is attributed by the lowest balance: the followed money is what a wallet spends last, so no more of it is left than the lowest balance since it came.',
    poison:
      'Rows with `reached` are touched by the money: it mixed with what went there, and no amount follows from that. The amounts of the others are pro rata.',
  },
  no_row_depends:
    'No row depends on the rule by which mixed money is attributed: pro rata, first in first out, last in first out and the lowest balance all say the same.',
  rows_depend:
    '{same} of {rows} rows, {share} of the money, do not depend on the rule by which mixed money is attributed; of the others the least and the greatest amount are stated.',
  range_late: 'The time was up before the money was attributed by every rule: there is no range.',
  wallets_of_pro: 'Wallets that hold the money, and its flows, are shown from the Pro plan on.',
};

/** The other side, by category. */
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
    '{share} of the inflow ({worth})[, {recent_share} of that of its last 90 days,][, {held_share} of the {held_usd} that it held before,] comes from {party}[ ({entities})], {min_hops} hops away at the nearest; inferred across unlabelled wallets.',
  lost: 'Lost {value}: {share} of the outflow ends at {party}[ ({entities})], {min_hops} hops away at the nearest; inferred across unlabelled wallets.',
  sent: '{share} of the outflow ({worth}) ends at {party}[ ({entities})], {min_hops} hops away at the nearest; inferred across unlabelled wallets.',
  receivedUnpriced:
    'Of an asset without a price {share} of all that came in ({amounts}) comes from {party}[ ({entities})], {min_hops} hops away at the nearest; inferred across unlabelled wallets.',
  sentUnpriced:
    'Of an asset without a price {share} of all that went out ({amounts}) ends at {party}[ ({entities})], {min_hops} hops away at the nearest; inferred across unlabelled wallets.',
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
    'subject_category.frozen':
      'The address was stopped by an issuer: {label} (stated by {source})[; so it is on {listed_on}, the same key]. Issuers freeze on request of authorities and of those who were robbed: a report, without proof.',
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
    'sanctions_indirect.received_unpriced': INDIRECT.receivedUnpriced,
    'sanctions_indirect.sent_unpriced': INDIRECT.sentUnpriced,
    'sanctions_indirect.received_undated': `${INDIRECT.received} ${UNDATED}`,
    'sanctions_indirect.sent_undated': `${INDIRECT.sent} ${UNDATED}`,
    'sanctions_indirect.received_before': `${INDIRECT.received} ${BEFORE}`,
    'sanctions_indirect.sent_before': `${INDIRECT.sent} ${BEFORE}`,
    'sanctions_indirect.received_before_country': `${INDIRECT.received} ${BEFORE_COUNTRY}`,
    'sanctions_indirect.sent_before_country': `${INDIRECT.sent} ${BEFORE_COUNTRY}`,
    'co_spent_with_listed.joint':
      'Spent {value} in {transactions|transaction|transactions} together with {address}, {party} ({entities}): who signs for one address of a transaction mostly signs for all.',
    'co_spent_with_listed.cluster':
      'One of {addresses|address|addresses} that pay together, over each other, with {address}, {party} ({entities}): who signs for one address of a transaction mostly signs for all.',
    'co_spent_with_listed.payjoin':
      'Spent {value} in one transaction together with {address}, {party} ({entities}). It has the shape of a payjoin, in which payer and payee spend together.',
    'co_spent_with_listed.strangers':
      'Spent {value} in {transactions|transaction|transactions} together with {address}, {party} ({entities}). By shape or signatures, strangers may have signed there together: buyer and seller, those who mix or those who fund a contract.',
    accomplice:
      'Got {value} in {transfers|transfer|transfers}, {share} of the inflow, beside what {victims|party|parties} lost to {entities}, in the same transactions or out of the same wallets. That it takes part is inferred from this; no list names it.',
    'accomplice.ordered':
      'Got {value} in {transfers|transfer|transfers}, {share} of the inflow, in transactions that {entities} signed[; before, takers had put {deposited_usd} into what paid it ({deposits})]. That it takes part is inferred from this; no list names it.',
    'accomplice.robbed':
      'Took {value} in {transfers|transfer|transfers}, {share} of the inflow, out of what {victims|party|parties} had put together, most of what was there, with {entities}. That it takes part is inferred from this; no list names it.',
    'accomplice.owned':
      'Got {value} in {transfers|transfer|transfers}, {share} of the inflow, as a contract for which only {entities} signed. That it is theirs is inferred from this; no list names it.',
    'accomplice.sold':
      'Got {value} in {transfers|transfer|transfers}, {share} of the inflow, in transactions in which it sold tokens that {entities} had sent it; they have no other known price. That it takes part is inferred from this; no list names it.',
    'accomplice.signed':
      'Signed {transfers|transfer|transfers} by which {victims|party|parties} lost {value} to {entities}. That it takes part is inferred from this; no list names it.',
    'accomplice.fees':
      'Paid {usd} as the first coins for fees of {wallets|wallet|wallets} that live on {fed_usd} from {entities}. That it takes part is inferred from this; no list names it.',
    shared_layer:
      '{senders|party|parties} paid it, it kept next to nothing, and {usd}, {share} of the outflow, went to {wallets|wallet|wallets} that {entities} pays too. That both collect for the same people is inferred from this; no list names it.',
    'indirect_exposure.received': INDIRECT.received,
    'indirect_exposure.sent': INDIRECT.sent,
    'indirect_exposure.received_unpriced': INDIRECT.receivedUnpriced,
    'indirect_exposure.sent_unpriced': INDIRECT.sentUnpriced,
    'indirect_exposure.lost': INDIRECT.lost,
    'beyond_reach.received':
      '{worth}, {share} of the inflow, came over {hops} steps and from further away than was read, mostly by wallets that only pass money on or past an address that is reported as adverse. Its origin is not known.',
    'beyond_reach.sent':
      '{worth}, {share} of the outflow, went over {hops} steps and further than was read, mostly by wallets that only pass money on or past an address that is reported as adverse. Its end is not known.',
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
    lost: `Lost {value} in {transfers|transfer|transfers} to ${party}: {entities}[; it was paid out of what {collected_senders|stranger|strangers} had paid before, as a shop pays a supplier and a collector pays those behind him].`,
    taken: `Lost {value} to ${party}: {entities}. It was taken in {transfers|transfer|transfers} by an approval or permit.`,
    returned: `Got back {value} in {transfers|transfer|transfers} from ${party}: {entities}. It had been taken from the address.`,
    handed_back: `Received {value} in {transfers|transfer|transfers} from ${party}: {entities}. All of it was sent back to the same address.`,
    received,
    received_small: `${received} The amount is small.`,
    received_dust: `${received} Nothing was ever sent to it, so this counts as unsolicited dust.`,
    received_first: `${received} These are the first coins of the address.`,
  });
}

/** As what an address takes part in a transaction. */
export type PartyRole =
  | 'destination'
  | 'spender'
  | 'token'
  | 'recipient'
  | 'owner'
  | 'operator'
  | 'controller'
  | 'target';

export interface NamedLabel {
  name: string;
  source: string;
  confidence: number;
  /** Another chain, on which the same key is listed. */
  listedOn?: string | null;
}

interface LookalikeText {
  address: string;
  genuine: string;
  /** Day and transaction of the last payment to the genuine address; null where it is the signer. */
  last: { day: string; txHash: string | null } | null;
  /** The characters in which the two differ. */
  stands: string;
  expected: string;
}

/** Every reason of a verdict before signing, in one language. `who` is what `party` made. */
export interface PresignWords {
  /** An address with its role; `call` names the call that gives it the role. */
  party(role: PartyRole, call: string | null, address: string): string;
  sanctioned(who: string, label: NamedLabel): string;
  delisted(who: string, day: string, label: NamedLabel): string;
  malicious(who: string, label: NamedLabel): string;
  labelled(who: string, category: Category, label: NamedLabel): string;
  sisterChain(who: string, on: { category: Category; chain: string }, label: NamedLabel): string;
  /** `day` is null where the scan is another account's. */
  scanned(who: string, scan: { level: RiskLevel; score: number; day: string | null }): string;
  scannedInPart(who: string): string;
  exposure(
    who: string,
    /** `usd` is whole dollars with separators, null where unknown; `share` a percentage, null where unknown. */
    flow: { direction: 'in' | 'out'; usd: string | null; share: string | null; category: Category; isBefore?: boolean },
  ): string;
  poisoning(who: string): string;
  lookalike(pair: LookalikeText): string;
  /** `days` is null for a permit without an end worth the name. */
  longPermit(call: string, at: string, days: { left: bigint | null; most: number }): string;
  payableLure(call: string, at: string): string;
  controlChange(call: string, at: string, to: string): string;
  unknownOwner(call: string, owner: string): string;
  foreignTransfer(call: string, owner: string, to: string): string;
  operatorApproval(call: string, at: string, spender: string): string;
  unlimitedApproval(call: string, at: string, spender: string): string;
  undecodable(fault: CalldataFault['fault'], call: string | null): string;
  /** `chain` is quoted. */
  unsupportedChain(chain: string, isBnb: boolean): string;
  neverScanned(to: string): string;
  /** The worth of the payment is not known. */
  neverScannedUnpriced(to: string): string;
  trusted(address: string): string;
  storesUnreadable: string;
  noLists: string;
  noSanctions: string;
  listsStale: string;
}

const ROLES: Record<PartyRole, string> = {
  destination: 'Destination',
  spender: 'Spender',
  token: 'Token',
  recipient: 'Recipient',
  owner: 'Owner',
  operator: 'Operator',
  controller: 'New controller',
  target: 'Contract called',
};

const FAULTS: Record<Parameters<PresignWords['undecodable']>[0], string> = {
  not_hex: 'Calldata is not hexadecimal',
  no_selector: 'Calldata is too short to name a call',
  unknown_call: 'Calldata holds an unknown call',
  too_deep: 'Calldata nests calls too deeply',
  too_many: 'Calldata holds too many calls or items',
  truncated: 'Calldata ends before its arguments do',
  dirty: 'Calldata has arguments with bits that should be zero',
  overlong: 'Calldata goes on after its arguments',
  no_calldata_chain: 'Calldata of this chain cannot be read',
};

export const presign: PresignWords = {
  party: (role, call, address) => {
    const where = call === null ? '' : role === 'target' ? ` by ${call}` : ` in ${call}`;
    return `${ROLES[role]}${where} ${address}`;
  },
  sanctioned: (who, label) => `${who} is under sanctions: ${named(label)}.`,
  delisted: (who, day, label) => `${who} was under sanctions until ${day} and is no longer: ${named(label)}.`,
  malicious: (who, label) => `${who} is a contract known to be malicious: ${named(label)}.`,
  labelled: (who, category, label) => `${who} is labelled ${words(category)}: ${named(label)}.`,
  sisterChain: (who, { category, chain }, label) =>
    `${who} is listed as ${words(category)} on ${words(chain)}, where it has the same key: ${named(label)}.`,
  scanned: (who, { level, score, day }) => {
    const rated = level === 'UNKNOWN' ? 'found too little to rate it' : `rated it ${level} (score ${score})`;
    return `${who}: the last scan${day === null ? '' : ` of ${day}`} ${rated}.`;
  },
  scannedInPart: (who) => `${who}: the last scan rated it LOW on a part of its history and money alone.`,
  exposure: (who, { direction, usd, share, category, isBefore }) => {
    const [verb, flow, way] = direction === 'in' ? ['received', 'inflow', 'from'] : ['sent', 'outflow', 'to'];
    const part = share === null ? '' : ` (${share}% of its known ${flow})`;
    const amount = usd === null ? 'an amount of unknown price' : `${usd} USD`;
    return `${who} ${verb} ${amount}${part} ${way} addresses labelled ${words(category)}${isBefore ? ', before they were designated' : ''}.`;
  },
  poisoning: (who) =>
    `${who} has been used as bait: it looks like an address that its victim had paid before. Check the whole address.`,
  lookalike: ({ address, genuine, last, stands, expected }) => {
    const known =
      last === null
        ? 'which is the signer'
        : `which the signer paid before (last on ${last.day}${last.txHash === null ? '' : `, transaction ${last.txHash}`})`;
    return `${address} looks like ${genuine}, ${known}, and is another address: ${stands} stands where ${expected} should.`;
  },
  longPermit: (call, at, { left, most }) =>
    `${call} at ${at} can be used ${left === null ? 'for ever' : `for ${left} days`}, longer than ${most} days.`,
  payableLure: (call, at) => `${call}() at ${at} takes coins and names nothing in return: a common lure.`,
  controlChange: (call, at, to) => `${call} at ${at} gives ${to} control over a contract or its code.`,
  unknownOwner: (call, owner) => `${call} moves assets of ${owner}; no signer was named, so whose they are is open.`,
  foreignTransfer: (call, owner, to) =>
    `${call} moves assets of ${owner}, who is not the signer, to ${to}, about which nothing is known.`,
  operatorApproval: (call, at, spender) =>
    `${call} at ${at} lets ${spender} move every token of the collection, now and later.`,
  unlimitedApproval: (call, at, spender) =>
    `${call} at ${at} lets ${spender} take any amount of the token, now and later.`,
  undecodable: (fault, call) => `${FAULTS[fault]}${call === null ? '' : ` (${call})`}.`,
  unsupportedChain: (chain, isBnb) =>
    `Chain ${chain} is not supported${isBnb ? "; BNB Smart Chain is 'bsc'" : ''}: nothing is known of this transaction.`,
  neverScanned: (to) => `Never scanned: ${to} bears no label.`,
  neverScannedUnpriced: (to) => `Never scanned: ${to} bears no label, and the value sent could not be priced.`,
  trusted: (address) => `${address} is on the whitelist of the account: what else is known of it is set aside.`,
  storesUnreadable: 'Labels or graph could not be read: the addresses were not checked in full.',
  noLists: 'No label lists are loaded.',
  noSanctions: 'No sanctions list is loaded.',
  listsStale: 'A sanctions list is older than twice its interval.',
};

function named({ name, source, confidence, listedOn }: NamedLabel): string {
  const where = !listedOn ? '' : `, listed on ${listedOn}, the same key`;
  return `${JSON.stringify(name)}, source ${JSON.stringify(source)}, confidence ${confidence}${where}`;
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** An address as a summary states it. */
interface Rated {
  chain: string;
  level: string;
  score: number;
}

/** The sentences of a summary; numbers come with their thousands grouped. */
export interface SummaryWords {
  /** The language's name in English, for a language model. */
  language: string;
  /** Between sentences. */
  space: string;
  rated: (address: Rated) => string;
  noDetection: string;
  /** `more` is how many are not named. */
  detections: (count: number, named: string, more: number) => string;
  money: (transactions: { count: number; text: string }, received: string, sent: string) => string;
  /** In place of amounts. */
  nothing: string;
  noParties: string;
  parties: (named: string) => string;
}

export const summary: SummaryWords = {
  language: 'English',
  space: ' ',
  rated: ({ chain, level, score }) => `Risk ${level}, score ${score} of 100, on ${chain}.`,
  noDetection: 'No detection.',
  detections: (count, named, more) =>
    `${count} ${count === 1 ? 'detection' : 'detections'}: ${named}${more > 0 ? ` and ${more} more` : ''}.`,
  money: ({ count, text }, received, sent) =>
    `${text} ${count === 1 ? 'transaction' : 'transactions'}; received ${received}, sent ${sent}.`,
  nothing: 'nothing',
  noParties: 'No labelled counterparty.',
  parties: (named) => `Labelled counterparties: ${named}.`,
};

/** Why an address was flagged, by pattern, or pattern and variant; `median` for tokens without a price. */
export const tokenScreening = {
  known_malicious: 'In the registry as {category}: {label} (source: {source}).',
  'known_malicious.reported': 'Reported as {category}: {label} (reported by {source}).',
  address_poisoning:
    'Baits {victim}: looks like {genuine}, which it really dealt with ({prefix} characters in front and {suffix} at the end are the same; {kind}). {victims|victim|victims} in this window.',
  'address_poisoning.loss':
    'Baits {victim}: looks like {genuine}, which it really dealt with ({prefix} characters in front and {suffix} at the end are the same; {kind}). {victims|victim|victims} in this window, {losses|payment was|payments were} misdirected to it.',
  relay_chain:
    'Passed {usd} on {minutes} after receipt and kept back almost nothing ({kept_share} went on), in a chain of {hops} transfers from {from} to {to}.',
  'relay_chain.median':
    'Passed {times_median} times the usual amount on {minutes} after receipt and kept back almost nothing ({kept_share} went on), in a chain of {hops} transfers from {from} to {to}.',
  rapid_distribution: 'Sent {usd} to {receivers} receivers within {minutes}.',
  'rapid_distribution.median': 'Sent {times_median} times the usual amount to {receivers} receivers within {minutes}.',
  large_transfer: '{count|transfer|transfers} among the largest 1 % of the window, the largest of {usd}.',
  'large_transfer.median':
    '{count|transfer|transfers} among the largest 1 % of the window, the largest {times_median} times the usual amount.',
};

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
