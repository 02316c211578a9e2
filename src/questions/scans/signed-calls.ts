import type { AddressHistory, ChainSource, RequestOptions } from '../../chains/port.ts';
import { isEvmChain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { SourceError } from '../../errors.ts';

/** Calls of one kind from which on a few of their transactions are read. */
const ALIKE_MIN = 3;
const READ_MAX = 3;
const TRANSFER_FROM = ['0x23b872dd', 'transferFrom'];
/** Calls that only allow or forbid others to move what is the caller's. */
const GRANTS = new Set(['0x095ea7b3', '0xa22cb465', '0x39509351', '0xa457c2d7', 'approve', 'setApprovalForAll']);

/**
 * Adds what an address moved between others by calls that it signed: its own lists show such calls without a value. A few
 * transactions are read, of calls that it made again and again, and of `transferFrom`.
 */
export async function withSignedCalls(
  source: ChainSource,
  address: string,
  history: AddressHistory,
  options: RequestOptions,
): Promise<AddressHistory> {
  if (!isEvmChain(source.chain) || history.addressType === 'contract') return history;
  const added: Transfer[] = [];
  for (const txHash of toRead(address, history.transfers)) {
    try {
      const found = await source.transaction(txHash, options);
      const readAt = history.transfers[0]?.readAt ?? null;
      const isOthers = (one: Transfer) => one.from !== address && one.to !== address && movedValue(one);
      if (found?.status !== 'success') continue;
      for (const one of found.transfers.filter(isOthers)) added.push({ ...one, source: 'transaction', readAt });
    } catch (error) {
      // The address's own history stands without it.
      if (!(error instanceof SourceError)) throw error;
      break;
    }
  }
  return added.length === 0 ? history : { ...history, transfers: [...history.transfers, ...added] };
}

/** The newest, the oldest and one between of the calls that were made most. */
function toRead(address: string, transfers: readonly Transfer[]): string[] {
  const calls: Transfer[] = [];
  for (const [, parts] of groupBy(transfers, ({ txHash }) => txHash)) {
    const [call] = parts;
    const isOnly = parts.length === 1 && call?.kind === 'native' && !call.failed && !movedValue(call);
    if (call && isOnly && call.from === address && call.method && call.method !== '0x' && !GRANTS.has(call.method)) {
      calls.push(call);
    }
  }
  const kinds = [...groupBy(calls, ({ to, method }) => `${to} ${method}`).values()]
    .filter((alike) => alike.length >= ALIKE_MIN || TRANSFER_FROM.includes(alike[0]?.method ?? ''))
    .sort((a, b) => b.length - a.length);
  const chosen = kinds.flatMap((alike) => {
    const inOrder = alike.toSorted((a, b) => b.at - a.at);
    return [inOrder[0], inOrder.at(-1), inOrder[Math.floor(inOrder.length / 2)]];
  });
  return [...new Set(chosen.flatMap((one) => one?.txHash ?? []))].slice(0, READ_MAX);
}
