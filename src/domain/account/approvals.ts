/** Actions that an account may want a second person for. */
export const APPROVED_ACTIONS = ['package', 'close', 'dismiss_critical'] as const;
export type ApprovedAction = (typeof APPROVED_ACTIONS)[number];

export type ApprovalState = 'open' | 'approved' | 'rejected';
