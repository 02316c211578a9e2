import { EVM_CHAINS } from '../../domain/chain.ts';
import { ADVERSE_CATEGORIES } from '../../domain/label.ts';
import type { Records } from '../database/database.ts';
import type { TransferPartyRow } from '../database/tables/transfers.ts';

export async function watchParties(records: Records, parties: readonly TransferPartyRow[]): Promise<void> {
  if (parties.length > 0)
    await records
      .insertInto('transfer_parties')
      .values([...parties])
      .execute();
}

/**
 * Watched counterparties with an adverse label in force on a chain where it may count, by transfer and address behind
 * `after`; at most `limit`.
 */
export function adverseParties(
  records: Records,
  now: number,
  { after, limit }: { after: TransferPartyRow | undefined; limit: number },
): Promise<TransferPartyRow[]> {
  return records
    .selectFrom('transfer_parties')
    .selectAll()
    .where('watched_until', '>', now)
    .$if(after !== undefined, (rows) =>
      rows.where((e) =>
        e.or([
          e('transfer_id', '>', after!.transfer_id),
          e.and([e('transfer_id', '=', after!.transfer_id), e('address', '>', after!.address)]),
        ]),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('labels')
          .select('labels.address')
          .whereRef('labels.address', '=', 'transfer_parties.address')
          .where((e) => e.or([e('labels.category', 'in', ADVERSE_CATEGORIES), e('labels.malicious_contract', '=', 1)]))
          .where((e) => e.or([e('labels.valid_to', 'is', null), e('labels.valid_to', '>', now)]))
          .where((e) =>
            e.or([
              e('labels.chain', '=', e.ref('transfer_parties.chain')),
              // Of one key on several EVM chains; the store decides what holds.
              e.and([e('labels.chain', 'in', [...EVM_CHAINS, 'evm']), e('transfer_parties.chain', 'in', EVM_CHAINS)]),
            ]),
          ),
      ),
    )
    .orderBy('transfer_id')
    .orderBy('address')
    .limit(limit)
    .execute();
}

/** Keeps the adverse statements that are known now; false where another process has kept others meanwhile. */
export async function keepAdverse(records: Records, party: TransferPartyRow, adverse: string): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('transfer_parties')
    .set({ adverse })
    .where('transfer_id', '=', party.transfer_id)
    .where('address', '=', party.address)
    .where('adverse', '=', party.adverse)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function forgetParties(records: Records, now: number): Promise<void> {
  await records.deleteFrom('transfer_parties').where('watched_until', '<=', now).execute();
}
