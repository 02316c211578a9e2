import type { Context } from '../../../context.ts';
import type { Chain } from '../../../domain/chain.ts';
import { type Category, isValidAt, type Label } from '../../../domain/label.ts';
import type { Tenant } from '../../../http/auth.ts';
import { findScanned } from '../../../records/scans/scans.ts';
import type { RiskLevel } from '../../../risk/detection.ts';
import { findNewestScan } from '../../scans/list-scans.ts';

/** What is known of a counterparty when a report is made, beyond what the scan of the subject recorded. */
export interface KnownParty {
  address: string;
  /** What the account says of it (`self`, `whitelist`), else that of the label, else what the scan recorded. */
  category: Category;
  /** The best label in force, of a list or of the scam database; null where there is none. */
  label: Pick<Label, 'label' | 'source'> | null;
  /** The account's own newest scan of it; null where it never scanned it within its history. */
  scan: { risk_level: RiskLevel; risk_score: number; created_at: string } | null;
}

/** The counterparties of which a label or a scan of the account knows something, in the order given. */
export async function findKnownParties(
  ctx: Context,
  tenant: Tenant,
  chain: Chain,
  counterparties: readonly { address: string; category: Category }[],
): Promise<KnownParty[]> {
  if (counterparties.length === 0) return [];
  const addresses = counterparties.map(({ address }) => address);
  const [labels, scanned] = await Promise.all([
    ctx.labels.find(chain, addresses),
    findScanned(ctx.records, tenant.accountId, chain, addresses),
  ]);
  const now = ctx.now();
  const known: KnownParty[] = [];
  for (const { address, category: recorded } of counterparties) {
    const found = labels.get(address)?.find((one) => isValidAt(one, now));
    const scan = scanned.includes(address) ? await findNewestScan(ctx, tenant, chain, address) : null;
    if (!found && !scan) continue;
    const isOwn = recorded === 'self' || recorded === 'whitelist';
    known.push({
      address,
      category: found && !isOwn ? found.category : recorded,
      label: found ? { label: found.label, source: found.source } : null,
      scan: scan && { risk_level: scan.risk_level, risk_score: scan.risk_score, created_at: scan.created_at },
    });
  }
  return known;
}
