import { ConflictError, NotFoundError } from '../../errors.ts';
import { type Records, readInChunks } from '../database/database.ts';
import type { LabelSigner, SignedLabelRow } from '../database/tables/lists.ts';

/** Confidence in a signer whose labels are being ended; that of others is 1 or more. */
const NO_TRUST = 0;

export function listSigners(records: Records): Promise<LabelSigner[]> {
  return records.selectFrom('label_signers').selectAll().orderBy('trusted_at').orderBy('did').execute();
}

export function findSigner(records: Records, did: string): Promise<LabelSigner | undefined> {
  return records.selectFrom('label_signers').selectAll().where('did', '=', did).executeTakeFirst();
}

/**
 * Has other loads of the signer wait until the transaction ends. Throws NotFoundError for one that is not trusted, or no longer
 * (`endTrust`).
 */
export async function lockSigner(records: Records, did: string): Promise<void> {
  const { numUpdatedRows } = await records
    .updateTable('label_signers')
    .set((e) => ({ name: e.ref('name') }))
    .where('did', '=', did)
    .where('confidence', '>', NO_TRUST)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new NotFoundError(`Not trusted: ${did}`);
}

/** Refuses loads of a signer from now on, which stays until all that it said has ended. */
export async function endTrust(records: Records, did: string): Promise<void> {
  await records.updateTable('label_signers').set({ confidence: NO_TRUST }).where('did', '=', did).execute();
}

/** Trusts a signer from now on, or with another confidence; the name stays. Throws ConflictError for the name of another. */
export async function saveSigner(records: Records, signer: LabelSigner): Promise<LabelSigner> {
  const namesake = await records
    .selectFrom('label_signers')
    .select('did')
    .where('name', '=', signer.name)
    .executeTakeFirst();
  if (namesake && namesake.did !== signer.did) throw new ConflictError(`${signer.name} is the name of ${namesake.did}`);
  return records
    .insertInto('label_signers')
    .values(signer)
    .onConflict((conflict) => conflict.column('did').doUpdateSet({ confidence: signer.confidence }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Forgets a signer whose trust has ended, and when it spoke of what; one that is trusted again stays. */
export async function deleteSigner(records: Records, did: string): Promise<void> {
  await records.deleteFrom('label_signers').where('did', '=', did).where('confidence', '=', NO_TRUST).execute();
}

/** When a signer spoke last of these addresses. */
export function findSpoken(records: Records, did: string, uris: readonly string[]): Promise<SignedLabelRow[]> {
  return readInChunks(uris, (chunk) =>
    records.selectFrom('signed_labels').selectAll().where('did', '=', did).where('uri', 'in', chunk).execute(),
  );
}

export async function saveSpoken(records: Records, row: SignedLabelRow): Promise<void> {
  await records
    .insertInto('signed_labels')
    .values(row)
    .onConflict((conflict) => conflict.columns(['did', 'uri', 'val']).doUpdateSet({ cts: row.cts }))
    .execute();
}
