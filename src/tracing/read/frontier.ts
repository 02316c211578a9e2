import { compare } from '../../domain/compare.ts';
import type { EndReason } from '../../domain/tracing/ends.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import type { FrontierEntry } from '../engine/walk/findings.ts';
import type { OpenedSubject } from './graph-reader.ts';
import type { MoneyTraces } from './trace-money.ts';

/** Returns where the trace ended or passed unread in any direction, the subject among it, largest first. */
export function frontierOf(
  asked: readonly string[],
  traces: MoneyTraces,
  directions: readonly Direction[],
): FrontierEntry[] {
  const own = asked.flatMap((address) => {
    const subject = traces.subjects.get(address);
    const reason = missingOfSubject(subject);
    if (reason === null) return [];
    return directions.map((direction): FrontierEntry => {
      const { totalUsd } = traces[direction];
      const usd = asked.length === 1 ? totalUsd : Math.min(totalUsd, subject?.totals[direction].usd ?? 0);
      return { address, direction, hop: 0, usd, reason, around: null, bridge: null };
    });
  });
  const behind = directions.flatMap((direction) => traces[direction].frontier);
  return [...own, ...behind].sort((a, b) => b.usd - a.usd || a.hop - b.hop || compare(a.address, b.address));
}

/** Returns what is missing of the subject's own history. */
export function missingOfSubject(subject: OpenedSubject | undefined): EndReason | null {
  if (isUnread(subject)) return 'not_read';
  return subject?.scannedAt !== null && subject?.isScanComplete ? null : 'partial_history';
}

/** True for a subject of which the caller may know nothing that was read: no scan, and no loaded file. */
export function isUnread(subject: OpenedSubject | undefined): boolean {
  return !subject?.isReadKnown || (subject.scannedAt === null && subject.loaded === null);
}
