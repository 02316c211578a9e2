import type { Context } from '../../context.ts';
import { addAmounts, compareAmounts } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { isValidAt, type Label, type ListedCategory, listedCategory } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import { shownTags } from '../../domain/transfers/tags.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { readTokenTransfers, type TokenWindow } from './read-token-transfers.ts';

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
