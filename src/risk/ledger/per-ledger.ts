import { runSteps, type Steps } from '../../domain/steps.ts';
import type { Ledger } from './ledger.ts';

/** Computes once for each ledger what several readers of it need. */
export function perLedger<T>(compute: (ledger: Ledger) => T): (ledger: Ledger) => T {
  const known = new WeakMap<Ledger, { value: T }>();
  return (ledger) => {
    const kept = known.get(ledger) ?? { value: compute(ledger) };
    known.set(ledger, kept);
    return kept.value;
  };
}

/** The same in steps: `prepare` runs them before readers ask. */
export function perLedgerInSteps<T>(
  compute: (ledger: Ledger) => Steps<T>,
): ((ledger: Ledger) => T) & { prepare: (ledger: Ledger) => Steps<T> } {
  const known = new WeakMap<Ledger, { value: T }>();
  function* prepare(ledger: Ledger): Steps<T> {
    const kept = known.get(ledger) ?? { value: yield* compute(ledger) };
    known.set(ledger, kept);
    return kept.value;
  }
  return Object.assign((ledger: Ledger) => runSteps(prepare(ledger)), { prepare });
}
