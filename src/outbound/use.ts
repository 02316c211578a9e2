/**
 * Names what is wrong with a service outside, for readers who may not see its texts: these hold keys, hosts and paths.
 * `no_answer`: no connection, or none in time.
 */
export const OUTBOUND_PROBLEMS = [
  'no_answer',
  'key_refused',
  'too_many_requests',
  'server_error',
  'other_network',
  'unusable_answer',
] as const;
export type OutboundProblem = (typeof OUTBOUND_PROBLEMS)[number];

/** How a service outside answered this process. */
export interface OutboundUse {
  /** Here and below, epoch ms. */
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  /** The problem then. */
  problem: OutboundProblem | null;
}

export const UNUSED: Readonly<OutboundUse> = { lastSuccessAt: null, lastFailureAt: null, problem: null };

/** The texts by which services refuse a key. */
const KEY_REFUSED = /HTTP 40[13]|api.?key|unauthori[sz]ed|forbidden/i;

/** The problem with an answer, as an operator's log gives it. */
export function problemIn(text: string): OutboundProblem {
  if (KEY_REFUSED.test(text)) return 'key_refused';
  if (/HTTP 429\b/.test(text)) return 'too_many_requests';
  return /HTTP 5\d\d\b/.test(text) ? 'server_error' : 'unusable_answer';
}
