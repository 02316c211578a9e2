import type { CalldataFault } from '../../../domain/calldata/calldata.ts';
import type { Category } from '../../../domain/label.ts';
import type { RiskLevel } from '../../detection.ts';

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
}

export interface LookalikeText {
  address: string;
  genuine: string;
  /** Day and transaction of the last payment to the genuine address; null where it is the signer. */
  last: { day: string; txHash: string | null } | null;
  /** The characters in which the two differ. */
  stands: string;
  expected: string;
}

/** Every reason of a verdict before signing, in one language. `who` is what `party` made. */
export interface PresignTexts {
  /** An address with its role; `call` names the call that gives it the role. */
  party(role: PartyRole, call: string | null, address: string): string;
  sanctioned(who: string, label: NamedLabel): string;
  delisted(who: string, day: string, label: NamedLabel): string;
  malicious(who: string, label: NamedLabel): string;
  labelled(who: string, category: Category, label: NamedLabel): string;
  sisterChain(who: string, on: { category: Category; chain: string }, label: NamedLabel): string;
  /** `day` is null where the scan is another account's. */
  scanned(who: string, scan: { level: RiskLevel; score: number; day: string | null }): string;
  exposure(
    who: string,
    /** `usd` is whole dollars with separators, null where unknown; `share` a percentage, null where unknown. */
    flow: { direction: 'in' | 'out'; usd: string | null; share: string | null; category: Category },
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
}
