import type { GraphContext, LabelsContext } from '../context.ts';
import { addressKey, parseAddressKey } from '../domain/address/address-key.ts';
import { addressesOfWallet } from '../domain/address/public-key.ts';
import { type ChainAddress, chainOfForm } from '../domain/chain.ts';
import { isSure, isValidAt, type Label, listedElsewhere, NEUTRAL_CATEGORIES } from '../domain/label.ts';
import { eachInSlices } from '../fairness/time-slices.ts';
import { addressesOfSameKey } from '../graph/entities/keys.ts';
import { orderLabels } from './label-order.ts';
import { chainsOf, type LabelStore } from './label-store.ts';
import type { LabelledAddress } from './put-labels.ts';

interface KnownToOwners {
  /** The labels of the addresses themselves, as they hold on their chain. */
  ownOf: (address: string) => readonly Label[];
  /** Addresses of one key, by graph key of one of them, that the graph need not know. */
  shown?: ReadonlyMap<string, readonly ChainAddress[]>;
}

/**
 * Labels of the addresses whose key bears an adverse label at another address, by graph key, beside their own: it holds wherever
 * the key does. A sure label that says what the address is itself says more. Known are the keys of the graph, and those shown.
 */
export async function labelsOfKeys(
  { graph, labels, now }: GraphContext & LabelsContext,
  owners: readonly ChainAddress[],
  { ownOf, shown = new Map() }: KnownToOwners,
): Promise<Map<string, Label[]>> {
  const at = now();
  const held = new Map([...shown, ...(await addressesOfSameKey(graph, owners))]);
  if (held.size === 0) return new Map();
  const others = new Set([...held.values()].flat().map(({ address }) => address));
  const found = await labels.findOnAllChains([...others]);
  const isTelling = (label: Label) =>
    isValidAt(label, at) && isSure(label) && !NEUTRAL_CATEGORIES.includes(label.category);
  return new Map(
    [...held].flatMap(([key, same]): [string, Label[]][] => {
      const owner = parseAddressKey(key);
      const own = ownOf(owner.address);
      if (own.some(isTelling)) return [];
      const elsewhere = [...new Set(same.map((one) => one.address))].flatMap((one) => found.get(one) ?? []);
      const adverse = elsewhere.filter(
        (label) => isValidAt(label, at) && listedElsewhere(label, owner) !== null && !own.includes(label),
      );
      return adverse.length > 0 ? [[key, orderLabels([...own, ...adverse], at)]] : [];
    }),
  );
}

/** The addresses on scanned chains of these labels, each EVM address once. */
export function ownersOf(labelled: readonly LabelledAddress[]): ChainAddress[] {
  return labelled
    .filter(({ chain }) => chainsOf(chain).length > 0)
    .map(({ chain, address }) => ({ chain: chainOfForm(chain), address }));
}

/**
 * Labels that changed since a moment (epoch ms), and beside each the other addresses of its key, where it may hold too: those
 * that the graph knows, and the other form of a wallet on EVM chains and TRON. Null for `limit` or more, and without the graph.
 */
export async function changesByKey(
  { graph, labels }: GraphContext & { labels: Pick<LabelStore, 'changes'> },
  since: number,
  limit: number,
): Promise<(LabelledAddress & { at: number })[] | null> {
  const changed = await labels.changes(since, limit);
  if (changed.length === limit) return null;
  const known = await addressesOfSameKey(graph, ownersOf(changed)).catch(() => null);
  if (known === null) return null;
  const beside: typeof changed = [];
  await eachInSlices(changed, ({ at, ...one }) => {
    for (const { chain, address } of ownersOf([one])) {
      const same = [...addressesOfWallet(chain, address), ...(known.get(addressKey(chain, address)) ?? [])];
      // An EVM address once for all its chains.
      const byAddress = new Map(same.map((mate) => [mate.address, mate]));
      byAddress.delete(address);
      for (const mate of byAddress.values()) beside.push({ ...mate, at });
    }
  });
  return [...changed, ...beside];
}
