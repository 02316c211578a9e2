import { addressKey, parseAddressKey } from '../domain/address/address-key.ts';
import { CHAINS, type Chain, isChain, isEvmChain, type LabelChain } from '../domain/chain.ts';
import type { ClaimedLabel } from '../domain/claimed-label.ts';
import { groupBy } from '../domain/group-by.ts';
import {
  type AddressLabel,
  type Category,
  isAdverseCategory,
  isValidAt,
  type Label,
  labelsHeldOn,
  ownSource,
} from '../domain/label.ts';
import { iso, isoOrNull } from '../domain/time.ts';
import type { Records } from '../records/database/database.ts';
import type { OwnLabelRow } from '../records/database/tables/lists.ts';
import { allOwnLabels, levelOwnLabels } from '../records/lists/own-labels.ts';
import { orderLabels } from './label-order.ts';
import type { LabelStore } from './label-store.ts';
import { type LabelsOfParties, nodeLabelOf } from './node-labels.ts';

/** A label of a list, or, with `claimed`, of the account itself. */
type StatedLabel = Label & { claimed?: ClaimedLabel };

interface Change {
  chain: LabelChain;
  address: string;
  at: number;
}

/**
 * The labels that one account gives addresses itself. Answers to that account show them; its levels rest on those that it uses for
 * levels. Levels of others never do, and nothing of them is written into the graph, which all share.
 */
export class OwnLabels {
  /** Labels for levels that came, went, began or ended, with the moment. */
  readonly changes: readonly Change[];
  private readonly shown: ReadonlyMap<string, OwnLabelRow[]>;
  private readonly forLevels: ReadonlyMap<string, Label[]>;
  private readonly at: number;

  constructor(rows: readonly OwnLabelRow[], at: number) {
    const live = rows.filter((row) => row.removed_at === null);
    this.at = at;
    this.shown = groupBy(live, ({ address }) => address);
    this.forLevels = groupBy(live.filter(isForLevels).map(ownLabel), ({ address }) => address);
    this.changes = rows.filter(isForLevels).map(({ chain, address, changed_at, valid_from, valid_to }) => {
      const days = [valid_from, valid_to].filter((day) => day !== null && day <= at) as number[];
      return { chain, address, at: Math.max(changed_at, ...days) };
    });
  }

  /** Returns those of an address on a chain, for answers. */
  shownOf(chain: Chain, address: string): ClaimedLabel[] {
    return this.rowsOf(chain, address).map(claimedLabel);
  }

  /** Graph keys of all addresses of which the account says something. */
  keys(): string[] {
    const rows = [...this.shown.values()].flat();
    return [...new Set(rows.flatMap(({ chain, address }) => keysOf(chain, address)))];
  }

  /** The field that an answer about an address gets; none where the account says nothing of it. */
  fieldOf(chain: Chain, address: string): { own_labels?: ClaimedLabel[] } {
    const labels = this.shownOf(chain, address);
    return labels.length > 0 ? { own_labels: labels } : {};
  }

  /**
   * Returns public labels, best first, with all that the account says itself: what levels rest on before them, or behind them where
   * a public one is adverse, and what is only shown last.
   */
  stated(chain: Chain, address: string, labels: readonly Label[]): StatedLabel[] {
    const own = this.rowsOf(chain, address).map((row) => ({ ...ownLabel(row), claimed: claimedLabel(row) }));
    const [counting, shown] = [true, false].map((counts) =>
      orderLabels(
        own.filter(({ claimed }) => claimed.use_for_levels === counts),
        this.at,
      ),
    );
    return hasAdverse(labels, this.at) ? [...labels, ...counting!, ...shown!] : [...counting!, ...labels, ...shown!];
  }

  /** Returns public labels, best first, with the account's own before them; behind those where a public one is adverse. */
  beside(chain: Chain, address: string, labels: Label[]): Label[] {
    const own = this.heldOn(chain, address);
    if (own.length === 0) return labels;
    const valid = own.filter((label) => isValidAt(label, this.at));
    const ended = own.filter((label) => !isValidAt(label, this.at));
    return hasAdverse(labels, this.at) ? [...labels, ...own] : [...valid, ...labels, ...ended];
  }

  /** Returns what is known of an address (key) for a trace: an adverse category of its node stays. */
  onNode(key: string, label: AddressLabel): AddressLabel {
    if (this.forLevels.size === 0) return label;
    const { chain, address } = parseAddressKey(key);
    const own = this.heldOn(chain, address);
    if (own.length === 0 || isAdverseCategory(label.category)) return label;
    const { category, label: name } = nodeLabelOf(own, this.at);
    return category === null ? label : { ...label, category: category as Category, label: name };
  }

  /** Returns public labels with the account's own beside them. */
  over({ find }: LabelsOfParties): LabelsOfParties {
    if (this.forLevels.size === 0) return { find };
    return { find: async (chain, addresses) => this.merged(chain, addresses, await find(chain, addresses)) };
  }

  /** The store as the account's levels see it. */
  overStore(store: LabelStore): LabelStore {
    if (this.changes.length === 0) return store;
    return {
      ...store,
      ...this.over(store),
      findWithSisters: async (chain, addresses) => {
        const { own, sisters } = await store.findWithSisters(chain, addresses);
        return { own: this.merged(chain, addresses, own), sisters };
      },
      changedSince: async (chain, since, among) => {
        const changed = await store.changedSince(chain, since, among);
        const isAsked = among && new Set(among);
        for (const { chain: on, address, at } of this.changes) {
          if (at >= since && counts(on, chain) && (isAsked?.has(address) ?? true)) changed.add(address);
        }
        return changed;
      },
      changes: async (since, limit) => {
        const changed = await store.changes(since, limit);
        return [...changed, ...this.changes.filter(({ at }) => at >= since)].slice(0, limit);
      },
      newestChange: async (chain) => {
        const own = this.changes.filter((one) => counts(one.chain, chain)).map(({ at }) => at);
        return Math.max(await store.newestChange(chain), ...own);
      },
    };
  }

  /** True where a label for levels is of one of these addresses. */
  isAbout(addresses: ReadonlySet<string>): boolean {
    return [...this.forLevels.keys()].some((address) => addresses.has(address));
  }

  private rowsOf(chain: Chain, address: string): OwnLabelRow[] {
    return (this.shown.get(address) ?? []).filter(
      (row) => row.chain === chain || (row.chain === 'evm' && isEvmChain(chain)),
    );
  }

  private merged(
    chain: Chain,
    addresses: readonly string[],
    found: ReadonlyMap<string, Label[]>,
  ): Map<string, Label[]> {
    const merged = new Map(found);
    for (const address of this.forLevels.size > 0 ? addresses : []) {
      const labels = this.beside(chain, address, found.get(address) ?? []);
      if (labels.length > 0) merged.set(address, labels);
    }
    return merged;
  }

  private heldOn(chain: Chain, address: string): Label[] {
    const own = this.forLevels.get(address);
    return own ? orderLabels(labelsHeldOn(chain, own, this.at), this.at) : [];
  }
}

/** Labels of callers without an account. */
export const NO_OWN_LABELS = new OwnLabels([], 0);

interface Opened {
  records: Records;
  now: () => number;
}

/** All labels of an account's own, or those of some addresses, for answers; null is without any. */
export async function openOwnLabels(
  { records, now }: Opened,
  accountId: string | null,
  addresses?: readonly string[],
): Promise<OwnLabels> {
  if (accountId === null) return NO_OWN_LABELS;
  return new OwnLabels(await allOwnLabels(records, accountId, addresses), now());
}

/** The same of those that levels rest on; they do not say why. */
export async function openLevelLabels(
  { records, now }: Opened,
  accountId: string | null,
  addresses?: readonly string[],
): Promise<OwnLabels> {
  if (accountId === null) return NO_OWN_LABELS;
  const rows = await levelOwnLabels(records, accountId, addresses);
  return rows.length === 0 ? NO_OWN_LABELS : new OwnLabels(rows, now());
}

/** Returns a label of the account's own in the form of those of lists; its source says who wrote it. */
export function ownLabel(row: OwnLabelRow): Label {
  return {
    chain: row.chain,
    address: row.address,
    category: row.category,
    label: row.label,
    source: ownSource(row.author),
    confidence: row.confidence,
    entity: null,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    maliciousContract: false,
  };
}

/** Returns a label as answers show it. */
export function claimedLabel(row: OwnLabelRow): ClaimedLabel {
  return {
    id: row.id,
    label: row.label,
    category: row.category,
    basis: 'claimed',
    confidence: row.confidence,
    reason: row.reason,
    valid_from: isoOrNull(row.valid_from),
    valid_to: isoOrNull(row.valid_to),
    use_for_levels: row.use_for_levels === 1,
    author: row.author,
    created_at: iso(row.created_at),
  };
}

function keysOf(chain: LabelChain, address: string): string[] {
  const chains = chain === 'evm' ? CHAINS.filter(isEvmChain) : [chain].filter(isChain);
  return chains.map((one) => addressKey(one, address));
}

function isForLevels({ use_for_levels }: OwnLabelRow): boolean {
  return use_for_levels === 1;
}

function hasAdverse(labels: readonly Label[], at: number): boolean {
  return labels.some((label) => isAdverseCategory(label.category) && isValidAt(label, at));
}

/** True where a label on one chain may hold on another: adverse ones of EVM wallets hold on all EVM chains. */
function counts(on: LabelChain, chain: Chain): boolean {
  return on === chain || (isEvmChain(chain) && (on === 'evm' || (isChain(on) && isEvmChain(on))));
}
