import type { FundKind } from '../../../domain/tracing/funds/row.ts';

/** Texts of the report of a case, from the loss to where the money is; `{…}` is filled in. */
export interface StoryWords {
  caseNumber: string;
  author: string;
  /** Several wallets under investigation, by the first and the last code. */
  wallets: string;
  /** Between two days. */
  span: string;
  day: string;
  lost: string;
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
  nowNothing: string;
  /** What the subjects themselves did not send on. */
  nowSubjects: string;
  heldBySubjects: string;
  whereTitle: string;
  whereWho: string;
  whereWhat: string;
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
  eventArrived: string;
  eventMore: string;
  morePayers: string;
  transfers: string;
  findingsTitle: string;
  noConfirmed: string;
  openFindings: string;
  confirmedBy: string;
  judgedBy: string;
  evidenceShown: string;
  asksTitle: string;
  noAsks: string;
  asksIntro: string;
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
  caseNumber: 'Case number',
  author: 'Author',
  wallets: '{count} wallets ({first} to {last})',
  span: 'between {from} and {to}',
  day: 'on {day}',
  lost: '{victims} lost {usd} ({assets}) {when}; the money went to {subjects}.',
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
  nowNothing: 'So nothing can be said of where the money is.',
  nowSubjects: '{usd} ({assets}) of the money received had not left {subjects} at the last reading.',
  heldBySubjects: 'not sent on at the last reading; beside the money above',
  whereTitle: 'Where the money is',
  whereWho: 'Where',
  whereWhat: 'What that is',
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
  },
  unseen: 'Not seen: {usd} ({share}) could not be followed further, because {reasons}.',
  allSeen: 'Every part of this money was followed to a known end.',
  pictureTitle: 'The way of the money',
  pictureAlt: 'The way of the money from left to right: {steps}',
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
  eventBridge: '{from} sends over {protocol} from {chain} to {other}, received by {to}: {assets}',
  eventArrived: 'Arrival at {to} from {from}: {assets}',
  eventMore: 'Smaller steps, in transactions.csv and in the account of the case: {count}.',
  morePayers: 'Further senders that paid {subjects}: {count}, {usd} in all.',
  transfers: '{count} transactions until {until}',
  findingsTitle: 'Findings',
  noConfirmed: 'No finding has been confirmed by an analyst.',
  openFindings: '{count} findings of the scans have not been judged; they stand at their addresses.',
  confirmedBy: 'Confirmed by {author}, {at}: {reason}',
  judgedBy: 'Judgement of {author}: {judgement}. {reason}',
  evidenceShown: '{shown} of {count} transfers; all are in transactions.csv of the report package.',
  asksTitle: 'What to ask whom',
  noAsks: 'The money reached no service that can be asked for its customer.',
  asksIntro:
    'Each service below received money of this case. Ask for the customer behind the deposit, for a freeze of what is left, and for the further way.',
  depositAddresses: 'Addresses there',
  partsTitle: 'Addresses of the case',
  partsShortTitle: 'Other addresses of the case',
  money: 'Exposure: money in and out',
  inFrom: 'Received from',
  outTo: 'Sent to',
  codesTitle: 'Addresses by their short names',
  code: 'Name',
  judgementsTitle: 'Judgements of the analysts',
  effects:
    'Confirmed findings stand under the findings of this report and in the draft; dismissed ones in neither, but here with their reason. Every judgement is marked at its address.',
  logTitle: 'Log of the case',
  term: 'Term',
  meaning: 'Meaning',
  levels: { CRITICAL: 'CRITICAL', HIGH: 'HIGH', MEDIUM: 'MEDIUM', LOW: 'LOW', UNKNOWN: 'UNKNOWN' },
};
