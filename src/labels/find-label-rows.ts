import type { CompiledQuery, Selectable } from 'kysely';
import type { Chain } from '../domain/chain.ts';
import type { Label } from '../domain/label.ts';
import type { Records } from '../records/database.ts';
import type { LabelsTable } from '../records/tables.ts';

type LabelRow = Selectable<LabelsTable>;

/** Addresses per statement; the last one is filled up, so that few texts are ever compiled. */
const SIZES = [1, 4, 16, 64, 500] as const;

const compiled = new WeakMap<Records, Map<string, CompiledQuery>>();

/** All rows of the addresses under any of the chains, or with null under every chain. */
export async function findLabelRows(
  records: Records,
  chains: readonly (Chain | 'evm')[] | null,
  addresses: readonly string[],
): Promise<Label[]> {
  const wanted = [...new Set(addresses)];
  const found: Label[] = [];
  for (let start = 0; start < wanted.length; ) {
    const size = SIZES.find((one) => wanted.length - start <= one) ?? 500;
    const chunk = wanted.slice(start, start + size);
    while (chunk.length < size) chunk.push(chunk[0]!);
    const query = { ...statement(records, chains?.length ?? 0, size), parameters: [...chunk, ...(chains ?? [])] };
    for (const row of (await records.executeQuery<LabelRow>(query as CompiledQuery<LabelRow>)).rows)
      found.push(toLabel(row));
    start += size;
  }
  return found;
}

function toLabel(row: LabelRow): Label {
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
  };
}

/** Compiling costs more than the look-up itself. */
function statement(records: Records, chainCount: number, size: number): CompiledQuery {
  if (!compiled.has(records)) compiled.set(records, new Map());
  const known = compiled.get(records)!;
  const key = `${chainCount}:${size}`;
  let query = known.get(key);
  if (!query) {
    query = records
      .selectFrom('labels')
      .selectAll()
      .where('address', 'in', Array<string>(size).fill(''))
      .$if(chainCount > 0, (all) => all.where('chain', 'in', Array<Chain>(chainCount).fill('bitcoin')))
      .compile();
    known.set(key, query);
  }
  return query;
}
