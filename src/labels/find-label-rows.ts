import type { LabelChain } from '../domain/chain.ts';
import type { Label } from '../domain/label.ts';
import { type Records, readerOf, readInChunks } from '../records/database/database.ts';
import type { LabelRow } from '../records/database/tables/lists.ts';

/** All rows of the addresses under any of the chains, or with null under every chain. */
export async function findLabelRows(
  records: Records,
  chains: readonly LabelChain[] | null,
  addresses: readonly string[],
): Promise<LabelRow[]> {
  const reader = readerOf(records);
  return readInChunks(addresses, (chunk) =>
    reader
      .selectFrom('labels')
      .selectAll()
      .where('address', 'in', chunk)
      .$if(chains !== null, (all) => all.where('chain', 'in', chains!))
      .execute(),
  );
}

export function toLabel(row: LabelRow): Label {
  return {
    chain: row.chain,
    address: row.address,
    category: row.category,
    label: row.label,
    source: row.source,
    confidence: row.confidence,
    entity: row.entity,
    validFrom: row.valid_from === 0 ? null : row.valid_from,
    validTo: row.valid_to,
    maliciousContract: row.malicious_contract === 1,
    ...(row.programme && { programme: row.programme }),
  };
}
