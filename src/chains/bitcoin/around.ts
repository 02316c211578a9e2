import type { Endpoint } from '../http.ts';
import type { AddressHistory, Around, RequestOptions } from '../port.ts';
import { inParallel } from '../reply.ts';
import {
  askAddress,
  askOutspends,
  askPage,
  askTransaction,
  type EsploraAddress,
  type EsploraTransaction,
  nonsense,
  PAGE_SIZE,
} from './esplora.ts';
import { CLOCK_SLACK_MS, collector, pages, wholeHistory } from './history.ts';

const PARALLEL = 4;
/** Spending transactions looked up for one receipt. */
const SPENDINGS_MAX = 25;

/**
 * A short history is read whole. Else: backward, the pages behind the payment; forward, the transactions that spend
 * what the receipt paid to the address, which is not a whole list, so that nothing counts as read.
 */
export async function historyAround(
  endpoint: Endpoint,
  address: string,
  around: Around,
  request?: RequestOptions,
): Promise<AddressHistory> {
  const account = await askAddress(endpoint, address, request);
  if (account.confirmedTxs <= around.pages * PAGE_SIZE) {
    return wholeHistory(endpoint, around.pages, address, account, request);
  }
  const tx = await askTransaction(endpoint, around.txHash, request);
  if (!tx?.confirmed || ![...tx.inputs, ...tx.outputs].some((party) => party.address === address)) {
    throw nonsense(endpoint, `does not know transaction ${around.txHash} of the address asked for`);
  }
  if (around.sentBefore !== undefined) return since(endpoint, address, account, tx, around.pages, request);
  return around.direction === 'backward'
    ? behind(endpoint, address, account, tx, around.pages, request)
    : spendings(endpoint, address, account, tx, request);
}

async function behind(
  endpoint: Endpoint,
  address: string,
  account: EsploraAddress,
  payment: EsploraTransaction,
  pageLimit: number,
  request?: RequestOptions,
): Promise<AddressHistory> {
  const { block, at } = payment.confirmed!;
  const collected = collector(address);
  const seen = new Set([payment.txHash]);
  collected.add(payment);
  let after = payment.txHash;
  let ended = false;
  for (let asked = 0; asked < pageLimit && !ended; asked++) {
    const page = await askPage(endpoint, address, after, request);
    // A cursor that the server does not know gives the newest page instead.
    const wrong = page.find(({ txHash, confirmed }) => seen.has(txHash) || !confirmed || confirmed.block > block);
    if (wrong) throw nonsense(endpoint, `the page behind ${payment.txHash} does not begin there`);
    for (const tx of page) {
      seen.add(tx.txHash);
      collected.add(tx);
    }
    ended = page.length < PAGE_SIZE;
    after = page.at(-1)?.txHash ?? after;
  }
  if (!ended) collected.reasons.add('page_limit');
  const from = ended ? 0 : collected.oldest() + CLOCK_SLACK_MS;
  const read = from <= at ? [{ list: 'coin' as const, from, to: at }] : [];
  return collected.history(endpoint, account, { complete: false, read });
}

/** The newest pages down to a known transaction. */
async function since(
  endpoint: Endpoint,
  address: string,
  account: EsploraAddress,
  known: EsploraTransaction,
  pageLimit: number,
  request?: RequestOptions,
): Promise<AddressHistory> {
  const collected = collector(address);
  const { block, at } = known.confirmed!;
  let reached = false;
  for await (const page of pages(endpoint, pageLimit, address, account.confirmedTxs, request)) {
    for (const tx of page.txs) if (!tx.confirmed || tx.confirmed.block >= block) collected.add(tx);
    reached = page.txs.some(({ confirmed }) => confirmed !== null && confirmed.block < block);
    if (reached) break;
  }
  if (!reached) collected.reasons.add('page_limit');
  const read = reached ? [{ list: 'coin' as const, from: at, to: null }] : [];
  return collected.history(endpoint, account, { complete: false, read });
}

async function spendings(
  endpoint: Endpoint,
  address: string,
  account: EsploraAddress,
  receipt: EsploraTransaction,
  request?: RequestOptions,
): Promise<AddressHistory> {
  const collected = collector(address);
  collected.add(receipt);
  const outspends = await askOutspends(endpoint, receipt, request);
  const own = receipt.outputs.flatMap((output, i) => (output.address === address ? (outspends[i] ?? []) : []));
  const hashes = [...new Set(own)];
  if (hashes.length > SPENDINGS_MAX) collected.reasons.add('page_limit');
  const found = await inParallel(hashes.slice(0, SPENDINGS_MAX), PARALLEL, (hash) =>
    askTransaction(endpoint, hash, request),
  );
  for (const tx of found) {
    if (!tx?.inputs.some((input) => input.address === address)) {
      throw nonsense(endpoint, `an output of ${receipt.txHash} is spent by a transaction that does not spend it`);
    }
    collected.add(tx);
  }
  collected.reasons.add('spendings_only');
  return collected.history(endpoint, account, { complete: false, read: [] });
}
