import type { Chain } from '../domain/chain.ts';
import { familyOfChain, type ScamType, scamTypeOf } from '../domain/scam.ts';
import type { Records } from './database.ts';

/** What one source says of one address. */
export interface ScamStatement {
  /** A label's source, or `report:<id>`. */
  source: string;
  chain: Chain | 'evm';
  type: ScamType;
  /** How it was done, in the source's words. */
  method: string;
  stolenUsd: number;
  /** Who lost it; null where the source is a list. */
  accountId: string | null;
  live: boolean;
  /** Why it is named, or named no more. */
  reason: string | null;
}

/**
 * Label sources whose scam rows are entries of the public database. The operator's own rows (`labels`) are not
 * published; the demo world has a list of its own.
 */
const LISTS = ['scamsniffer', 'darklist', 'eth-labels', 'forta', 'tagpack', 'demo'];

/** What lists and decided reports say of the addresses, and their live domains, by `<family> <address>`. */
export async function findScamStatements(
  records: Records,
  addresses: readonly string[],
  now: number,
): Promise<{ statements: Map<string, ScamStatement[]>; domains: Map<string, string[]> }> {
  const statements = new Map<string, ScamStatement[]>();
  const add = (family: string, address: string, statement: ScamStatement) => {
    const key = `${family} ${address}`;
    const known = statements.get(key);
    if (known) known.push(statement);
    else statements.set(key, [statement]);
  };
  const labels = await records
    .selectFrom('labels')
    .selectAll()
    .where('address', 'in', addresses)
    .where((e) => e.or([e('category', 'in', ['scam', 'drainer']), e('malicious_contract', '=', 1)]))
    .orderBy('source')
    .orderBy('label')
    .execute();
  for (const row of labels) {
    if (!LISTS.includes(row.source.split(':', 1)[0]!)) continue;
    const live = row.valid_from <= now && (row.valid_to === null || row.valid_to > now);
    const type = scamTypeOf({ ...row, maliciousContract: row.malicious_contract === 1 });
    add(familyOfChain(row.chain), row.address, {
      source: row.source,
      chain: row.chain,
      type,
      method: row.label,
      stolenUsd: 0,
      accountId: null,
      live,
      reason: live ? row.label : 'No longer on the list',
    });
  }
  const reports = await records
    .selectFrom('scam_reports')
    .selectAll()
    .where('address', 'in', addresses)
    .where('status', '!=', 'pending')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  for (const report of reports) {
    add(report.family, report.address, {
      source: `report:${report.id}`,
      chain: report.chain,
      type: report.type,
      method: report.description,
      stolenUsd: report.stolen_usd ?? 0,
      accountId: report.account_id ?? report.id,
      live: report.status === 'verified',
      reason: report.decision_reason,
    });
  }
  return { statements, domains: await findDomains(records, addresses) };
}

async function findDomains(records: Records, addresses: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, Set<string>>();
  const rows = await records
    .selectFrom('scam_domains')
    .select(['domain', 'family', 'address'])
    .where('address', 'in', addresses)
    .where('ended_at', 'is', null)
    .execute();
  for (const { domain, family, address } of rows) {
    const key = `${family} ${address}`;
    found.set(key, (found.get(key) ?? new Set()).add(domain));
  }
  return new Map([...found].map(([key, domains]) => [key, [...domains].sort()]));
}
