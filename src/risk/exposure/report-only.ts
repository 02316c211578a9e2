import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Category, INFERENCE, isSure, isValidAt } from '../../domain/label.ts';
import { atMost, type Severity } from '../detection.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Movement } from '../ledger/movements.ts';

/** Sources that alone say a category of these addresses, where none is sure of it; empty where one is. */
function reportersOf(ledger: Ledger, addresses: readonly string[], category: Category): string[] {
  const sources = new Set<string>();
  for (const address of addresses) {
    const labels = ledger.labelsOf(address).filter((label) => label.category === category);
    const valid = labels.filter((label) => isValidAt(label, ledger.asOf));
    const said = valid.length > 0 ? valid : labels;
    if (said.length === 0 || said.some(isSure)) return [];
    for (const { source } of said) sources.add(source);
  }
  return [...sources].sort();
}

/** The movements whose party is surely of the category, those of which that is only reported, and CoinJoins; none is empty. */
export function bySureness(ledger: Ledger, part: readonly Movement[], category: Category): Movement[][] {
  return [...groupBy(part, (movement) => surenessOf(ledger, movement, category)).values()];
}

/** The movements whose party is surely of the category. */
export function surelyOf(ledger: Ledger, part: readonly Movement[], category: Category): Movement[] {
  return part.filter((movement) => surenessOf(ledger, movement, category) === 'sure');
}

/** The same and those of which this engine infers it; not what is only reported, nor CoinJoins. */
export function surelyOrInferred(ledger: Ledger, part: readonly Movement[], category: Category): Movement[] {
  return part.filter((movement) => ['sure', 'inferred'].includes(surenessOf(ledger, movement, category)));
}

function surenessOf(ledger: Ledger, { counterparty }: Movement, category: Category) {
  if (isCoinJoin(counterparty)) return 'coinjoin';
  if (reportersOf(ledger, [counterparty], category).length > 0) return 'reported';
  return isInferred(ledger, counterparty, category) ? 'inferred' : 'sure';
}

/** True where this engine alone says the category of an address. */
function isInferred(ledger: Ledger, address: string, category: Category): boolean {
  const said = ledger.labelsOf(address).filter((label) => label.category === category && isSure(label));
  return said.length > 0 && said.every(({ source }) => source === INFERENCE);
}

/**
 * A report makes nothing graver than MEDIUM, nor does a CoinJoin, and what is inferred nothing graver than HIGH; what is measured
 * names the sources of a report.
 */
export function gradeReport(
  ledger: Ledger,
  severity: Severity,
  { addresses, category }: { addresses: readonly string[]; category: Category },
): { severity: Severity; measured: { reported_by?: string[] } } {
  if (addresses.length > 0 && addresses.every(isCoinJoin)) {
    return { severity: atMost(severity, 'MEDIUM'), measured: {} };
  }
  const reporters = reportersOf(ledger, addresses, category);
  if (reporters.length === 0) {
    const areInferred = addresses.length > 0 && addresses.every((address) => isInferred(ledger, address, category));
    return { severity: areInferred ? atMost(severity, 'HIGH') : severity, measured: {} };
  }
  return { severity: atMost(severity, 'MEDIUM'), measured: { reported_by: reporters } };
}
