import type { Endings } from '../src/labels/put-labels.ts';
import {
  beginDomainLoad,
  countLoneDomains,
  endLoneDomains,
  saveLoneDomains,
} from '../src/records/scamdb/lone-domains.ts';
import { inBatches } from './reading/batches.ts';
import type { DomainLoader, ListedDomain, Stores, Work } from './reading/loader.ts';

const BATCH = 1_000;

/** Stores the domains of lists, then ends what each list no longer holds, as with labels: not more than a tenth without a word. */
export async function loadDomains(
  loader: DomainLoader,
  work: Work,
  { records, now }: Stores,
  { endings, onRows }: { endings: Endings; onRows: () => void },
): Promise<void> {
  const stamp = await beginDomainLoad(records, now());
  const before = new Map<string, number>();
  for await (const batch of inBatches<ListedDomain>(loader.read(work), BATCH)) {
    for (const { source } of batch)
      if (!before.has(source)) before.set(source, await countLoneDomains(records, source));
    await saveLoneDomains(records, batch, stamp);
    onRows();
    work.signal?.throwIfAborted();
  }
  for (const [source, held] of before) {
    const lost = await countLoneDomains(records, source, stamp);
    const isKept = lost > 0 && (endings === 'keep' || (endings === 'wait' && lost * 10 > held));
    const share = `${lost} of ${held} domains of ${source} are not in the newer list`;
    if (!isKept) await endLoneDomains(records, source, { stamp, now: now() });
    else if (endings === 'keep') work.tally.note(0, `${share} and are kept.`);
    else work.tally.wait(`${share}, more than a tenth: they wait for --replace, which ends them, or --keep.`);
  }
}
