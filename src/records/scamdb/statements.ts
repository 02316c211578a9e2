import { type SqlBool, sql } from 'kysely';
import { type Chain, chainFamily, isSisterChain } from '../../domain/chain.ts';
import { addToGroup } from '../../domain/group-by.ts';
import { isValidAt, type Label } from '../../domain/label.ts';
import { type ScamType, scamTypeOf } from '../../domain/scam.ts';
import { toLabel } from '../../labels/find-label-rows.ts';
import { type Records, readInChunks } from '../database/database.ts';

/** The statement of one source about one address. */
export interface ScamStatement {
  /** A label's source, or `report:<id>`. */
  source: string;
  chain: Chain | 'evm';
  type: ScamType;
  /** How it was done, in the source's words. */
  method: string;
  stolenUsd: number;
  /** The victim; null where the source is a list. */
  accountId: string | null;
  live: boolean;
  /** Why it is named, or named no more. */
  reason: string | null;
}

/**
 * Label sources whose scam rows are entries of the public database. The operator's own rows (`labels`) are not
 * published; the demo world has a list of its own.
 */
const LISTS = ['scamsniffer', 'darklist', 'eth-labels', 'forta', 'tagpack', 'ransomwhere', 'demo'];

/** Returns what a list's scam label says; null for a label of no public list. */
export function statementOf(label: Label, now: number): ScamStatement | null {
  if (!LISTS.includes(label.source.split(':', 1)[0]!) || isSisterChain(label.chain)) return null;
  const live = isValidAt(label, now);
  return {
    source: label.source,
    chain: label.chain,
    type: scamTypeOf(label),
    method: label.label,
    stolenUsd: 0,
    accountId: null,
    live,
    reason: live ? label.label : 'No longer on the list',
  };
}

/** Returns what lists and decided reports say of the addresses, and their live domains, by `<family> <address>`. */
export async function findScamStatements(
  records: Records,
  addresses: readonly string[],
  now: number,
): Promise<{ statements: Map<string, ScamStatement[]>; domains: Map<string, string[]> }> {
  const statements = new Map<string, ScamStatement[]>();
  const add = (family: string, address: string, statement: ScamStatement) => {
    addToGroup(statements, `${family} ${address}`, statement);
  };
  const labels = await readInChunks(addresses, (chunk) =>
    records
      .selectFrom('labels')
      .selectAll()
      .where('address', 'in', chunk)
      .where(sql<SqlBool>`(category in ('scam', 'drainer', 'theft', 'ransomware') or malicious_contract = 1)`)
      .orderBy('source')
      .orderBy('label')
      .execute(),
  );
  for (const row of labels) {
    const statement = statementOf(toLabel(row), now);
    if (statement) add(chainFamily(row.chain), row.address, statement);
  }
  const reports = await readInChunks(addresses, (chunk) =>
    records
      .selectFrom('scam_reports')
      .selectAll()
      .where('address', 'in', chunk)
      .where(sql<SqlBool>`status <> 'pending'`)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  );
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
  const rows = await readInChunks(addresses, (chunk) =>
    records
      .selectFrom('scam_domains')
      .select(['domain', 'family', 'address'])
      .where('address', 'in', chunk)
      .where('ended_at', 'is', null)
      .execute(),
  );
  for (const { domain, family, address } of rows) {
    const key = `${family} ${address}`;
    found.set(key, (found.get(key) ?? new Set()).add(domain));
  }
  return new Map([...found].map(([key, domains]) => [key, [...domains].sort()]));
}
