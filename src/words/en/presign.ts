import type { CalldataFault } from '../../domain/calldata/calldata.ts';
import type { Category } from '../../domain/label.ts';
import type { RiskLevel } from '../../risk/detection.ts';

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
  bait(who: string): string;
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
  bait: (who) =>
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
