import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Chain } from '../domain/chain.ts';
import type { Label } from '../domain/label.ts';
import { orderLabels } from './label-order.ts';
import type { LabelStore } from './label-store.ts';

type Found = Map<string, Label[]>;

const REMEMBERED_MAX = 50_000;

/**
 * What is asked in one turn of the event loop becomes one read, after everyone has asked: its transaction costs more than
 * its rows. Rows are remembered while no label has changed, which every turn asks anew. A look-up gives all that was
 * found for any of the turn.
 */
export function gatherLookups(labels: LabelStore, now: () => number): Pick<LabelStore, 'find' | 'countChanges'> {
  const looked = new Map<Chain, { addresses: Set<string>; found: Promise<Found> }>();
  const remembered = new Map<string, Label[]>();
  let rememberedAt: number | null = null;
  let counted: Promise<number> | null = null;

  const countChanges = () => {
    counted ??= endOfTurn().then(() => {
      counted = null;
      return labels.countChanges();
    });
    return counted;
  };

  const lookUp = (chain: Chain) => {
    const addresses = new Set<string>();
    // Counted before the rows are read: what changes after it is then a change.
    const count = countChanges().finally(() => looked.delete(chain));
    const found = count.then((latest) => {
      if (latest !== rememberedAt) remembered.clear();
      rememberedAt = latest;
      return recall(chain, [...addresses]);
    });
    return { addresses, found };
  };

  const recall = async (chain: Chain, addresses: string[]): Promise<Found> => {
    const found: Found = new Map();
    const unknown: string[] = [];
    for (const address of addresses) {
      const known = remembered.get(`${chain} ${address}`);
      if (known === undefined) unknown.push(address);
      else if (known.length > 0) found.set(address, known.length > 1 ? orderLabels(known, now()) : known);
    }
    if (unknown.length === 0) return found;
    const countBefore = rememberedAt;
    const read = await labels.find(chain, unknown);
    for (const address of unknown) {
      const rows = read.get(address) ?? [];
      if (rows.length > 0) found.set(address, rows);
      if (rememberedAt === countBefore) remembered.set(`${chain} ${address}`, rows);
    }
    while (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!);
    return found;
  };

  return {
    find: (chain, addresses) => {
      const turn = looked.get(chain) ?? lookUp(chain);
      looked.set(chain, turn);
      for (const address of addresses) turn.addresses.add(address);
      return turn.found;
    },
    countChanges,
  };
}
