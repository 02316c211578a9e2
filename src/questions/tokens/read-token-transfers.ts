import type { TokenQuery, TokenTransfers } from '../../chains/port.ts';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { verifiedToken } from '../../domain/tokens/token.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { type AppError, InvalidInputError, SourceError } from '../../errors.ts';

/** As many of the newest transfers as a query answers with. */
const TOKEN_TRANSFERS_MAX = 500;

/**
 * Asks the chain for the newest transfers of a token that happened, at most 500. Whatever makes it fail is an
 * InvalidInputError that says why: a query has an answer that is whole or none.
 */
export async function readTokenTransfers(
  ctx: Context,
  chain: Chain,
  query: Omit<TokenQuery, 'limit'>,
): Promise<TokenTransfers> {
  const source = await ctx.chainSource(chain);
  if (!source) throw new InvalidInputError(`No data source configured for ${chain}`);
  const signal = AbortSignal.timeout(ctx.config.SCAN_DEADLINE_MS);
  try {
    const read = await source.tokenTransfers({ ...query, limit: TOKEN_TRANSFERS_MAX }, { signal });
    const symbol = read.symbol ?? verifiedToken(chain, query.token)?.symbol ?? null;
    // A call of a contract carries the coin only where it carries some; an empty token transfer is an event of its own.
    const counts = (transfer: Transfer) => (query.token === 'native' ? movedValue(transfer) : !transfer.failed);
    return { ...read, symbol, transfers: read.transfers.filter(counts) };
  } catch (error) {
    throw signal.aborted
      ? new InvalidInputError('Query timed out', { cause: error })
      : refusalOf(chain, error as Error);
  }
}

function refusalOf(chain: Chain, error: Error): Error | AppError {
  if (!(error instanceof SourceError)) return error;
  return new InvalidInputError(`Query failed: ${chain} data source unavailable`, { cause: error });
}
