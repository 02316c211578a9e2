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
