import type { Chain } from '../domain/chain.ts';
import type { Label } from '../domain/label.ts';
import type { LabelStore } from './label-store.ts';

/**
 * What is asked in one turn of the event loop becomes one read: its transaction costs more than its rows. Nothing is
 * remembered, and the store is read after everyone has asked. A look-up gives all that was found for any of them.
 */
export function gatherLookups(labels: LabelStore): Pick<LabelStore, 'find' | 'countChanges'> {
  const looked = new Map<Chain, { addresses: Set<string>; found: Promise<Map<string, Label[]>> }>();
  let counted: Promise<number> | null = null;

  const lookUp = (chain: Chain) => {
    const addresses = new Set<string>();
    const found = endOfTurn().then(() => {
      looked.delete(chain);
      return labels.find(chain, [...addresses]);
    });
    return { addresses, found };
  };

  return {
    find: (chain, addresses) => {
      const turn = looked.get(chain) ?? lookUp(chain);
      looked.set(chain, turn);
      for (const address of addresses) turn.addresses.add(address);
      return turn.found;
    },
    countChanges: () => {
      counted ??= endOfTurn().then(() => {
        counted = null;
        return labels.countChanges();
      });
      return counted;
    },
  };
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
