import type { Evidence } from '../../domain/entity.ts';
import { addToGroup } from '../../domain/group-by.ts';
import { slicesOf } from '../columns.ts';
import type { GraphTransaction, Row } from '../port.ts';
import type { KnownFact } from './facts.ts';
import type { Pair } from './pairs.ts';
import type { Written } from './write-facts.ts';

interface PayerRow extends Row {
  key: string;
  tx_hash: string;
}

/** Addresses whose payers one statement looks through: each may have been paid by many thousands. */
const PAYEES_AT_ONCE = 10;

/** Finds who spent together: in the batches of one ingest, and, where a batch brings something new, beside what the graph holds. */
export class JointSpends {
  readonly #payers = new Map<string, { at: number; keys: Set<string>; isNew: boolean }>();

  /** Finds payers known to have spent together in transactions of a batch that brings something of them. */
  async add(tx: GraphTransaction, pairs: readonly Pair[], done: Written): Promise<Evidence[]> {
    const touched = new Set<string>();
    const fresh = new Map<string, string[]>();
    const born = new Set(done.born.map(({ key }) => key));
    for (const pair of pairs) {
      const held: ReadonlyMap<string, KnownFact> | undefined = done.held.get(pair);
      for (const [id, found] of pair.found) {
        const before = held?.get(id);
        if ((before?.joint ?? found.joint) !== true) continue;
        const { tx_hash, at } = found;
        const known = this.#payers.get(tx_hash) ?? { at, keys: new Set<string>(), isNew: false };
        this.#payers.set(tx_hash, known);
        known.keys.add(pair.from);
        touched.add(tx_hash);
        if (before && !done.completed.has(pair)) continue;
        known.isNew = true;
        if (born.has(pair.to)) continue;
        addToGroup(fresh, pair.to, tx_hash);
      }
    }
    for (const { key, tx_hash } of await jointPayers(tx, fresh)) this.#payers.get(tx_hash)!.keys.add(key);
    return [...touched].flatMap((txHash): Evidence[] => {
      const { at, keys, isNew } = this.#payers.get(txHash)!;
      return isNew && keys.size > 1 ? [{ basis: 'co_spent', keyId: null, txHash, at, members: [...keys] }] : [];
    });
  }
}

/** Finds who, as the graph has it, spent together with others in transactions, by the addresses that these paid. */
export async function jointPayers(
  tx: GraphTransaction,
  byPayee: ReadonlyMap<string, readonly string[]>,
): Promise<PayerRow[]> {
  const found: PayerRow[] = [];
  for (const key of slicesOf([...byPayee.keys()], PAYEES_AT_ONCE)) {
    const txs = Object.fromEntries(key.flatMap((payee) => byPayee.get(payee)!.map((txHash) => [txHash, true])));
    for (const row of await tx.run<PayerRow>('entities/joint-payers', { key, txs })) found.push(row);
  }
  return found;
}
