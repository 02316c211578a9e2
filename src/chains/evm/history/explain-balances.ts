import { formatUnits } from '../../../domain/amount.ts';
import { NATIVE_COIN } from '../../../domain/chain.ts';
import {
  type UnexplainedBalance,
  unexplainedBalances,
  withUnexplained,
} from '../../../domain/transfers/explained-balance.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { transferId } from '../../../domain/transfers/transfer-id.ts';
import { SourceError } from '../../../errors.ts';
import type { AddressHistory, RequestOptions } from '../../port.ts';
import { type BlockArrivals, minedBlocks, validatorWithdrawals } from '../explorer/block-arrivals.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { quantity } from '../format/fields.ts';
import { fetchReceipts, headBlock, hex } from '../node/chain-data.ts';
import { type EvmSources, rpcOf, toTransfers } from './sources.ts';
import { balanceCall, statedBalance, withDestroyed, withTokenStates } from './token-states.ts';

/** An explorer lists what is older than so many blocks, and a node that keeps no archive still knows balances of then. */
const SETTLED_BLOCKS = 100;
/** Inner moves whose transactions are asked for, newest first. */
const INNER_MAX = 50;

/**
 * Compares a whole history with the stated balances. Where more coin is held than came, the explorer is asked for coin that
 * blocks gave, of which lists of transactions know nothing; where less is, whether the transactions of inner moves failed, which
 * some explorers leave out for a payee. What still differs may only be too new for a list, so that an
 * older balance decides.
 */
export async function withBalancesExplained(
  sources: EvmSources,
  address: string,
  history: AddressHistory,
  options?: RequestOptions,
): Promise<AddressHistory> {
  const { chain } = sources;
  const isCut = history.coverage.reasons.includes('page_limit');
  if (!history.coverage.complete && !isCut) return history;
  let known = await withTokenStates(sources, address, history, { tokens: [], ...options });
  const left = () => coinOf(unexplainedBalances(chain, address, known));
  for (const given of chain === 'ethereum' ? [validatorWithdrawals, minedBlocks] : [minedBlocks]) {
    // Of a history that was cut nothing adds up: there only validators' money is worth a look.
    const isWanted = isCut ? given === validatorWithdrawals : isSurplus(left());
    if (isWanted) known = await withArrivals(sources, address, known, given, options);
  }
  if (!isCut && left()?.startsWith('-')) known = await withFailedInner(sources, known, options);
  // The blocks' own list may have been cut as well.
  if (known.coverage.reasons.includes('page_limit')) return known;
  known = await withDestroyed(sources, address, known, options);
  const found = unexplainedBalances(chain, address, known);
  return withUnexplained(known, await stillUnexplained(sources, address, { history: known, found }, options));
}

function coinOf(found: readonly UnexplainedBalance[]): string | null {
  return found.find(({ token }) => token === null)?.amount ?? null;
}

function isSurplus(amount: string | null): boolean {
  return amount !== null && !amount.startsWith('-');
}

type GivenByBlocks = (
  explorer: Explorer,
  address: string,
  pageLimit: number,
  options?: RequestOptions,
) => Promise<BlockArrivals>;

async function withArrivals(
  sources: EvmSources,
  address: string,
  history: AddressHistory,
  given: GivenByBlocks,
  options?: RequestOptions,
): Promise<AddressHistory> {
  const { rows, reasons } = await given(sources.explorer!, address, sources.pageLimit, options);
  const arrivals = await toTransfers(
    sources,
    rows.filter(({ movement }) => movement.to === address),
    options,
  );
  const isCut = reasons.includes('page_limit') && !history.coverage.reasons.includes('page_limit');
  const { coverage } = history;
  const cut = { ...coverage, complete: false, reasons: [...coverage.reasons, 'page_limit'] };
  return { ...history, transfers: [...history.transfers, ...arrivals], coverage: isCut ? cut : coverage };
}

/** Marks inner moves of transactions that failed and that the address did not send. */
async function withFailedInner(
  sources: EvmSources,
  history: AddressHistory,
  options?: RequestOptions,
): Promise<AddressHistory> {
  const isAsked = ({ kind, txSender, failed }: Transfer) => kind === 'internal' && txSender === null && !failed;
  const inner = history.transfers.filter(isAsked).sort((a, b) => b.at - a.at);
  const hashes = [...new Set(inner.map(({ txHash }) => txHash))].slice(0, INNER_MAX);
  const receipts = await fetchReceipts(rpcOf(sources), hashes, options).catch((error: unknown) => {
    // The history stays one that does not explain the balance.
    if (error instanceof SourceError && error.problem === 'unusable_answer') return [];
    throw error;
  });
  const failed = new Set(hashes.filter((_, place) => receipts[place]?.status === 0));
  const transfers = history.transfers.map((transfer) =>
    isAsked(transfer) && failed.has(transfer.txHash)
      ? { ...transfer, failed: true, id: transferId({ ...transfer, failed: true }) }
      : transfer,
  );
  return failed.size === 0 ? history : { ...history, transfers };
}

/** Returns the differing balances that differed at an older block too, or that no node states for it. */
async function stillUnexplained(
  { chain, rpc }: EvmSources,
  address: string,
  { history, found }: { history: AddressHistory; found: UnexplainedBalance[] },
  options?: RequestOptions,
): Promise<UnexplainedBalance[]> {
  if (!rpc || found.length === 0) return found;
  const block = (await headBlock(rpc, options)) - SETTLED_BLOCKS;
  if (block < 0) return found;
  const tokens = found.flatMap(({ token }) => token ?? []);
  const calls = [
    { method: 'eth_getBalance', params: [address, hex(block)] },
    ...tokens.map((token) => balanceCall(token, address, hex(block))),
  ];
  const [coin, ...others] = await rpc.attemptAll(calls, options);
  const stated = coin && 'result' in coin ? quantity.safeParse(coin.result) : null;
  const balance = stated?.success ? formatUnits(stated.data, NATIVE_COIN[chain].decimals) : null;
  const tokenBalances = tokens.flatMap((token, place) => statedBalance(chain, token, others[place]) ?? []);
  const transfers = history.transfers.filter((transfer) => transfer.block === null || transfer.block <= block);
  const older = unexplainedBalances(chain, address, { balance, tokenBalances, transfers });
  const isExplained = ({ token }: UnexplainedBalance) =>
    (token === null ? balance !== null : tokenBalances.some((one) => one.token === token)) &&
    !older.some((one) => one.token === token);
  return found.filter((one) => !isExplained(one));
}
