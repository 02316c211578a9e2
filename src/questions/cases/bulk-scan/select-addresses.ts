import type { ScannedCaseAddress } from '../../../records/cases/addresses.ts';

/** Why a bulk scan leaves an address out, in the order in which refusals name them. */
export const SKIP_REASONS = ['already_scanned', 'unsupported', 'over_plan_ceiling', 'over_quota'] as const;
/** Behind every known distance. */
const HOPS_UNKNOWN = 1_000;
type SkipReason = (typeof SKIP_REASONS)[number];

export interface Skipped {
  address: ScannedCaseAddress;
  reason: SkipReason;
}

export interface SelectionLimits {
  /** Scans addresses that were scanned before too. */
  rescan: boolean;
  /** Epoch ms: an older scan does not count. */
  scannedSince: number;
  /** Ids of addresses that cannot be scanned. */
  unsupported: ReadonlySet<string>;
  planCeiling: number;
  quotaLeft: number;
}

/** The addresses to scan, most important first: subjects, then unscanned ones, then by hop distance; and the others. */
export function selectAddresses(addresses: readonly ScannedCaseAddress[], limits: SelectionLimits) {
  const { rescan, scannedSince, unsupported, planCeiling, quotaLeft } = limits;
  const isScanned = ({ last_scanned_at: at }: ScannedCaseAddress) => at !== null && at >= scannedSince;
  const skipped: Skipped[] = [];
  const candidates: ScannedCaseAddress[] = [];
  for (const address of addresses) {
    if (unsupported.has(address.id)) skipped.push({ address, reason: 'unsupported' });
    else if (!rescan && isScanned(address)) skipped.push({ address, reason: 'already_scanned' });
    else candidates.push(address);
  }
  const rank = (address: ScannedCaseAddress) => (address.role === 'subject' ? 0 : isScanned(address) ? 2 : 1);
  const hopsOf = ({ hop_distance: hops }: ScannedCaseAddress) => hops ?? HOPS_UNKNOWN;
  candidates.sort((a, b) => rank(a) - rank(b) || hopsOf(a) - hopsOf(b));
  for (const [position, address] of candidates.entries()) {
    if (position >= planCeiling) skipped.push({ address, reason: 'over_plan_ceiling' });
    else if (position >= quotaLeft) skipped.push({ address, reason: 'over_quota' });
  }
  return { selected: candidates.slice(0, Math.min(planCeiling, quotaLeft)), skipped };
}

/** `2 already_scanned, 1 unsupported` */
export function countReasons(skipped: readonly Skipped[]): string {
  return SKIP_REASONS.flatMap((reason) => {
    const count = skipped.filter((one) => one.reason === reason).length;
    return count > 0 ? [`${count} ${reason}`] : [];
  }).join(', ');
}
