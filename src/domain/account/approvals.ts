import type { Language } from '../../../words/language.ts';

/** Actions that an account may want a second person for. */
export const APPROVED_ACTIONS = ['package', 'close', 'dismiss_critical'] as const;
export type ApprovedAction = (typeof APPROVED_ACTIONS)[number];

export type ApprovalState = 'open' | 'approved' | 'rejected';

/** The action that is asked for, with all that doing it needs. */
export type ApprovalRequest =
  | { action: 'package'; language: Language; from: number | null; to: number | null; proofs: boolean }
  | { action: 'close'; status: 'closed' | 'archived' }
  | { action: 'dismiss_critical'; address_id: string; detector_id: string; disposition: 'dismissed'; reason: string };
