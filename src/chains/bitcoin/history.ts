import { ownKeys } from '../../domain/address/public-key.ts';
import { formatUnits } from '../../domain/amount.ts';
import { NATIVE_COIN } from '../../domain/chain.ts';
import { earlierProof } from '../../domain/entity.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { explained } from '../../domain/transfers/explained-balance.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { type UtxoParty, utxoTransfers } from '../../domain/transfers/utxo.ts';
import { timeSlices } from '../../fairness/time-slices.ts';
import type { Endpoint } from '../http.ts';
import type { AddressHistory, AddressType, ListSpan, RequestOptions, RevealedKey } from '../port.ts';
import { askAddress, askPage, type EsploraAddress, type EsploraTransaction, nonsense, PAGE_SIZE } from './esplora.ts';

/** Transfers held of one address: payouts of a large service would fill the memory long before the page limit. */
const TRANSFERS_MAX = 50_000;

/** A block may be dated up to two hours ahead and the next ones an hour behind, so dates are not in order. */
export const CLOCK_SLACK_MS = 3 * HOUR_MS;

/** The whole confirmed history, newest first, down to the page limit. */
export async function history(
  endpoint: Endpoint,
  pageLimit: number,
  address: string,
  request?: RequestOptions,
): Promise<AddressHistory> {
  const account = await askAddress(endpoint, address, request);
  return wholeHistory(endpoint, pageLimit, address, account, request);
}

export async function wholeHistory(
  endpoint: Endpoint,
  pageLimit: number,
  address: string,
  account: EsploraAddress,
  request?: RequestOptions,
): Promise<AddressHistory> {
  const collected = collector(address);
  const { confirmedTxs } = account;
  let read = 0;
  let stopped: string | null = null;
  const pause = timeSlices();
  if (confirmedTxs > 0) {
    for await (const page of pages(endpoint, pageLimit, address, confirmedTxs, request)) {
      const before = collected.count();
      for (const tx of page.txs) {
        collected.add(tx);
        await pause();
      }
      request?.onRows?.(collected.count() - before);
      read += page.txs.length;
      stopped = page.stopped;
      if (collected.count() >= TRANSFERS_MAX && read < confirmedTxs) stopped = 'transfer_limit';
      if (stopped !== null) break;
    }
  }
  if (stopped !== null) collected.reasons.add(stopped);
  const from = stopped === null ? 0 : collected.oldest() + CLOCK_SLACK_MS;
  const span: ListSpan = { list: 'coin', from, to: null };
  return explained(
    'bitcoin',
    address,
    collected.history(endpoint, account, { complete: stopped === null, read: [span] }),
  );
}

/** Gathers transactions into the history of one address. */
export function collector(address: string) {
  const transfers = new Map<string, Transfer>();
  const otherFees = new Map<string, string>();
  const reasons = new Set<string>();
  const isOwnKey = ownKeys({ chain: 'bitcoin', address });
  const shown = new Map<string, RevealedKey>();
  let revealed: RevealedKey | undefined;
  let isMultisig = false;
  let oldest = Number.MAX_SAFE_INTEGER;
  return {
    reasons,
    count: () => transfers.size,
    /** Epoch ms of the earliest block. */
    oldest: () => oldest,
    add(tx: EsploraTransaction): void {
      if (tx.multisig.includes(address)) isMultisig = true;
      if (!tx.confirmed) {
        reasons.add('unconfirmed_left_out');
        return;
      }
      oldest = Math.min(oldest, tx.confirmed.at);
      for (const [payer, publicKey] of tx.keys) {
        const key = { publicKey, txHash: tx.txHash, at: tx.confirmed.at };
        if (payer !== address) shown.set(payer, earlierProof(shown.get(payer), key));
        else if (isOwnKey(publicKey)) revealed = earlierProof(revealed, key);
      }
      const derived = utxoTransfers(tx.confirmed, address);
      for (const transfer of derived.transfers) transfers.set(transfer.id, transfer);
      for (const reason of derived.reasons) reasons.add(reason);
      const isMoved = derived.transfers.some(({ from, to }) => from !== to && (from === address || to === address));
      const lost = satoshiOf(address, tx.confirmed.inputs) - satoshiOf(address, tx.confirmed.outputs);
      if (!isMoved && lost > 0n) otherFees.set(tx.confirmed.txHash, formatUnits(lost, NATIVE_COIN.bitcoin.decimals));
    },
    history(
      endpoint: Endpoint,
      { balance, confirmedTxs, unconfirmedTxs }: EsploraAddress,
      { complete, read }: { complete: boolean; read: ListSpan[] },
    ): AddressHistory {
      const found = confirmedTxs + unconfirmedTxs > 0;
      if (unconfirmedTxs > 0) reasons.add('unconfirmed_left_out');
      const addressType: AddressType = isMultisig ? 'multisig' : found ? 'wallet' : 'unknown';
      const amount = formatUnits(balance, NATIVE_COIN.bitcoin.decimals);
      return {
        found,
        addressType,
        balance: amount,
        transactionCount: confirmedTxs,
        transfers: [...transfers.values()],
        ...(revealed && { revealed }),
        ...(shown.size > 0 && { shown }),
        otherFees: [...otherFees].map(([txHash, amount]) => ({ txHash, amount })),
        tags: [],
        coverage: { complete, sources: [endpoint.name], reasons: [...reasons] },
        read,
        balances: complete ? [{ token: null, at: null, amount }] : [],
      };
    },
  };
}

/** Satoshi of an address among inputs or outputs. */
function satoshiOf(address: string, parties: readonly UtxoParty[]): bigint {
  return parties.reduce((sum, party) => (party.address === address ? sum + party.value : sum), 0n);
}

interface Page {
  txs: EsploraTransaction[];
  /** Why the history ends here although there is more; null while it goes on. */
  stopped: 'page_limit' | 'history_shorter_than_count' | null;
}

/**
 * The confirmed history, newest first, each transaction once. A cursor that the server does not understand
 * gives the first page again: a page with nothing new on it is therefore a fault, not an end.
 */
export async function* pages(
  endpoint: Endpoint,
  pageLimit: number,
  address: string,
  expected: number,
  request?: RequestOptions,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  let after: string | null = null;
  for (let asked = 0; ; asked++) {
    if (asked === pageLimit) {
      if (seen.size < expected) yield { txs: [], stopped: 'page_limit' };
      return;
    }
    const page: EsploraTransaction[] = await askPage(endpoint, address, after, request);
    if (page.length === 0) break;
    const txs = page.filter(({ txHash }) => !seen.has(txHash));
    if (txs.length === 0) throw nonsense(endpoint, 'paging does not advance');
    for (const { txHash } of txs) seen.add(txHash);
    yield { txs, stopped: null };
    if (seen.size >= expected && page.length < PAGE_SIZE) return;
    after = page.at(-1)!.txHash;
  }
  if (seen.size < expected) yield { txs: [], stopped: 'history_shorter_than_count' };
}
