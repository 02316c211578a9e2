import type { Evidence } from '../../domain/entity.ts';

/** As a TRANSFER has it. */
interface JointFact {
  tx_hash: string;
  at: number;
  joint: boolean | null;
}

/** Who spent together in the transactions of one ingest, of which each batch brings a part. */
export class JointSpends {
  readonly #payers = new Map<string, { at: number; keys: Set<string> }>();

  /** The transactions of a batch in which two or more are known to have spent together. */
  add(pairs: readonly { from: string; found: ReadonlyMap<string, JointFact> }[]): Evidence[] {
    const touched = new Set<string>();
    for (const { from, found } of pairs) {
      for (const { joint, tx_hash, at } of found.values()) {
        if (joint !== true) continue;
        const known = this.#payers.get(tx_hash) ?? { at, keys: new Set<string>() };
        this.#payers.set(tx_hash, known);
        known.keys.add(from);
        touched.add(tx_hash);
      }
    }
    return [...touched].flatMap((txHash): Evidence[] => {
      const { at, keys } = this.#payers.get(txHash)!;
      return keys.size > 1 ? [{ basis: 'co_spent', keyId: null, txHash, at, members: [...keys] }] : [];
    });
  }
}
