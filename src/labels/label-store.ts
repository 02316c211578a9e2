import { type Chain, EVM_CHAINS, isEvmChain, isSisterChain, type LabelChain, sisterChainsOf } from '../domain/chain.ts';
import { coinJoinLabel, isCoinJoin } from '../domain/coinjoin/transaction.ts';
import { groupBy } from '../domain/group-by.ts';
import { ADVERSE_CATEGORIES, type Label, labelsHeldOn } from '../domain/label.ts';
import type { Records } from '../records/database/database.ts';
import type { LabelRow } from '../records/database/tables/lists.ts';
import { findLabelRows, toLabel } from './find-label-rows.ts';
import { countLabelChanges } from './label-changes.ts';
import { dateCopiedSanctions, type LabelLists, openLabelLists } from './label-lists.ts';
import { searchLabels } from './label-names.ts';
import { orderLabels } from './label-order.ts';
import {
  countLive,
  type EndAbsentOptions,
  type Ended,
  endAbsent,
  type LabelledAddress,
  type PutOptions,
  putLabels,
} from './put-labels.ts';

interface LabelsWithSisters {
  own: Map<string, Label[]>;
  /** Labels of sister chains by address, in no order. */
  sisters: Map<string, Label[]>;
}

export interface LabelStore extends LabelLists {
  /**
   * Every label of each address on the chain (delisted ones too), best first; addresses without one are absent. A
   * CoinJoin transaction bears the label that its shape gives it.
   */
  find(chain: Chain, addresses: readonly string[]): Promise<Map<string, Label[]>>;
  /** Returns what `find` does, and from the same read the labels on chains where the same key holds the address. */
  findWithSisters(chain: Chain, addresses: readonly string[]): Promise<LabelsWithSisters>;
  /** Every label of each address whatever its chain, in no order. */
  findOnAllChains(addresses: readonly string[]): Promise<Map<string, Label[]>>;
  /**
   * Addresses with a label in force whose name, entity or list holds each word of the query, closest names first; at most
   * `limit`, and whether there may be more. A word of three characters at least is needed.
   */
  search(query: string, limit: number): Promise<{ found: Label[]; truncated: boolean }>;
  /** How often labels were changed, by whichever process: while it stays the same, so do they. */
  countChanges(): Promise<number>;
  /**
   * Addresses of the chain of which a label came, went, changed, began or ended at or after `since` (epoch ms).
   * With `among`, only those are looked at.
   */
  changedSince(chain: Chain, since: number, among?: readonly string[]): Promise<Set<string>>;
  /** Labels of any chain that came, went, changed, began or ended at or after `since` (epoch ms), with when; at most `limit`, in no order. */
  changes(since: number, limit: number): Promise<(LabelledAddress & { at: number })[]>;
  /** Epoch ms at which a label that counts on the chain came, went, changed, began or ended last; 0 without labels. */
  newestChange(chain: Chain): Promise<number>;
  /** Returns true where any label is held. */
  hasAny(): Promise<boolean>;
  /** A stamp for one load, greater than that of every earlier load: what it does not see is older. */
  beginLoad(): Promise<number>;
  /** Adds and updates in one transaction, the caller's if it has one; returns the addresses whose labels are other than before. */
  put(labels: readonly Label[], options: PutOptions): Promise<LabelledAddress[]>;
  /** Live statements of a source: an address counts once per category. */
  countLive(source: string): Promise<number>;
  /** Ends what the load did not see of a source, as `endings` says. */
  endAbsent(source: string, options: EndAbsentOptions): Promise<Ended>;
}

/** Labels in the record store. What another process writes is seen by the next look-up: nothing is held in memory. */
export function openLabelStore(records: Records, now: () => number): LabelStore {
  return {
    find: async (chain, addresses) => {
      const at = now();
      const found = byAddress(await findLabelRows(records, labelChains(chain), addresses));
      for (const address of addresses) if (isCoinJoin(address)) found.set(address, [coinJoinLabel(address)]);
      return inOrder(withSameKey(chain, found, at), at);
    },
    findWithSisters: async (chain, addresses) => {
      const at = now();
      const found = byAddress(
        await findLabelRows(records, [...labelChains(chain), ...sisterChainsOf(chain)], addresses),
      );
      const own = withSameKey(chain, found, at);
      const sisters = new Map(
        [...found].map(([address, all]) => [address, all.filter((one) => !own.get(address)?.includes(one))]),
      );
      return { own: inOrder(own, at), sisters: new Map([...sisters].filter(([, labels]) => labels.length > 0)) };
    },
    findOnAllChains: async (addresses) => byAddress(await findLabelRows(records, null, addresses)),
    search: (query, limit) => searchLabels(records, query, { limit, at: now() }),
    countChanges: () => countLabelChanges(records),
    changedSince: async (chain, since, among) => {
      const at = now();
      const rows = await records
        .selectFrom('labels')
        .select('address')
        .distinct()
        .where((e) =>
          e.or([
            e('chain', 'in', isEvmChain(chain) ? [chain, 'evm'] : [chain]),
            e.and([e('chain', 'in', labelChains(chain)), e('category', 'in', ADVERSE_CATEGORIES)]),
          ]),
        )
        .where((e) =>
          e.or([
            e('changed_at', '>=', since),
            e.and([e('valid_from', '>=', since), e('valid_from', '<=', at)]),
            e.and([e('valid_to', '>=', since), e('valid_to', '<=', at)]),
          ]),
        )
        .$if(among !== undefined && among.length <= 500, (query) => query.where('address', 'in', [...among!]))
        .execute();
      const changed = new Set(rows.map((row) => row.address));
      return among ? new Set(among.filter((address) => changed.has(address))) : changed;
    },
    changes: async (since, limit) => {
      const until = now();
      const isLater = (moment: number | null) => moment !== null && moment >= since && moment <= until;
      const rows = await records
        .selectFrom('labels')
        .select(['chain', 'address', 'changed_at', 'valid_from', 'valid_to'])
        .where((e) =>
          e.or([
            e('changed_at', '>=', since),
            e.and([e('valid_from', '>=', since), e('valid_from', '<=', until)]),
            e.and([e('valid_to', '>=', since), e('valid_to', '<=', until)]),
          ]),
        )
        .limit(limit)
        .execute();
      return rows.map(({ chain, address, changed_at, ...validity }) => ({
        chain,
        address,
        at: Math.max(changed_at, ...[validity.valid_from, validity.valid_to].filter(isLater).map(Number)),
      }));
    },
    newestChange: async (chain) => {
      const moments = await Promise.all(
        (['changed_at', 'valid_from', 'valid_to'] as const).map((moment) =>
          records
            .selectFrom('labels')
            .select(`${moment} as at`)
            .where('chain', 'in', labelChains(chain))
            .where(moment, '<=', moment === 'changed_at' ? Number.MAX_SAFE_INTEGER : now())
            .orderBy(moment, 'desc')
            .limit(1)
            .executeTakeFirst(),
        ),
      );
      return Math.max(0, ...moments.map((row) => row?.at ?? 0));
    },
    ...openLabelLists(records, now),
    hasAny: async () =>
      (await records.selectFrom('labels').select('address').limit(1).executeTakeFirst()) !== undefined,
    beginLoad: async () => {
      const row = await records
        .selectFrom('labels')
        .select((e) => e.fn.max('loaded_at').as('last'))
        .executeTakeFirst();
      return Math.max(now(), Number(row?.last ?? 0) + 1);
    },
    put: (labels, options) => putLabels(records, labels, options, now()),
    countLive: (source) => countLive(records, source),
    endAbsent: (source, options) => endAbsent(records, source, options, now()),
  };
}

/** The chains on which a label's node stands: every EVM chain for `evm`, none for a sister chain. */
export function chainsOf(labelChain: LabelChain): readonly Chain[] {
  if (isSisterChain(labelChain)) return [];
  return labelChain === 'evm' ? EVM_CHAINS : [labelChain];
}

function byAddress(rows: LabelRow[]): Map<string, Label[]> {
  const found = groupBy(rows.map(toLabel), (label) => label.address);
  for (const [address, known] of found) if (known.length > 1) found.set(address, dateCopiedSanctions(known));
  return found;
}

function inOrder(found: Map<string, Label[]>, at: number): Map<string, Label[]> {
  for (const [address, labels] of found) if (labels.length > 1) found.set(address, orderLabels(labels, at));
  return found;
}

/** Returns where a label may be that holds on the chain. */
function labelChains(chain: Chain): LabelChain[] {
  return isEvmChain(chain) ? [...EVM_CHAINS, 'evm'] : [chain];
}

/** Keeps by address the labels that hold on the chain. */
function withSameKey(chain: Chain, found: ReadonlyMap<string, Label[]>, at: number): Map<string, Label[]> {
  const held = [...found].map(([address, labels]) => [address, labelsHeldOn(chain, labels, at)] as const);
  return new Map(held.filter(([, labels]) => labels.length > 0));
}
