import { FORMS } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { lookUp } from '../../words/look-up.ts';
import { WORDS } from '../../words/words.ts';
import type { Context } from '../context.ts';
import { addAmounts, compareAmounts } from '../domain/amount.ts';
import type { Chain } from '../domain/chain.ts';
import { compare } from '../domain/compare.ts';
import { isValidAt, type Label, type ListedCategory, listedCategory } from '../domain/label.ts';
import { iso } from '../domain/time.ts';
import { verifiedToken } from '../domain/tokens/token.ts';
import { shownTags } from '../domain/transfers/tags.ts';
import { movedValue, type Transfer } from '../domain/transfers/transfer.ts';
import { type AppError, InvalidInputError, SourceError } from '../errors.ts';
import { reasonOf, screenTokenTransfers } from '../risk/scoring/token-screening.ts';
import { totalAmount } from '../risk/views/window.ts';

export interface TransferQuery extends TokenWindow {
  /** Canonical. */
  address: string;
}

type Direction = 'sent' | 'received' | 'self';

interface Rollup {
  sent: string;
  received: string;
  sentCount: number;
  receivedCount: number;
}

/** The newest transfers of one token at one address, and what it gave to and got from each party; read-only. */
export async function queryTransfers(ctx: Context, query: TransferQuery) {
  const startedAt = performance.now();
  const { chain, address, token, from, to } = query;
  const { symbol, transfers, lacks } = await readTokenTransfers(ctx, query);
  const others = [...new Set(transfers.map((transfer) => counterpartyOf(address, transfer)))];
  const labels = await ctx.labels.find(chain, others);
  return {
    success: true as const,
    chain,
    address,
    token_contract: token,
    token_symbol: symbol,
    start_date: iso(from),
    end_date: iso(to),
    total_transfers: transfers.length,
    ...lacks,
    transfers: transfers.map((transfer) => toRow(chain, address, transfer)),
    counterparties: rollUp(address, transfers, labels, ctx.now()),
    query_duration_ms: Math.round(performance.now() - startedAt),
    error: null,
  };
}

function toRow(chain: Chain, address: string, transfer: Transfer) {
  return {
    tx_hash: transfer.txHash,
    block_number: transfer.block,
    timestamp: iso(transfer.at),
    from_address: transfer.from,
    to_address: transfer.to,
    amount: Number(transfer.amount),
    token_symbol: transfer.asset,
    token_decimals: decimalsOf(chain, transfer),
    direction: directionOf(address, transfer),
    counterparty: counterpartyOf(address, transfer),
    ...shownTags({ tags: { destination: transfer.destinationTag, source: transfer.sourceTag } }),
  };
}

/** The ledger keeps 15 digits of an issued currency, which has no smallest unit. */
function decimalsOf(chain: Chain, { decimals, token }: Transfer): number | null {
  return decimals ?? (chain === 'xrp' && token?.includes('.') ? 15 : null);
}

function directionOf(address: string, { from, to }: Transfer): Direction {
  if (from === to) return 'self';
  return from === address ? 'sent' : 'received';
}

function counterpartyOf(address: string, { from, to }: Transfer): string {
  return from === address ? to : from;
}

/** Exact sums, largest turnover first; what an address sends itself has no other party. */
function rollUp(address: string, transfers: readonly Transfer[], labels: Map<string, Label[]>, now: number) {
  const parties = new Map<string, Rollup>();
  for (const transfer of transfers) {
    if (transfer.from === transfer.to) continue;
    const other = counterpartyOf(address, transfer);
    const sums = parties.get(other) ?? { sent: '0', received: '0', sentCount: 0, receivedCount: 0 };
    if (transfer.from === address) {
      sums.sent = addAmounts(sums.sent, transfer.amount);
      sums.sentCount += 1;
    } else {
      sums.received = addAmounts(sums.received, transfer.amount);
      sums.receivedCount += 1;
    }
    parties.set(other, sums);
  }
  return [...parties]
    .sort(([a, x], [b, y]) => compareAmounts(turnover(y), turnover(x)) || compare(a, b))
    .map(([other, sums]) => {
      const label = labels.get(other)?.find((one) => isValidAt(one, now));
      return {
        address: other,
        label: label?.label ?? null,
        category: shownCategory(label),
        sent_count: sums.sentCount,
        received_count: sums.receivedCount,
        sent_amount: Number(sums.sent),
        received_amount: Number(sums.received),
        net_amount: Number(addAmounts(sums.received, negated(sums.sent))),
      };
    });
}

function turnover({ sent, received }: Rollup): string {
  return addAmounts(sent, received);
}

function negated(amount: string): string {
  return /[1-9]/.test(amount) ? `-${amount}` : amount;
}

/** The contract's list of categories has no scam; the label says it. */
function shownCategory(label: Label | undefined): ListedCategory {
  if (!label) return 'unknown';
  return listedCategory(label.category);
}

/** Milliseconds for asking what kind of addresses the busiest senders are. */
const KINDS_MS = 3_000;

/** Returns who behaves badly among the newest transfers of a token, whoever made them; read-only. */
export async function screenToken(ctx: Context, asked: TokenWindow) {
  const startedAt = performance.now();
  const { chain, token, from, to } = asked;
  const { symbol, transfers, lacks } = await readTokenTransfers(ctx, asked);
  await ctx.prices.price(transfers);
  const parties = new Set(transfers.flatMap((transfer) => [transfer.from, transfer.to]));
  const labels = await ctx.labels.find(chain, [...parties]);
  const labelsOf = (address: string) => labels.get(address) ?? [];
  const window = { chain, transfers, labelsOf, asOf: ctx.now() };
  const busy = screenTokenTransfers(window).filter(({ pattern }) => pattern === 'rapid_distribution');
  const contracts = await contractsAmong(
    ctx,
    asked,
    busy.map(({ address }) => address),
  );
  const flags = screenTokenTransfers({ ...window, contracts });
  return {
    success: true as const,
    chain,
    token_contract: token,
    token_symbol: symbol,
    start_date: iso(from),
    end_date: iso(to),
    total_transfers_analyzed: transfers.length,
    ...lacks,
    flagged_addresses: flags.map((flag) => ({
      address: flag.address,
      pattern_type: flag.pattern,
      severity: flag.severity,
      reason: reasonOf(flag, asked.lang),
      tx_count: new Set(flag.transfers.map(({ txHash }) => txHash)).size,
      total_amount: Number(totalAmount(flag.transfers)),
      sample_tx_hash: flag.transfers[0]!.txHash,
    })),
    query_duration_ms: Math.round(performance.now() - startedAt),
    error: null,
  };
}

/** Returns the addresses that the chain says are contracts, as pools are; one that it does not name in time counts as a wallet. */
async function contractsAmong(
  ctx: Context,
  { account, chain }: TokenWindow,
  addresses: readonly string[],
): Promise<Set<string>> {
  const source = await ctx.chainSource(chain);
  const signal = AbortSignal.timeout(KINDS_MS);
  const isContract = async (address: string) => {
    const state = await source?.account(address, { account, signal }).catch((error: unknown) => {
      if (error instanceof SourceError || signal.aborted) return null;
      throw error;
    });
    return state?.isContract === true;
  };
  const kinds = await Promise.all(addresses.map(isContract));
  return new Set(addresses.filter((_, i) => kinds[i]));
}

/** Most of the newest transfers that a query answers with. */
const TOKEN_TRANSFERS_MAX = 500;

/** Span of a token's transfers that is asked for. */
interface TokenWindow {
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
interface ReadTransfers {
  symbol: string | null;
  transfers: Transfer[];
  lacks: { truncated: boolean; reasons: string[]; note: string | null };
}

/**
 * Asks the chain for the newest transfers of a token that happened, at most 500. Whatever makes it fail is an
 * InvalidInputError that says why: a query has an answer that is whole or none.
 */
async function readTokenTransfers(
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
