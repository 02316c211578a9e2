import type { CrossingMatch } from '../../src/domain/bridges/crossing.ts';
import type { Basis } from '../../src/domain/entity.ts';
import type { FundKind } from '../../src/domain/tracing/answers.ts';

export const report = {
  title: 'Risk report',
  caseTitle: 'Case report',
  page: 'page {page} of {pages}',
  address: 'Address',
  chain: 'Chain',
  made: 'Made at',
  scanned: 'Scanned at',
  ruleSet: 'Rule set',
  labelsChanged: 'labels or rules changed since {at}',
  neverScanned:
    'No scan of this address is recorded for you: you never scanned it, or its chain knew no transfer of it. The report shows only what the graph and the label lists know; no level is given.',
  ownLabels: 'What the lists and you say of the address',
  since: 'Since',
  until: 'Until',
  writtenByRules: 'This summary was written by fixed rules from the figures of this report.',
  writtenByModel:
    'This summary was written by a language model from the figures of this report. Its numbers were checked against them.',
  level: 'Risk level',
  score: 'Score',
  outOf: '{score} of 100',
  addressType: 'Kind',
  transactions: 'Transactions',
  firstSeen: 'First seen',
  lastSeen: 'Last seen',
  received: 'Received',
  sent: 'Sent',
  asset: 'Asset',
  detectors: 'Detections',
  findings: 'Findings',
  /** Title of a finding. */
  finding: '{name} ({severity})',
  noFindings: 'No detection.',
  decidedSince:
    'A likely other side of a bridge crossing on the ways below was decided on after this scan. Its score, level and findings do not follow that decision. Scan the address again.',
  levelBasis: 'What the level rests on',
  bases: { full: 'the whole history', partial: 'a part of the history', labels_only: 'labels alone' },
  tracedShares: 'received {received}, sent {sent}',
  countedIn: 'The same transfers count in "{name}"; this finding adds nothing to the score.',
  suppressed: 'Found and not counted',
  suppressedNote: 'These patterns were found and do not count in the score, for the reason named.',
  severity: 'Severity',
  measured: 'Measured',
  threshold: 'Threshold',
  measure: 'Figure',
  evidence: 'Evidence (transactions)',
  labelsBehind: 'Labels it rests on',
  truncated: 'More evidence exists than is shown.',
  exposureOmitted: 'The exposure analysis exceeded its time and is left out of this report.',
  direction: 'Direction',
  category: 'Category',
  amount: 'Amount',
  share: 'Share',
  hops: 'Hops',
  inAll: 'in all',
  tracedHere: {
    received: 'in all; from labelled parties up to hop {hops}: {share}',
    sent: 'in all; to labelled parties up to hop {hops}: {share}',
  },
  whoOrWhy: 'Party, or why the way ends',
  reach:
    'This section follows the money up to hop {hops} from the address, by what was read and labelled when the report was made.',
  noExposure: 'No money of this address could be traced to a labelled party up to hop {hops}.',
  nothingRead: 'No transfer of this address was read, so nothing is said of its money.',
  paths: 'Paths of evidence',
  pathTo: '{direction}: {end}, {usd}',
  time: 'Time',
  transaction: 'Transaction',
  transactionParts: { own: 'to itself', change: 'change', called: 'called' },
  from: 'From',
  to: 'To',
  counterparties: 'Counterparties',
  ownScan: 'Your scan',
  ownScanNote:
    'Labels are those in force when the report was made, else those that the scan recorded. Your scan: your newest scan of the counterparty; without one, nothing is stated about its level.',
  shownOf: '{shown} of {count} are shown.',
  label: 'Label',
  labelSource: 'Source',
  ownLabel: 'your own label, by {author}',
  lists: 'Label lists and their day',
  listName: 'List',
  entries: 'Entries',
  asOf: 'As of',
  coverage: 'What was looked at, and what was not',
  transfersRead: 'Transfers read',
  complete: 'History read in full',
  ofScan: 'Scan: {what}',
  ofExposure: 'Exposure: {what}',
  addressesRead: 'addresses read behind this one',
  throughUnread: 'traced through addresses not read in full (upper bound)',
  endReasons: 'why the trace ended',
  yes: 'yes',
  no: 'no',
  frontier: 'Where the exposure ended or passed addresses not read in full',
  /** Between the reasons of a list. */
  between: '; ',
  reason: 'Reason',
  method: 'Method and limits',
  /** Holders of addresses of the report, and why they are taken as one's. */
  holders: {
    title: 'Holders: which addresses are taken as one, and why',
    intro:
      'Each address with the rule that joins it to its holder and the transaction that proves it. A rule may join strangers: how often it did when it was tested stands beside it.',
    money: 'Exposure of the holder: all its addresses as one party',
    party: '{who}: {size} addresses; weakest link: {basis}. What they pay each other does not count.',
    unnamed: 'Holder without a name',
    rule: 'Rule',
    byList: 'by the list',
    same: 'of the same holder',
    asTheList: 'as sure as the list',
    joined: 'tested pairs in which it joined strangers: {counted}',
    bases: {
      same_key: 'one key holds both',
      listed: 'a list names one owner',
      co_spent: 'paid together in one transaction',
    } satisfies Record<Basis, string>,
  },
  /** Known error rates of the rules that a report used (accuracy-results.ts). */
  accuracy: {
    title: 'Method and known error rates',
    intro:
      'Measured on {day} by rule set {rules}, on cases whose truth is known; brackets hold the interval of 95% (Wilson). Only rules that this report used are listed. What a rule does in planted worlds says nothing of how often such cases occur.',
    tested: 'What was tested',
    missed: 'Missed',
    falseAlarms: 'False alarms',
    source: 'Data',
    data: '{name}, {day}, version {version}',
    /** Public data by its name in the results. */
    dataSets: {
      'Eth_Data: theft from the Ronin bridge': 'Eth_Data: theft from the Ronin bridge',
      'OFAC list of 0xB10C, phishing and exchanges of eth-labels':
        'OFAC list of 0xB10C, phishing and exchanges of eth-labels',
      'GraphSense extracts': 'GraphSense extracts',
    } as Record<string, string>,
    planted: 'planted worlds, seeds in the source code',
    counted: '{count} of {of}: {share}% ({low}–{high})',
    typology: 'Typology "{name}", planted in ordinary wallets',
    notTested: 'Not tested: {what}',
    rows: {
      attribution_ronin: 'Attribution: cash-outs of a real theft that a trace from the thief names',
      levels_lists: 'Levels: listed addresses HIGH or above (sanctions, phishing), and exchanges not',
      levels_ronin: 'Levels: wallets that the money of a real theft reached, HIGH or above',
      levels_extract: 'Levels: unlabelled addresses of a real extract, not HIGH',
      levels_lawful: 'Levels: lawful owners, not HIGH',
      levels_far: 'Levels: wallets four to ten hops behind a theft, nearly all stolen, HIGH or above',
      levels_kinds: 'Levels: kinds of addresses whose right level is stated, in many sizes',
      poisoning: 'Address poisoning: lawful wallets with a bait, and without one',
      deposits: 'Deposit addresses of exchanges, however few payments they hand on',
      coinjoin: 'CoinJoins of the known protocols, and batches of payouts',
      co_spending_graphsense: 'Joint spending: pairs of addresses of one owner',
      same_key:
        'Keys that a spending input shows: other addresses of the key, and addresses of other keys and of several signers',
      co_spending_wallets:
        'Joint spending in planted wallets, exchanges and shops: one pair of paying addresses of each owner, and one pair of each holder found',
      co_spending_payjoins: 'Joint spending: payer and payee who spend together (payjoin), taken as one holder',
      co_spending_fundings: 'Joint spending: two who fund a channel or a contract together, taken as one holder',
      co_spending_strangers: 'Joint spending: strangers in CoinJoins and in sales on marketplaces, taken as one holder',
      change_wallets:
        'Change by two of three signs beside joint spending, in the same wallets: one pair of paying addresses of each owner, and one pair of each holder so enlarged',
      bridge_id: 'Bridges by message: pairs of both sides, and pairs that differ in one thing',
      bridge_likely: 'Bridges by likelihood: the right receipt, and another one where the right one is missing',
    } as Record<string, string>,
    untested: {
      'attribution.thefts': 'attribution on the five thefts of MFTracer (2024): their data is not at hand.',
      'poisoning.real': 'address poisoning on real baits: no public list of baits with their victims is at hand.',
      'bridge_id.real':
        'error rates of bridges on real crossings: four recorded pairs are tests of the program, too few for a rate.',
      prices: 'prices: there is no public record of true prices to compare with.',
    } as Record<string, string>,
  },
  methodNotes: [
    'Money is attributed by haircut: a payment carries what its payer held at that moment, in the same mix. Amounts are attributed by quantity within one asset.',
    'A hop is one transfer between two addresses. A crossing of a bridge is one hop with two transactions, one on each chain.',
    'Reused addresses are pooled. Shares are of what is known; what could not be traced is shown as not traced, with the reason.',
    'Values in USD are those at the time of each transfer. Shares are of the followed money, whatever the prices did later: fees and changes of price are rows of their own.',
    'Times are UTC. Addresses and hashes are shown in full.',
    'A detection is an indication, not proof. Labels come from the lists named above and may be wrong or late.',
  ],
  role: 'Role',
  priority: 'Priority',
  patterns: 'Patterns of money flow',
  pattern: '{name} ({severity}, {usd}): {text}',
  patternsNote:
    'Shapes within the reach of this section; their severity is that of the shape alone. A finding above may grade the same shape otherwise, by the money behind it, and may have seen more of it.',
  status: 'Status',
  leftOutAddresses:
    'This report lays out {shown} of the {total} addresses of the case: subjects first, then the others in the order in which they were added. Nothing is said of the others beyond the level of their newest scan.',
  andMore: 'and {count} more',
  andMoreCharacters: ' … and {count} more characters',
  leftOutNotes: 'The newest {shown} of {total} entries are printed. The others are in the case.',
  author: 'Author',
  note: 'Note',
  disposition: 'Judgement',
  investigatorNotes: 'Notes of the investigator',
  inForce: 'In force',
  imported: 'imported, not confirmed here',
  none: 'none',
};

/** The words of a report in one language; `{…}` is filled in. */
export type ReportWords = typeof report;

/** Texts of the report of a case, from the loss to where the money is; `{…}` is filled in. */
export interface StoryWords {
  boardPartOf: string;
  /** Words of the cover. */
  organisation: string;
  declarationTitle: string;
  declaration: string;
  signedBy: string;
  checkedBy: string;
  keyTitle: string;
  shortName: string;
  fullName: string;
  /** A name of the case with the other one that a list gives. */
  listedAs: string;
  /** Stands for an address that neither the case nor a list names. */
  noName: string;
  moreKeys: string;
  caseNumber: string;
  assignee: string;
  author: string;
  approvedBy: string;
  /** Several wallets under investigation, by the first and the last code. */
  wallets: string;
  /** Between two days. */
  span: string;
  day: string;
  lost: string;
  returned: string;
  rounding: string;
  received: string;
  receivedNothing: string;
  noVictim: string;
  way: string;
  wayPlain: string;
  /** Where no wallet lies between the subjects and the ends. */
  wayDirect: string;
  overBridges: string;
  notSent: string;
  notFollowed: string;
  late: string;
  now: string;
  nowAt: string;
  nowHeld: string;
  /** An end at which the money was last seen and not followed. */
  nowLast: string;
  nowRest: string;
  nowElsewhere: string;
  nowNothing: string;
  /** Money that the subjects themselves did not send on. */
  nowSubjects: string;
  heldBySubjects: string;
  whereTitle: string;
  whereWho: string;
  whereWhat: string;
  rangeByRule: string;
  sameByRule: string;
  noRowDepends: string;
  rowsDepend: string;
  quantities: string;
  total: string;
  others: string;
  otherEnds: string;
  severalParties: string;
  severalAddresses: string;
  senders: string;
  andMore: string;
  kinds: Partial<Record<FundKind, string>>;
  unseen: string;
  allSeen: string;
  pictureTitle: string;
  pictureAlt: string;
  pictureNote: string;
  boardTitle: string;
  boardFacts: string;
  boardPart: string;
  boardAlt: string;
  boardNotes: string;
  boardsMax: string;
  timelineTitle: string;
  timelineEvent: string;
  eventLoss: string;
  eventMoved: string;
  eventBridge: string;
  eventBridgeEnd: string;
  eventBridgeLikely: string;
  eventArrived: string;
  eventMore: string;
  morePayers: string;
  transfers: string;
  findingsTitle: string;
  noConfirmed: string;
  openFindings: string;
  confirmedBy: string;
  judgedBy: string;
  /** Findings that count in another, behind which they are named. */
  alsoFound: string;
  evidenceShown: string;
  asksTitle: string;
  noAsks: string;
  asksIntro: string;
  stillThere: string;
  stillThereAt: string;
  depositAddresses: string;
  partsTitle: string;
  partsShortTitle: string;
  money: string;
  inFrom: string;
  outTo: string;
  codesTitle: string;
  code: string;
  judgementsTitle: string;
  effects: string;
  logTitle: string;
  term: string;
  meaning: string;
  levels: Record<'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'UNKNOWN', string>;
}

export const story: StoryWords = {
  boardPartOf: '{title}, part {part} of {parts}',
  organisation: 'Organisation',
  declarationTitle: 'Declaration',
  declaration:
    'I made this report from the records that it names. To the best of my knowledge its figures are those of the public chains on the day above, and its names of addresses are those of the lists that it states. What was not seen is said as such.',
  signedBy: 'Author: {name}, place and date',
  checkedBy: 'Checked by: name, place and date',
  keyTitle: 'Short names in this report',
  shortName: 'Short name',
  fullName: 'Name',
  listedAs: '{name}, listed as {label}',
  noName: 'no name known',
  moreKeys: '{count} more stand in the appendix of addresses.',
  caseNumber: 'Case number',
  assignee: 'Assigned to',
  author: 'Author',
  approvedBy: 'Approved by',
  wallets: '{count} wallets ({first} to {last})',
  span: 'between {from} and {to}',
  day: 'on {day}',
  lost: '{victims} lost {usd} ({assets}) {when}; the money went to {subjects}.',
  returned: 'Of it {usd} ({assets}) was paid back.',
  rounding: 'rounding to cents',
  received: '{subjects} received {usd} ({assets}) from {payers} {when}; the case does not name who lost it.',
  receivedNothing: 'No money that {subjects} received is known; the case does not name who lost what.',
  noVictim:
    'The case names {victims} as the victim, and no transfer from there to an address under investigation is known.',
  way: '{usd} went on from {subjects} {when}, through {wallets} on {chains}{bridges}.',
  wayPlain: '{usd} went on from {subjects} {when}.',
  wayDirect: '{usd} went on from {subjects} {when}, through no further wallet, on {chains}{bridges}.',
  overBridges: ', over {count} bridge crossings ({names})',
  notSent: 'No money that {subjects} sent on is known.',
  notFollowed: 'The case has no address under investigation (role "subject"), so no money was followed.',
  late: 'The account of the money took longer than a report has time for and is left out; ask for it on its own.',
  now: 'Of this money {parts}.',
  nowAt: '{share} ({usd}) arrived at {name}',
  nowHeld: '{share} ({usd}) is still held in {name}',
  nowLast: '{share} ({usd}) was last seen at {name}, where it was not followed further ({why})',
  nowRest: '{share} ({usd}) ended elsewhere or was not followed further',
  nowElsewhere: '{share} ({usd}) ended elsewhere, as the table shows',
  nowNothing: 'So nothing can be said of where the money is.',
  nowSubjects: '{usd} ({assets}) of the money received had not left {subjects} at the last reading.',
  heldBySubjects: 'not sent on at the last reading; beside the money above',
  whereTitle: 'Where the money is',
  whereWho: 'Where',
  whereWhat: 'What that is',
  rangeByRule: 'Range by rule',
  sameByRule: 'the same',
  noRowDepends:
    'No row of this table depends on the rule by which mixed money is attributed: pro rata, first in first out, last in first out and the lowest intermediate balance all say the same.',
  rowsDepend:
    '{same} of the {rows} rows of this table, {share} of the money, do not depend on the rule by which mixed money is attributed. The amounts are pro rata; the range is the least and the greatest amount by that rule, first in first out, last in first out and the lowest intermediate balance.',
  quantities: 'Quantities',
  total: 'Total',
  others: 'Others',
  otherEnds: '{count} further ends, in the account of the case',
  severalParties: '{count} parties ({category})',
  severalAddresses: '{count} addresses',
  senders: '{count} senders',
  andMore: '{named} and {count} more',
  kinds: {
    party: 'labelled party',
    returned: 'returned to its payer',
    held: 'still held in a wallet',
    bridge: 'left over a bridge',
    contract: 'put into a contract and not seen to come out',
    price_change: 'change on the way: prices, exchanges, and fees that no other row states (below 0: gained)',
  },
  unseen: 'Not seen: {usd} ({share}) could not be followed further, because {reasons}.',
  allSeen: 'Every part of this money was followed to a known end.',
  pictureTitle: 'Flow of funds',
  pictureAlt: 'Flow of funds from left to right: {steps}',
  pictureNote:
    'From left to right; the more money, the thicker the line. The amount in a box is the followed money that went through it.',
  boardTitle: 'Board: {title}',
  boardFacts: 'Version {version}, saved {at} by {author}.',
  boardPart: 'What the analyst hid or filtered out is not drawn.',
  boardAlt: 'The board {title}: {nodes} addresses and {flows} flows',
  boardNotes: 'Notes on this board',
  boardsMax: 'Of {count} boards the {shown} that were saved last are printed.',
  timelineTitle: 'Timeline',
  timelineEvent: 'Event',
  eventLoss: '{from} pays {to}: {assets}',
  eventMoved: '{from} sends to {to}: {assets}',
  eventBridge: '{from} sends {assets} over {protocol} from {chain}; {to} receives {arrived} on {other}',
  eventBridgeEnd: '{from} sends {assets} over {protocol} from {chain} to {other}; not followed further: {reason}',
  eventBridgeLikely:
    '{from} sends {assets} over {protocol} from {chain} to {other}; likely received by {to}: {arrived}',
  eventArrived: 'Arrival at {to} from {from}: {assets}',
  eventMore: 'Smaller steps, in transactions.csv and in the account of the case: {count}.',
  morePayers: 'Further senders that paid {subjects}: {count}, {usd} in all.',
  transfers: '{count} transactions until {until}',
  findingsTitle: 'Findings',
  noConfirmed: 'No finding has been confirmed by an analyst.',
  openFindings: '{count} findings of the scans have not been judged; they stand at their addresses.',
  confirmedBy: 'Confirmed by {author}, {at}: {reason}',
  judgedBy: 'Judgement of {author}: {judgement}. {reason}',
  alsoFound: 'By the same transfers: {names}.',
  evidenceShown: '{shown} of {count} transfers; all are in transactions.csv of the report package.',
  asksTitle: 'Requests to services',
  noAsks: 'The money reached no service that can be asked for its customer.',
  asksIntro:
    'Each service below received money of this case. Ask for the customer behind the deposit, for a freeze of what is left, and for the further way.',
  stillThere:
    'Still there at the last reading: {usd}, in wallets of which no holder is known. Who can freeze the token, or the next service that the money reaches, is to be asked at once.',
  stillThereAt: 'Wallets',
  depositAddresses: 'Addresses there',
  partsTitle: 'Addresses of the case',
  partsShortTitle: 'Other addresses of the case',
  money: 'Exposure: money in and out',
  inFrom: 'Received from',
  outTo: 'Sent to',
  codesTitle: 'Addresses by their short names',
  code: 'Short name',
  judgementsTitle: 'Judgements of the analysts',
  effects:
    'Confirmed findings stand under the findings of this report and in the draft; dismissed ones in neither, but here with their reason. Every judgement is marked at its address.',
  logTitle: 'Log of the case',
  term: 'Term',
  meaning: 'Meaning',
  levels: { CRITICAL: 'CRITICAL', HIGH: 'HIGH', MEDIUM: 'MEDIUM', LOW: 'LOW', UNKNOWN: 'UNKNOWN' },
};

/** How reports describe crossings of bridges; `{…}` is filled in. */
export interface BridgeWords {
  /** Title of a list of crossings. */
  crossings: string;
  crossed: string;
  /** The message id after the name of the bridge. */
  message: string;
  left: string;
  arrived: string;
  unknownLeft: string;
  unknownArrived: string;
  recipient: string;
  /** How sure it is that both sides are one transfer. */
  match: Record<CrossingMatch, string>;
  /** Names a message that anybody can state: after the match, and in place of it where the values of the sides do not agree. */
  open: string;
  openDiffers: string;
  /** After the sentence of a draft, where an analyst confirmed the match. */
  confirmed: string;
  fee: string;
  /** The trace ended at the bridge. */
  notFollowed: string;
  /** A bridge in the table of ends. */
  end: string;
  /** A chain outside the supported ones, by the protocol's number. */
  otherChain: string;
  unknown: string;
  unknownAddress: string;
  /** A crossing from or to an address of the case that an analyst confirmed, in the text of a draft. */
  sentence: string;
  /** Title of a list of them, and what it says where they could not be read. */
  confirmedCrossings: string;
  confirmedOmitted: string;
  /** In the row of a transfer by which a confirmed crossing left a chain, and of the one by which it arrived. */
  rowLeft: string;
  rowArrived: string;
}

export const bridges: BridgeWords = {
  crossings: 'Crossings of bridges',
  crossed: 'Bridge {protocol}, {from} to {to}',
  message: ', message {id}',
  left: 'Left {chain}: {amount}, {at}, transaction {tx}',
  arrived: 'Arrived on {chain}: {amount}, {at}, transaction {tx}',
  unknownLeft: 'Departure from {chain}: not known',
  unknownArrived: 'Arrival on {chain}: not known',
  recipient: ', recipient {address}',
  match: {
    id: 'Both sides state the same message.',
    likely: 'Likely the same transfer: recipient, amount and time fit; no message id joins the two sides.',
    confirmed:
      'Recipient, amount and time fit; no message id joins the two sides. Confirmed as the same transfer by {by}, {at}.',
  },
  open: 'Anybody can make such a statement.',
  openDiffers:
    'Both sides state the same message, but anybody can make such a statement, and their values do not agree or are not known.',
  confirmed: ' No message id joins the two transactions: {by} confirmed on {at} that they belong together.',
  fee: 'Did not arrive (fee): {amount}',
  notFollowed: 'Not followed: {reason}.',
  end: '{protocol}, {from} to {to}: {reason}',
  otherChain: 'chain {raw}',
  unknown: 'an unknown chain',
  unknownAddress: '(not known)',
  sentence:
    'Over the bridge {protocol}, {sent} left address {sender} on {from} in transaction {tx_out}, and {received} arrived at address {recipient} on {to} in transaction {tx_in}.',
  confirmedCrossings: 'Crossings of bridges that an analyst confirmed',
  confirmedOmitted: 'The confirmed crossings of bridges could not be read in time and are left out of this report.',
  rowLeft: 'Left over a bridge and arrived on {chain} in transaction {tx}.',
  rowArrived: 'Arrived over a bridge and left {chain} in transaction {tx}.',
};

/** The request to a service at which money of a case arrived; `{…}` is filled in. */
export const requests = {
  title: 'Request to freeze and to preserve records: {service}',
  reference: 'Reference',
  case: 'Case',
  date: 'Date',
  intro:
    'In the case named above, {usd} ({share} of the money followed; {assets}) arrived at addresses that public lists attribute to {service}. The way there was followed on the public ledgers; the transactions are named below.',
  sameByRule:
    'The amount is the same by each usual rule of attribution: a part of each receipt, the oldest or newest first, the lowest balance.',
  rangeByRule:
    'By the usual rules of attribution (a part of each receipt, the oldest or newest first, the lowest balance) the amount lies between {least} and {most}.',
  deposits: 'Deposit addresses of customers, as far as can be seen: they hand on all that they get',
  way: 'Flow of funds to the service',
  frozen: 'frozen by the issuer: {assets}',
  frozenSince: '{asset} since {at}',
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

/** Content and unit of each column of transactions.csv; empty fields are unknown. */
export const columns = {
  row_no: 'from 1',
  case_id: 'the case',
  report_id: 'the generation id of the report package',
  subject_address: 'the address of the case that the row is about; the first one of the case',
  chain_id: 'CAIP-2',
  chain_name: 'the chain',
  tx_hash: 'the transaction',
  transfer_index: 'place in the transaction: `native`, `log:12`, `trace:0_1`, `out:3`',
  block_number: 'number, slot or ledger of the block',
  block_hash: 'the block that was read',
  block_time_utc: 'ISO 8601, UTC',
  block_time_jst: 'ISO 8601, +09:00',
  tx_status: '`success`: failed transactions move nothing and are not listed',
  direction: '`in`, `out` or `self`, as the subject address sees it',
  from_address: 'sender',
  to_address: 'receiver',
  tx_sender: 'signer of the transaction',
  counterparty_address: 'the other side',
  counterparty_category: 'category of the best label of the other side',
  counterparty_name: 'owner, else the label',
  label_source: 'the list that states it, and its day',
  label_confidence: '0 to 1',
  asset_symbol: 'as on the chain',
  asset_type: '`native`, `erc20`, `erc721`, `erc1155` or `other`',
  token_contract: 'contract, mint or issuer; empty for the coin of the chain',
  token_id: 'of an NFT',
  token_decimals: 'decimals of the asset',
  amount_raw: 'smallest units',
  amount: 'units of the asset',
  price_usd: 'US dollars a unit, from value_usd and amount',
  value_usd: 'US dollars at the time of the transfer',
  usd_jpy_rate: 'yen a US dollar on that day',
  value_jpy: 'yen, rounded half up',
  price_source: '`recorded`: the value kept with the transfer when it was read; `unpriced`',
  fee_native: 'coin of the chain; on the first row of the transaction only',
  method: 'four-byte selector or name',
  exposure_tier:
    '`direct`: with a party labelled as illicit; `indirect`: money of one was traced through it; `none`: neither was found',
  hop_distance: 'transfers to that party on the evidence path; empty where the path is not shown',
  tainted_value_usd:
    'the part that is on the way of the traced money of the case, at the value that this money had at the subject; elsewhere the whole value if direct, or the part traced to illicit parties by haircut',
  detector_ids: 'detections whose evidence names the transfer, separated by `;`',
  severity: 'the highest of these detections',
  reason_ja:
    'a sentence of each of these detections and of each crossing of a bridge that an analyst confirmed, in the language of the package: the name of the column is fixed',
  evidence_sha256: 'SHA-256 of the JSON of the transfer and of the label of the other side, fields sorted by name',
};

export const packageWords = {
  /** Texts of the draft in Word. */
  font: 'Calibri',
  title: 'Evidence report',
  generation: 'Generation id',
  asOf: 'As of',
  period: 'Period',
  wholeHistory: 'whole known history',
  engine: 'Engine',
  confidential:
    'Confidential. This report is an attachment for a suspicious-transaction report, not the filing itself. Where the law forbids it, do not inform the customer or anyone else involved of the filing.',
  simple: 'This is the simple form of the report: the picture of the flow of funds could not be drawn.',
  transactions: 'Transfers',
  transactionsNote:
    '{rows} transfers are listed in transactions.csv, each once, as the first address of the case that has it sees it. Of services and victims only transfers with another address of the case are listed. The sums and the largest transfers are those between the subjects, taken as one party, and others.',
  first: 'First',
  last: 'Last',
  received: 'Received',
  sent: 'Sent',
  unpriced: 'Without a known value',
  tracked: 'Tracked amount',
  largest: 'Largest transfers',
  row: 'Row',
  cut: 'Of these addresses only the newest transfers are listed: {addresses}.',
  truncated: 'There are more transfers than the package can hold; the newest are left out.',
  integrity: 'Integrity',
  integrityNote:
    'Digests of the files made before this one. manifest.json names all files with their digests. To check a transaction, look up its hash on an explorer of its chain; the block hash in transactions.csv pins the state that was read.',
  ownClock: 'The times of this package are those of the clock of the machine that made it. No authority stamped them.',
  stampedClock:
    'The times in this package are those of the clock of the machine that made it. An authority stamps manifest.json: manifest.tsr (RFC 3161) shows when that file existed. While the authority cannot be reached, the package is without it.',
  proofsNote:
    'proofs.json shows by the headers of their blocks that the chains hold the transactions that this report names. To check it without a network, open verify.html in a browser and choose proofs.json.',
  file: 'File',
  bytes: 'Bytes',
  glossary: 'Glossary',
  glossaryTerms: [
    ['exposure', 'part of the money of an address that came from a labelled party or went to one'],
    ['direct, indirect', 'one transfer away; through unlabelled addresses in between'],
    ['haircut', 'each payment carries what its payer held, in the same mix'],
    ['hop', 'one transfer on the way'],
    ['traced', 'followed over its transfers to a labelled party'],
    ['detection', 'one finding of one rule, with its threshold and what was measured'],
  ],
  draftTitle: 'Draft of a suspicious-transaction report',
  draftNote: 'DRAFT. Written by rules from the evidence; check every sentence. This is not the official form.',
  fillIn: '[to be filled in]',
  addressee: '1. Addressee and date of the report',
  addresseeFields: ['Addressee', 'Date of the report', 'Number of the report'],
  reporter: '2. Reporting institution',
  reporterFields: [
    'Name',
    'Representative',
    'Head office',
    'Office in charge',
    'Department and person in charge',
    'Telephone',
  ],
  customer: '3. Customer',
  customerFields: [
    'Name',
    'Date of birth or registration',
    'Address',
    'Occupation or business',
    'Purpose of the transactions',
    'Beneficial owner',
    'Identification document',
  ],
  wallets: '4. Accounts and wallets',
  activity: '5. Transactions',
  reason: '6. Reason for the report',
  /** A step of the way in the reason. */
  storyStep: '{at}: {what}.',
  reasonFinding: 'Address {address}: {name} ({severity}). {description}',
  /** Beside the severity of a finding. */
  unjudged: 'not judged by an analyst',
  moreFindings: '{count} further findings stand in the evidence report.',
  reasonNoFinding: 'No detection was found on the addresses named above.',
  reasonNotScanned: 'None of the addresses named above was scanned, so nothing is said of detections.',
  reasonLimits:
    'This rests on data of {asOf}. An indication is not proof; what was not looked at is named in the evidence report.',
  /** Head of the numbers of the attachments. */
  evidenceNumber: 'Evidence',
  evidence: '[evidence {n}]',
  indicators: '7. Findings and indicators',
  indicatorsNote: 'Headings of the FATF report "Virtual Assets: Red Flag Indicators" (September 2020).',
  indicator: 'Indicator',
  referenceCase: 'Reference case of the authority',
  indicatorGroups: {
    transactions: 'Transactions',
    patterns: 'Transaction patterns',
    anonymity: 'Anonymity',
    parties: 'Senders or recipients',
    funds: 'Source of funds or wealth',
  },
  measures: '8. Investigation and measures taken',
  measuresFields: ['Investigation of the customer', 'Measures taken', 'Further monitoring'],
  attachments: '9. Attachments',
  review: '10. Review and sign-off',
  reviewItems: [
    'Every sentence was checked against the evidence in its footnote',
    'Every field to be filled in was filled in or struck out',
    'Nothing in the text reveals the report to the customer',
    'Attachments match the digests above',
  ],
  signOff: ['Written by', 'Reviewed by', 'Approved by', 'Date'],
};

/** The words of a report package in one language; `{…}` is filled in. */
export type PackageWords = typeof packageWords;
