import { isoOrNull } from '../../domain/time.ts';
import { type OutboundProblem, type OutboundUse, UNUSED } from '../../outbound/use.ts';

/** The use of a service outside, as answers show it. */
export interface ShownUse {
  last_success_at: string | null;
  last_failure_at: string | null;
  last_problem: OutboundProblem | null;
}

export function describeUse({ lastSuccessAt, lastFailureAt, problem }: OutboundUse = UNUSED): ShownUse {
  return {
    last_success_at: isoOrNull(lastSuccessAt),
    last_failure_at: isoOrNull(lastFailureAt),
    last_problem: problem,
  };
}
