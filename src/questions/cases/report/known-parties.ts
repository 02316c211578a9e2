import type { Context } from '../../../context.ts';
import type { Chain } from '../../../domain/chain.ts';
import { type Category, isValidAt, type Label } from '../../../domain/label.ts';
import type { OwnLabels } from '../../../labels/own-labels.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { findScanned } from '../../../records/scans/scans.ts';
import type { RiskLevel } from '../../../risk/detection.ts';
import { currentLevels } from '../../scans/current-level.ts';
import { findNewestScan } from '../../scans/list-scans.ts';
import type { ScanAnswer } from '../../scans/record-scan.ts';

/** Facts of a counterparty when a report is made, beyond what the scan of the subject recorded. */
export interface KnownParty {
  address: string;
  /** Category that the account gives it (`self`, `whitelist`), else its label, else the recorded scan. */
  category: Category;
  /** The best label in force, of a list, of the scam database or of the account itself; null where there is none. */
  label: Pick<Label, 'label' | 'source'> | null;
  /** The account's own newest scan of it; null where it never scanned it within its history. */
  scan: { risk_level: RiskLevel; risk_score: number; created_at: string } | null;
}

/** The counterparties of which a label or a scan of the account knows something, in the order given. */
export async function findKnownParties(
  ctx: Context,
  tenant: Tenant,
  { chain, own }: { chain: Chain; own: OwnLabels },
  counterparties: readonly { address: string; category: Category }[],
): Promise<KnownParty[]> {
  if (counterparties.length === 0) return [];
  const addresses = counterparties.map(({ address }) => address);
  const [labels, scanned] = await Promise.all([
    own.over(ctx.labels).find(chain, addresses),
    findScanned(ctx.records, tenant.accountId, chain, addresses),
  ]);
  const now = ctx.now();
  const scans = new Map<string, ScanAnswer>();
  for (const address of scanned) {
    const scan = await findNewestScan(ctx, tenant, chain, address);
    if (scan) scans.set(address, scan);
  }
  const recorded = [...scans].map(([address, scan]) => ({
    chain,
    address,
    level: scan.risk_level,
    at: Date.parse(scan.created_at),
    ruleSet: scan.rule_set_version,
  }));
  // The report is about the subject: its parties are not scored again.
  const levels = await currentLevels(ctx, tenant.accountId, recorded, { scoredMax: 0 });
  const levelOf = new Map(recorded.map(({ address }, place) => [address, levels[place]!.level!]));
  const known: KnownParty[] = [];
  for (const { address, category: recorded } of counterparties) {
    const found = labels.get(address)?.find((one) => isValidAt(one, now));
    const scan = scans.get(address);
    if (!found && !scan) continue;
    const isOwn = recorded === 'self' || recorded === 'whitelist';
    known.push({
      address,
      category: found && !isOwn ? found.category : recorded,
      label: found ? { label: found.label, source: found.source } : null,
      scan: scan ? seenNow(scan, levelOf.get(address)!) : null,
    });
  }
  return known;
}

function seenNow(
  { risk_level, risk_score, created_at }: ScanAnswer,
  level: RiskLevel,
): NonNullable<KnownParty['scan']> {
  return { risk_level: level, risk_score: level === risk_level ? risk_score : 0, created_at };
}
