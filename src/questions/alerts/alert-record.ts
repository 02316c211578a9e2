import { stateOf } from '../../domain/alert.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import type { AlertEventRow, AlertRow } from '../../records/monitoring/alerts.ts';

/** An alert as answers show it. */
export function alertRecord(row: AlertRow, now: number) {
  const { raised_at, last_raised_at, due_at, muted_until, closed_at } = row;
  const state = stateOf(row, now);
  return {
    id: row.id,
    state,
    severity: row.severity,
    title: row.title,
    rule: row.rule,
    rule_id: row.rule_id,
    rule_version: row.rule_version,
    test: row.is_test === 1,
    chain: row.chain,
    address: row.address,
    party: row.party,
    count: row.count,
    raised_at: iso(raised_at),
    last_raised_at: iso(last_raised_at),
    due_at: iso(due_at),
    overdue: state !== 'closed' && due_at <= now,
    assignee: row.assignee,
    case_id: row.case_id,
    muted_until: isoOrNull(muted_until),
    closed_at: isoOrNull(closed_at),
    disposition: row.disposition,
    seq: row.seq,
    data: JSON.parse(row.data) as Record<string, unknown>,
  };
}

export function alertEventRecord({ seq, kind, at, actor, reference, data }: AlertEventRow) {
  return { seq, kind, at: iso(at), actor, reference, data: JSON.parse(data) as Record<string, unknown> };
}
