/** What a case, its addresses and its notes may say of themselves; each list is closed. */
export const CASE_STATUSES = ['open', 'in_review', 'escalated', 'closed', 'archived'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export const CASE_PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;
export type CasePriority = (typeof CASE_PRIORITIES)[number];

export const CASE_ROLES = ['subject', 'counterparty', 'victim', 'intermediary', 'service', 'other'] as const;
export type CaseRole = (typeof CASE_ROLES)[number];

export const NOTE_TYPES = ['comment', 'finding', 'decision', 'evidence'] as const;
export type NoteType = (typeof NOTE_TYPES)[number];

/** An analyst's judgement of one detection. */
export const DISPOSITIONS = ['dismissed', 'escalated', 'reported'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];
