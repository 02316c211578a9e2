import { expect, it } from 'vitest';
import { levelChange } from '../../../src/questions/monitoring/rescan-item.ts';
import type { RiskLevel } from '../../../src/risk/detection.ts';

/** The events of each scan of a series. */
function series(...levels: RiskLevel[]): string[][] {
  let known: { last: RiskLevel | null; unconfirmed: RiskLevel | null } = { last: null, unconfirmed: null };
  return levels.map((found) => {
    const { level, unconfirmed, events } = levelChange(known, found);
    known = { last: level, unconfirmed };
    return events;
  });
}

it('fires nothing at the first scan and while the level stays', () => {
  expect(series('CRITICAL', 'CRITICAL')).toEqual([[], []]);
});

it('fires the event of the level that a rise reaches, not of those it skips', () => {
  expect(series('LOW', 'CRITICAL')).toEqual([[], ['risk.changed', 'risk.critical_detected']]);
  expect(series('LOW', 'HIGH', 'CRITICAL')).toEqual([
    [],
    ['risk.changed', 'risk.high_detected'],
    ['risk.changed', 'risk.critical_detected'],
  ]);
  expect(series('LOW', 'MEDIUM')).toEqual([[], ['risk.changed']]);
});

it('reports a fall once two scans in a row agree', () => {
  expect(series('CRITICAL', 'LOW', 'LOW')).toEqual([[], [], ['risk.changed']]);
  expect(series('CRITICAL', 'HIGH', 'LOW', 'LOW')).toEqual([[], [], [], ['risk.changed']]);
});

it('fires nothing for a source that flickers', () => {
  expect(series('HIGH', 'LOW', 'HIGH', 'UNKNOWN', 'HIGH').flat()).toEqual([]);
});

it('fires again for a level that is reached again after a fall', () => {
  expect(series('HIGH', 'LOW', 'LOW', 'HIGH')).toEqual([
    [],
    [],
    ['risk.changed'],
    ['risk.changed', 'risk.high_detected'],
  ]);
});

it('fires nothing when an address without transfers gets its first, unless they are bad', () => {
  expect(series('UNKNOWN', 'LOW')).toEqual([[], []]);
  expect(series('UNKNOWN', 'CRITICAL')).toEqual([[], ['risk.changed', 'risk.critical_detected']]);
});
