import type { NamedLabel, PartyRole, PresignWords } from '../../../words/en/answers.ts';
import type { Chain } from '../../domain/chain.ts';
import {
  type Category,
  isAdverseCategory,
  isSure,
  isValidAt,
  type Label,
  listedElsewhere,
} from '../../domain/label.ts';
import { dayOf } from '../../domain/time.ts';
import { labelFloor } from '../label-floor.ts';
import { effectiveLabel } from '../ledger/ledger.ts';
import { PRESIGN } from '../rules.ts';
import type { PresignFinding, PresignSignal, PresignTransaction, Reason } from './case.ts';

/** An address that takes part in a transaction, and as what. */
export interface PresignParty {
  address: string;
  role: PartyRole;
  /** The call that gives it this role; null for what the request itself names. */
  call: string | null;
}

const SIGNALS: Partial<Record<Category, PresignSignal[]>> = {
  darknet: ['darknet'],
  drainer: ['drainer', 'scamdb_hit'],
  scam: ['scamdb_hit'],
  mixer: ['mixer'],
  theft: ['theft', 'scamdb_hit'],
  ransomware: ['ransomware', 'scamdb_hit'],
  terrorism: ['terrorism'],
  child_abuse: ['child_abuse'],
  high_risk_exchange: ['high_risk_exchange'],
};
const BLOCKING: readonly Category[] = ['drainer', 'scam', 'theft', 'ransomware', 'terrorism', 'child_abuse'];

/** Everybody whose labels count, each once, in the first role that the transaction gives them; not the signer. */
export function partiesOf(known: PresignTransaction): PresignParty[] {
  const parties: PresignParty[] = [{ address: known.to, role: 'destination', call: null }];
  const add = (address: string | null, role: PartyRole, call: string | null) => {
    if (address !== null && address !== known.signer) parties.push({ address, role, call });
  };
  add(known.spender, 'spender', null);
  add(known.asset, 'token', null);
  for (const action of known.calldata?.actions ?? []) {
    if (action.kind === 'move') {
      add(action.to, 'recipient', action.call);
      add(action.owner, 'owner', action.call);
    }
    if (action.kind === 'grant') add(action.spender, action.collection ? 'operator' : 'spender', action.call);
    if (action.kind === 'control') add(action.to, 'controller', action.call);
    if (action.kind === 'target') add(action.to, 'target', action.call);
  }
  const seen = new Set<string>();
  return parties.filter(({ address }) => !seen.has(address) && seen.add(address));
}

/** Returns what the labels of one party say: the same floors as in a scan, sanctions first. Ended labels do not block. */
export function labelFindings(
  chain: Chain,
  party: PresignParty,
  labels: readonly Label[],
  asOf: number,
): PresignFinding[] {
  const named = (label: Label) => namedOn(chain, label);
  if (labels.length === 0) return [];
  const findings: PresignFinding[] = [];
  const found = (signals: PresignSignal[], score: number, blocking: boolean, label: Label, reason: Reason) =>
    findings.push({ signals, score, blocking, reason, confidence: label.confidence / 100 });

  const sanctions = labels.filter((label) => label.category === 'sanctioned');
  const listed = sanctions.find((label) => isValidAt(label, asOf));
  const delisted = sanctions.find((label) => label.validTo !== null && label.validTo <= asOf);
  if (listed) {
    found(['sanctioned'], labelFloor(listed), true, listed, (texts) =>
      texts.sanctioned(whoIs(texts, party), named(listed)),
    );
  } else if (delisted) {
    const until = dayOf(delisted.validTo ?? 0);
    found(['delisted'], PRESIGN.score.delisted, false, delisted, (texts) =>
      texts.delisted(whoIs(texts, party), until, named(delisted)),
    );
  }

  const malicious = labels.find((label) => label.maliciousContract && isValidAt(label, asOf));
  if (malicious) {
    found(['malicious_contract'], labelFloor(malicious), true, malicious, (texts) =>
      texts.malicious(whoIs(texts, party), named(malicious)),
    );
  }

  const best = effectiveLabel(
    labels.filter((label) => label.category !== 'sanctioned'),
    asOf,
  );
  const floor = best?.category === 'high_risk_exchange' ? PRESIGN.score.high_risk_exchange : best && labelFloor(best);
  if (best && floor) {
    found(SIGNALS[best.category] ?? [], floor, BLOCKING.includes(best.category), best, (texts) =>
      texts.labelled(whoIs(texts, party), best.category, named(best)),
    );
  }
  return findings;
}

/**
 * An address that nothing is known of here, while the same key is listed on another chain. Of a contract, the address
 * may be another one's there: it warns and does not block.
 */
export function sisterFindings(
  party: PresignParty,
  { own, sisters }: { own: readonly Label[]; sisters: readonly Label[] },
  asOf: number,
): PresignFinding[] {
  if (isLabelled(own, asOf)) return [];
  const label = sisters.find((one) => isValidAt(one, asOf) && isAdverseCategory(one.category));
  if (!label) return [];
  return [
    {
      signals: ['sister_chain'],
      score: PRESIGN.score.caution,
      blocking: false,
      reason: (texts) => texts.sisterChain(whoIs(texts, party), label, namedOn(null, label)),
      confidence: label.confidence / 100,
    },
  ];
}

/** True where some valid label says what the address is, and is sure of it. */
export function isLabelled(labels: readonly Label[], asOf: number): boolean {
  return effectiveLabel(labels.filter(isSure), asOf) !== null;
}

/** The party as a reason names it. */
export function whoIs(texts: PresignWords, { role, call, address }: PresignParty): string {
  return texts.party(role, call, address);
}

function namedOn(chain: Chain | null, given: Label): NamedLabel {
  const { label, source, confidence, address } = given;
  const listedOn = chain === null ? null : listedElsewhere(given, { chain, address });
  return { name: label, source, confidence, listedOn };
}

/** True where a valid label of the operator's lists says that the address is trusted. */
export function isWhitelisted(labels: readonly Label[], asOf: number): boolean {
  return labels.some((label) => label.category === 'whitelist' && isValidAt(label, asOf));
}
