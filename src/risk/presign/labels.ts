import { type Category, isValidAt, type Label } from '../../domain/label.ts';
import { dayOf } from '../../domain/time.ts';
import { tellingLabel } from '../ledger/ledger.ts';
import { FLOOR, MALICIOUS_CONTRACT_FLOOR, PRESIGN } from '../rules.ts';
import type { Finding, PresignCase, PresignSignal } from './case.ts';

/** An address that takes part in a transaction, and as what. */
export interface Party {
  address: string;
  role: string;
}

const SIGNALS: Partial<Record<Category, PresignSignal[]>> = {
  darknet: ['darknet'],
  drainer: ['drainer', 'scamdb_hit'],
  scam: ['scamdb_hit'],
  mixer: ['mixer'],
};
const BLOCKING: readonly Category[] = ['drainer', 'scam'];

/** Everybody whose labels count, each once, in the first role that the transaction gives them; not the signer. */
export function partiesOf(known: Pick<PresignCase, 'to' | 'spender' | 'asset' | 'signer' | 'calldata'>): Party[] {
  const parties: Party[] = [{ address: known.to, role: 'Destination' }];
  const add = (address: string | null, role: string) => {
    if (address !== null && address !== known.signer) parties.push({ address, role });
  };
  add(known.spender, 'Spender');
  add(known.asset, 'Token');
  for (const action of known.calldata?.actions ?? []) {
    if (action.kind === 'move') {
      add(action.to, `Recipient in ${action.call}`);
      add(action.owner, `Owner in ${action.call}`);
    }
    if (action.kind === 'grant') add(action.spender, `${action.collection ? 'Operator' : 'Spender'} in ${action.call}`);
    if (action.kind === 'control') add(action.to, `New master in ${action.call}`);
    if (action.kind === 'target') add(action.to, `Contract called by ${action.call}`);
  }
  const seen = new Set<string>();
  return parties.filter(({ address }) => !seen.has(address) && seen.add(address));
}

/** What the labels of one party say: the same floors as in a scan, sanctions first. Ended labels do not block. */
export function labelFindings({ address, role }: Party, labels: readonly Label[], asOf: number): Finding[] {
  if (labels.length === 0) return [];
  const findings: Finding[] = [];
  const found = (signals: PresignSignal[], score: number, blocking: boolean, label: Label, what: string) =>
    findings.push({
      signals,
      score,
      blocking,
      reason: `${role} ${address} ${what}: ${named(label)}.`,
      confidence: label.confidence / 100,
    });

  const sanctions = labels.filter((label) => label.category === 'sanctioned');
  const listed = sanctions.find((label) => isValidAt(label, asOf));
  const delisted = sanctions.find((label) => label.validTo !== null && label.validTo <= asOf);
  if (listed) found(['sanctioned'], FLOOR.sanctioned ?? 100, true, listed, 'is under sanctions');
  else if (delisted) {
    const until = dayOf(delisted.validTo ?? 0);
    found(['delisted'], PRESIGN.score.delisted, false, delisted, `was under sanctions until ${until} and is no longer`);
  }

  const malicious = labels.find((label) => label.maliciousContract && isValidAt(label, asOf));
  if (malicious) {
    found(['malicious_contract'], MALICIOUS_CONTRACT_FLOOR, true, malicious, 'is a contract known to be malicious');
  }

  const best = tellingLabel(
    labels.filter((label) => label.category !== 'sanctioned'),
    asOf,
  );
  const floor = best && FLOOR[best.category];
  if (best && floor) {
    found(SIGNALS[best.category] ?? [], floor, BLOCKING.includes(best.category), best, `is labelled ${best.category}`);
  }
  return findings;
}

/** True where some valid label says what the address is. */
export function isLabelled(labels: readonly Label[], asOf: number): boolean {
  return tellingLabel(labels, asOf) !== null;
}

function named({ label, source, confidence }: Label): string {
  return `${JSON.stringify(label)}, source ${source}, confidence ${confidence}`;
}
