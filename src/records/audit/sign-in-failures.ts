import type { SignInFailure } from '../../domain/account/audit.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Records } from '../database/database.ts';
import type { SignInFailureRow } from '../database/tables/events.ts';

/** Counts a refusal in its minute: outside of the chain, since refused callers could fill it. */
export async function countSignInFailure(
  records: Records,
  { accountId, reason }: { accountId: string | null; reason: SignInFailure },
  now: number,
): Promise<void> {
  await records
    .insertInto('sign_in_failures')
    .values({ account_id: accountId ?? '', minute: now - (now % MINUTE_MS), reason, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'minute', 'reason'])
        .doUpdateSet((e) => ({ count: e('sign_in_failures.count', '+', 1) })),
    )
    .execute();
}

/** Lists the refusals of one account by minute, newest first. */
export function listSignInFailures(
  records: Records,
  accountId: string,
  { from = 0, to = Number.MAX_SAFE_INTEGER, limit }: { from?: number; to?: number; limit: number },
): Promise<SignInFailureRow[]> {
  return records
    .selectFrom('sign_in_failures')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('minute', '>=', from - (from % MINUTE_MS))
    .where('minute', '<=', to)
    .orderBy('minute', 'desc')
    .orderBy('reason')
    .limit(limit)
    .execute();
}
