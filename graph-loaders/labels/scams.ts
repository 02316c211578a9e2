import { chainFamily } from '../../src/domain/chain.ts';
import type { Label } from '../../src/domain/label.ts';
import { SCAM_CATEGORIES } from '../../src/domain/scam.ts';
import type { LabelledAddress } from '../../src/labels/put-labels.ts';
import type { Records } from '../../src/records/database/database.ts';
import { addScamEntries } from '../../src/records/scamdb/additions.ts';
import { endScamDomains, saveScamDomains } from '../../src/records/scamdb/domains.ts';
import { refreshScamEntries } from '../../src/records/scamdb/refresh.ts';
import type { ListedLabel, Stores } from '../reading/loader.ts';

/**
 * Makes a list's scams entries of the scam database, in the transaction that stores their labels; labels that did not
 * change too, so that nothing stays undone.
 */
export async function listScamLabels(
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
export async function delistScams(
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
