import { type Category, isAdverseCategory, isSure, isValidAt, type Label } from '../../domain/label.ts';
import type { BeforeDesignation } from '../assessment.ts';
import { COUNTRY_PROGRAMMES } from '../rules.ts';
import type { Ledger } from './ledger.ts';
import type { Movement } from './movements.ts';

/**
 * How a transfer stands to the designation of its other side: after it (`designated`), also where the party was delisted
 * since; at a party whose list gives no day (`undated`); or before it.
 */
export type Standing = 'designated' | 'undated' | BeforeDesignation;

export function isBeforeDesignation(standing: Standing | null): standing is BeforeDesignation {
  return standing === 'before' || standing === 'before_country';
}

export function sanctionStanding(ledger: Ledger, { counterparty, at }: Movement): Standing | null {
  return standingAt(ledger.labelsOf(counterparty), at, ledger.asOf);
}

/**
 * Null where the party is not listed, or only reported to be and surely a thief or a mixer; and before its designation where
 * such a label grades what came earlier.
 */
export function standingAt(labels: readonly Label[], at: number, asOf: number): Standing | null {
  const listed = listings(labels, asOf);
  const isReport = !listed.some(isSure);
  if (isReport && adverseBeside(labels, asOf) !== null) return null;
  const valid = listed.filter((label) => isValidAt(label, at));
  if (valid.length > 0) return valid.some(({ validFrom }) => validFrom !== null) ? 'designated' : 'undated';
  const later = listed.filter((label) => isValidAt(label, asOf) && (label.validFrom ?? 0) > at);
  if (later.length === 0 || adverseBeside(labels, asOf) !== null) return null;
  const programmes = programmesOf(later);
  return programmes.length > 0 && programmes.every(namesCountry) ? 'before_country' : 'before';
}

/** The category of the other side at the time of the transfer: before its designation what its other labels say. */
export function categoryThen(ledger: Ledger, movement: Movement): Category | null {
  const category = ledger.categoryOf(movement.counterparty);
  if (category !== 'sanctioned' || sanctionStanding(ledger, movement) !== null) return category;
  return adverseBeside(ledger.labelsOf(movement.counterparty), ledger.asOf);
}

/** The category of a sure adverse label that a party bears beside its sanctions. */
export function adverseBeside(labels: readonly Label[], asOf: number): Category | null {
  const isCounted = (label: Label) =>
    label.category !== 'sanctioned' && isAdverseCategory(label.category) && isSure(label);
  return labels.find((label) => isCounted(label) && isValidAt(label, asOf))?.category ?? null;
}

/** Sanction labels known at `asOf`, ended ones too. */
export function sanctionLabels(ledger: Ledger, address: string): Label[] {
  return listings(ledger.labelsOf(address), ledger.asOf);
}

/** The programmes under which these labels say that a party is sanctioned. */
export function programmesOf(labels: readonly Label[]): string[] {
  const names = labels.flatMap(({ programme }) => programme?.split(/[,;]/) ?? []).map((name) => name.trim());
  return [...new Set(names.filter(Boolean))].sort();
}

function listings(labels: readonly Label[], asOf: number): Label[] {
  return labels.filter(
    ({ category, validFrom }) => category === 'sanctioned' && (validFrom === null || validFrom <= asOf),
  );
}

function namesCountry(programme: string): boolean {
  const name = programme.toUpperCase();
  return COUNTRY_PROGRAMMES.some((code) => name.startsWith(code) && !/^[A-Z]/.test(name.slice(code.length)));
}
