import { isValidAt, type Label } from '../../domain/label.ts';
import type { Ledger } from './ledger.ts';
import type { Movement } from './movements.ts';

/** Where a transfer stands to the designation of its other side. */
export type Standing = 'designated' | 'undated' | 'before_designation';

/**
 * `designated` when the other side was under sanctions at the time of the transfer, also if it was delisted
 * since; `undated` when the list gives no day since when; `before_designation` when it was not yet and still is today;
 * null otherwise.
 */
export function sanctionStanding(ledger: Ledger, movement: Movement): Standing | null {
  const labels = sanctionLabels(ledger, movement.counterparty);
  const valid = labels.filter((label) => isValidAt(label, movement.at));
  if (valid.length > 0) return valid.some(({ validFrom }) => validFrom !== null) ? 'designated' : 'undated';
  const later = labels.some((label) => isValidAt(label, ledger.asOf) && (label.validFrom ?? 0) > movement.at);
  return later ? 'before_designation' : null;
}

/** Sanction labels known at `asOf`, ended ones too. */
export function sanctionLabels(ledger: Ledger, address: string): Label[] {
  return ledger
    .labelsOf(address)
    .filter((label) => label.category === 'sanctioned' && (label.validFrom === null || label.validFrom <= ledger.asOf));
}
