import type { EventType } from '../../domain/event.ts';
import { isBelow, type RiskLevel } from '../../risk/detection.ts';

export interface KnownLevel {
  /** Null before the first scan. */
  last: RiskLevel | null;
  /** A lower level that the scan before found. */
  unconfirmed: RiskLevel | null;
}

export interface LevelChange {
  /** The level to report from now on. */
  level: RiskLevel;
  unconfirmed: RiskLevel | null;
  /** The `risk.*` events to fire; none at the first scan. */
  events: EventType[];
}

/**
 * Returns what a new scan changes. A rise counts at once and fires the event of the level it reaches, not of those it skips; a
 * fall counts once two scans in a row agree, so that a source that flickers fires nothing.
 */
export function levelChange({ last, unconfirmed }: KnownLevel, found: RiskLevel): LevelChange {
  // The first transfers of an address that had none fire nothing while they are LOW.
  const isNews = found !== last && !(last === 'UNKNOWN' && found === 'LOW');
  if (last === null || !isNews) return { level: found, unconfirmed: null, events: [] };
  if (isBelow(found, last)) {
    if (unconfirmed !== found) return { level: last, unconfirmed: found, events: [] };
    return { level: found, unconfirmed: null, events: ['risk.changed'] };
  }
  const events: EventType[] = ['risk.changed'];
  if (found === 'HIGH') events.push('risk.high_detected');
  if (found === 'CRITICAL') events.push('risk.critical_detected');
  return { level: found, unconfirmed: null, events };
}
