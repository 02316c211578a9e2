import { isValidAt, type Label } from '../../domain/label.ts';
import { isoOrNull } from '../../domain/time.ts';
import type { LabelEvidence } from '../detection.ts';
import { type Ledger, tellingLabel } from '../ledger/ledger.ts';

/**
 * What labels say of these addresses, for a reader who asks where it is written: sanctions, ended ones too, and the
 * label that says what an address is.
 */
export function labelEvidence(ledger: Ledger, addresses: readonly string[]): LabelEvidence[] {
  return [...new Set(addresses)].flatMap((address) => {
    const labels = address === ledger.subject.address ? ledger.subject.labels : ledger.labelsOf(address);
    const known = labels.filter(({ validFrom }) => validFrom === null || validFrom <= ledger.asOf);
    const telling = tellingLabel(known, ledger.asOf);
    return known.filter((label) => label === telling || isListing(label, ledger.asOf)).map(toEvidence(address));
  });
}

function isListing(label: Label, asOf: number): boolean {
  return label.category === 'sanctioned' || (label.maliciousContract && isValidAt(label, asOf));
}

function toEvidence(address: string) {
  return ({ category, label, source, confidence, validFrom, validTo }: Label): LabelEvidence => ({
    address,
    category,
    label,
    source,
    confidence,
    valid_from: isoOrNull(validFrom),
    valid_to: isoOrNull(validTo),
  });
}
