import { FORMS } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import type { Language } from '../../../words/language.ts';
import { lookUp } from '../../../words/look-up.ts';
import { WORDS } from '../../../words/words.ts';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { verifiedToken } from '../../domain/tokens/token.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { type AppError, InvalidInputError, SourceError } from '../../errors.ts';

/** As many of the newest transfers as a query answers with. */
const TOKEN_TRANSFERS_MAX = 500;

/** Span of a token's transfers that is asked for. */
export interface TokenWindow {
  /** Account whose turns at the source it takes. */
  account: string;
  chain: Chain;
  /** Canonical contract, mint or `CURRENCY.issuer`, or `native` for the chain's own coin. */
  token: string;
  /** Epoch ms, inclusive. */
  from: number;
  to: number;
  lang: Language;
}

/** The newest transfers of a token that happened, and why some may be missing, as codes and in words. */
export interface ReadTransfers {
  symbol: string | null;
  transfers: Transfer[];
  lacks: { truncated: boolean; reasons: string[]; note: string | null };
}

/**
 * Asks the chain for the newest transfers of a token that happened, at most 500. Whatever makes it fail is an
 * InvalidInputError that says why: a query has an answer that is whole or none.
 */
export async function readTokenTransfers(
  ctx: Context,
  { account, chain, lang, token, from, to, address }: TokenWindow & { address?: string },
): Promise<ReadTransfers> {
  const source = await ctx.chainSource(chain);
  if (!source) throw new InvalidInputError(`No data source configured for ${chain}`);
  const signal = AbortSignal.timeout(ctx.config.SCAN_DEADLINE_MS);
  try {
    const read = await source.tokenTransfers(
      { token, address, from, to, limit: TOKEN_TRANSFERS_MAX },
      { account, signal },
    );
    const symbol = read.symbol ?? verifiedToken(chain, token)?.symbol ?? null;
    // A call of a contract carries the coin only where it carries some; an empty token transfer is an event of its own.
    const counts = (transfer: Transfer) => (token === 'native' ? movedValue(transfer) : !transfer.failed);
    return { symbol, transfers: read.transfers.filter(counts), lacks: lacksOf(read.reasons, lang) };
  } catch (error) {
    throw signal.aborted
      ? new InvalidInputError('Query timed out', { cause: error })
      : refusalOf(chain, error as Error);
  }
}

function lacksOf(reasons: string[], lang: Language): ReadTransfers['lacks'] {
  if (reasons.length === 0) return { truncated: false, reasons, note: null };
  const { readings, mayLack } = WORDS[lang].coverage;
  const words = reasons.map((reason) => lookUp(readings, reason)).join(FORMS[lang].comma);
  return { truncated: true, reasons, note: fill(mayLack, { reasons: words }) };
}

function refusalOf(chain: Chain, error: Error): Error | AppError {
  if (!(error instanceof SourceError)) return error;
  return new InvalidInputError(`Query failed: ${chain} data source unavailable`, { cause: error });
}
