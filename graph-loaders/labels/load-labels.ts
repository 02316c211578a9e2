import { chainFamily, EVM_CHAINS, isChain, isEvmChain, type LabelChain } from '../../src/domain/chain.ts';
import type { Label } from '../../src/domain/label.ts';
import { SCAM_CATEGORIES } from '../../src/domain/scam.ts';
import { dayOf } from '../../src/domain/time.ts';
import { InvalidInputError } from '../../src/errors.ts';
import { chainStats } from '../../src/graph/queries/stats.ts';
import { findListDay, saveListDay } from '../../src/labels/label-lists.ts';
import { chainsOf, openLabelStore } from '../../src/labels/label-store.ts';
import { updateNodes } from '../../src/labels/node-labels.ts';
import { type Endings, endedSince, type LabelledAddress, type ListDay } from '../../src/labels/put-labels.ts';
import { inTransaction, type Records } from '../../src/records/database/database.ts';
import { endScamDomains, saveScamDomains } from '../../src/records/scamdb/domains.ts';
import { addScamEntries, refreshScamEntries } from '../../src/records/scamdb/write-entries.ts';
import { inBatches } from '../reading/batches.ts';
import type { LabelLoader, ListedLabel, Stores, Work } from '../reading/loader.ts';
import type { Tally } from '../reading/tally.ts';

/** Each batch holds the turn and the record store while it is written, and costs a write of the pages it touches. */
const BATCH = { beside: 1_000, alone: 10_000 };

export interface LabelLoadOptions {
  endings: Endings;
  /** The day of the list, epoch ms; absent for the moment of the load. */
  asOf?: number;
  /** Label sources of its rows. */
  sources: ReadonlySet<string>;
  /** When a load that is repeated began first, epoch ms. */
  startedAt?: number;
  isAlone: boolean;
  onRows: () => void;
}

/** A list that names more of what the graph knows is likely not what it says. */
const MANY_HITS = { share: 0.1, of: 100 };

interface HeldList extends ListDay {
  /** Live statements before the load. */
  before: number;
}

/**
 * Stores a source's labels, then ends what a whole list no longer holds, and brings each change to the graph's nodes and
 * to the scam database. Throws InvalidInputError for a list that is older than the loaded one.
 */
export async function loadLabels(
  loader: LabelLoader,
  work: Work,
  stores: Stores,
  options: LabelLoadOptions,
): Promise<void> {
  const { labels, records, now } = stores;
  const { startedAt } = options;
  const isWhole = isWholeList(loader, work);
  if (options.asOf !== undefined && !isWhole) {
    throw new InvalidInputError('--as-of is the day of a whole list, and this input only adds labels');
  }
  const stamp = await labels.beginLoad();
  const asOf = options.asOf ?? work.now;
  const held = new Map<string, HeldList>();
  const speakFor = async (source: string) => {
    if (held.has(source)) return;
    const previous = await findListDay(records, source);
    // What is repeated gives way to a list of the same day that came after it.
    const isOlder = previous !== null && (startedAt === undefined ? dayOf(asOf) < dayOf(previous) : asOf < previous);
    if (isWhole && previous !== null && isOlder) {
      throw new InvalidInputError(`A newer list of ${source} is loaded, of ${dayOf(previous)}: this one is not used`);
    }
    held.set(source, { asOf, previous, before: await labels.countLive(source) });
  };
  for (const source of [...(loader.speaksFor?.(work) ?? []), ...options.sources]) await speakFor(source);
  const named = new Set<LabelChain>();
  let hits = 0;
  const size = options.isAlone ? BATCH.alone : BATCH.beside;
  for await (const batch of inBatches<ListedLabel>(loader.read(work), size)) {
    const changed = await inTransaction(records, async (transaction) => {
      const changed = await openLabelStore(transaction, now).put(batch, {
        stamp,
        list: loader.isList,
        listDay: (source) => held.get(source),
      });
      await listScamLabels(transaction, batch, { stamp, now: now() });
      return changed;
    });
    // The graph may lack what a load wrote before it was cut off.
    hits += await updateNodes(stores, startedAt === undefined ? changed : batch, batch);
    for (const { chain } of batch) named.add(chain);
    options.onRows();
    work.signal?.throwIfAborted();
  }
  if (hits > 0) await reportHits(stores, work.tally, { hits, named });
  if (!isWhole && options.endings !== 'end') return;
  for (const [source, { before }] of held) {
    const { endings } = options;
    const { ended, lost, kept } = await labels.endAbsent(source, { stamp, before, endings, asOf });
    // More than a tenth is gone and nothing says what becomes of it: the list keeps its older day too.
    if (kept) {
      const share = `${lost} of ${before} labels of ${source} are not in the newer list`;
      if (endings === 'keep') work.tally.note(0, `${share} and are kept.`);
      else work.tally.wait(`${share}, more than a tenth: they wait for --replace, which ends them, or --keep.`);
    }
    const endedBefore = startedAt === undefined ? [] : await endedSince(records, source, startedAt);
    await updateNodes(stores, [...ended, ...endedBefore]);
    await delistScams(stores, source, ended, { stamp, kept });
    if (isWhole && !(kept && endings === 'wait')) await saveListDay(records, source, asOf);
  }
}

/** True for a list that says all of its sources: what it lacks is no longer on it. */
export function isWholeList(loader: LabelLoader, work: Work): boolean {
  return loader.isList && loader.speaksFor?.(work).length !== 0;
}

/** Counts which part of the graph's addresses on the chains of the list it names. */
async function reportHits(
  { graph }: Stores,
  tally: Tally,
  { hits, named }: { hits: number; named: ReadonlySet<LabelChain> },
): Promise<void> {
  // A label of one EVM chain may hold on all of them.
  const chains = new Set([...named].flatMap(chainsOf).flatMap((chain) => (isEvmChain(chain) ? EVM_CHAINS : [chain])));
  const of = (await chainStats(graph))
    .filter(({ chain }) => isChain(chain) && chains.has(chain))
    .reduce((sum, { addresses }) => sum + addresses, 0);
  const addresses = Math.min(hits, of);
  tally.inGraph = { addresses, of };
  if (of < MANY_HITS.of || addresses < MANY_HITS.share * of) return;
  const share = `${((100 * addresses) / of).toFixed(0)} %`;
  tally.note(
    0,
    `It names ${share} of the ${of} addresses that the graph holds on its chains: check that it is the list you meant.`,
  );
}

/**
 * Makes a list's scams entries of the scam database, in the transaction that stores their labels; labels that did not
 * change too, so that nothing stays undone.
 */
async function listScamLabels(
  transaction: Records,
  batch: readonly ListedLabel[],
  { stamp, now }: { stamp: number; now: number },
): Promise<void> {
  const scams = batch.filter(isScam);
  const domains = scams.flatMap(({ chain, address, source, domains }) =>
    (domains ?? []).map((domain) => ({ domain, family: chainFamily(chain), address, source })),
  );
  await saveScamDomains(transaction, domains, stamp);
  await addScamEntries(transaction, scams, now);
}

/** Takes from the scam database what a list ended, and the domains that it no longer names. */
async function delistScams(
  { records, now }: Stores,
  source: string,
  ended: readonly LabelledAddress[],
  { stamp, kept }: { stamp: number; kept: boolean },
): Promise<void> {
  const at = now();
  const lostDomain = kept ? [] : await endScamDomains(records, source, { stamp, now: at });
  await refreshScamEntries(records, [...ended, ...lostDomain], at);
}

function isScam(label: Label): boolean {
  return SCAM_CATEGORIES.includes(label.category) || label.maliciousContract;
}
