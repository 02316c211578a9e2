import { dayOf } from '../../src/domain/time.ts';
import { InvalidInputError } from '../../src/errors.ts';
import { findListDay, saveListDay } from '../../src/labels/label-lists.ts';
import { openLabelStore } from '../../src/labels/label-store.ts';
import type { Endings, ListDay } from '../../src/labels/put-labels.ts';
import { updateNodes } from '../../src/labels/update-nodes.ts';
import { inTransaction } from '../../src/records/database/database.ts';
import { inBatches } from '../reading/batches.ts';
import type { LabelLoader, ListedLabel, Stores, Work } from '../reading/loader.ts';
import { delistScams, listScamLabels } from './scams.ts';

/** Each batch holds the turn and the record store while it is written, and costs a write of the pages it touches. */
const BATCH = { beside: 1_000, alone: 10_000 };

export interface LabelLoadOptions {
  endings: Endings;
  /** The day of the list, epoch ms; left out for the moment of the load. */
  asOf?: number;
  isAlone: boolean;
  onRows: () => void;
}

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
  const spokenFor = loader.speaksFor?.(work);
  const isWhole = loader.isList && spokenFor?.length !== 0;
  if (options.asOf !== undefined && !isWhole) {
    throw new InvalidInputError('--as-of is the day of a whole list, and this input only adds labels');
  }
  const stamp = await labels.beginLoad();
  const asOf = options.asOf ?? now();
  const held = new Map<string, HeldList>();
  const speakFor = async (source: string) => {
    if (held.has(source)) return;
    const previous = await findListDay(records, source);
    if (isWhole && previous !== null && dayOf(asOf) < dayOf(previous)) {
      throw new InvalidInputError(`A newer list of ${source} is loaded, of ${dayOf(previous)}: this one is not used`);
    }
    held.set(source, { asOf, previous, before: await labels.countLive(source) });
  };
  for (const source of spokenFor ?? []) await speakFor(source);
  const size = options.isAlone ? BATCH.alone : BATCH.beside;
  for await (const batch of inBatches<ListedLabel>(loader.read(work), size)) {
    for (const source of new Set(batch.map((label) => label.source))) await speakFor(source);
    const changed = await inTransaction(records, async (transaction) => {
      const changed = await openLabelStore(transaction, now).put(batch, {
        stamp,
        list: loader.isList,
        listDay: (source) => held.get(source),
      });
      await listScamLabels(transaction, batch, { stamp, now: now() });
      return changed;
    });
    await updateNodes(stores, changed);
    options.onRows();
    work.signal?.throwIfAborted();
  }
  if (!isWhole && options.endings !== 'end') return;
  for (const [source, { before }] of held) {
    const { endings } = options;
    const { ended, lost, kept } = await labels.endAbsent(source, { stamp, before, endings, asOf });
    // More than a tenth is gone and nothing says what becomes of it: the list keeps its older day too.
    if (kept) {
      const share = `${lost} of ${before} labels of ${source} are not in the newer list`;
      if (endings === 'keep') work.tally.note(0, `${share} and are kept.`);
      else
        work.tally.wait(
          `${share}, more than a tenth: they wait. Load it with --replace to end or --keep to keep them.`,
        );
    }
    await updateNodes(stores, ended);
    await delistScams(stores, source, ended, { stamp, kept });
    if (isWhole && !(kept && endings === 'wait')) await saveListDay(records, source, asOf);
  }
}
