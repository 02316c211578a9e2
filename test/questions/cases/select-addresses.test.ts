import { describe, expect, it } from 'vitest';
import { countReasons, selectAddresses } from '../../../src/questions/cases/start-bulk-scan.ts';
import type { ScannedCaseAddress } from '../../../src/records/cases/addresses.ts';

const address = (id: string, given: Partial<ScannedCaseAddress> = {}): ScannedCaseAddress => ({
  id,
  case_id: 'case',
  chain: 'ethereum',
  address: id,
  role: 'counterparty',
  label: null,
  investigator_notes: '',
  hop_distance: 1,
  created_at: 0,
  last_scan_id: null,
  last_risk_level: null,
  last_rule_set: null,
  last_scanned_at: null,
  ...given,
});
const limits = { rescan: false, scannedSince: 100, unsupported: new Set<string>(), planCeiling: 10, quotaLeft: 10 };
const ids = (addresses: readonly ScannedCaseAddress[]) => addresses.map(({ id }) => id);

describe('the selection of a bulk scan', () => {
  it('takes subjects first, then unscanned addresses, then by hop distance, and keeps the order of the case', () => {
    const given = [
      address('scanned', { last_scanned_at: 200, hop_distance: 0 }),
      address('far', { hop_distance: 3 }),
      address('near'),
      address('near too'),
      address('subject', { role: 'subject', hop_distance: 0, last_scanned_at: 200 }),
    ];
    const { selected, skipped } = selectAddresses(given, { ...limits, rescan: true });
    expect(ids(selected)).toEqual(['subject', 'near', 'near too', 'far', 'scanned']);
    expect(skipped).toEqual([]);
  });

  it('is cut at the smaller of plan ceiling and quota, and names the limit for each address left out', () => {
    const given = ['a', 'b', 'c', 'd', 'e'].map((id) => address(id));
    const byQuota = selectAddresses(given, { ...limits, planCeiling: 3, quotaLeft: 2 });
    expect(ids(byQuota.selected)).toEqual(['a', 'b']);
    expect(byQuota.skipped.map(({ reason }) => reason)).toEqual([
      'over_quota',
      'over_plan_ceiling',
      'over_plan_ceiling',
    ]);
    const byPlan = selectAddresses(given, { ...limits, planCeiling: 2, quotaLeft: 3 });
    expect(byPlan.skipped.map(({ reason }) => reason)).toEqual(Array(3).fill('over_plan_ceiling'));
  });

  it('leaves out scanned and unsupported addresses, and counts a scan outside the history as none', () => {
    const given = [
      address('scanned', { last_scanned_at: 200 }),
      address('long ago', { last_scanned_at: 99 }),
      address('unsupported', { last_scanned_at: 200 }),
    ];
    const { selected, skipped } = selectAddresses(given, { ...limits, unsupported: new Set(['unsupported']) });
    expect(ids(selected)).toEqual(['long ago']);
    expect(countReasons(skipped)).toBe('1 already_scanned, 1 unsupported');
  });
});
