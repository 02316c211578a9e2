import type { ChainTransaction, RequestOptions } from '../../chains/port.ts';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { isoOrNull } from '../../domain/time.ts';
import { NotFoundError, PipelineError } from '../../errors.ts';
import type { Tenant } from '../../http/auth.ts';
import { billScans, releaseScans, reserveScans } from '../../records/accounts/quota.ts';
import type { AnswerLanguage } from '../../words/language.ts';
import type { ScanAnswer, ScanPayment } from './record-scan.ts';
import { asTenantSees } from './risk-settings-applied.ts';
import { scanAddress } from './scan-address.ts';
import { isRepeatedScan } from './scan-rules.ts';
import { type TransactionParties, transactionParties } from './scan-transaction-parties.ts';

export interface TransactionScan extends Omit<TransactionParties, 'sender' | 'receiver'> {
  success: true;
  chain: Chain;
  tx_hash: string;
  block_number: number | null;
  timestamp: string | null;
  status: ChainTransaction['status'];
  sender: ScanAnswer | null;
  receiver: ScanAnswer | null;
}

interface TransactionScanRequest {
  chain: Chain;
  /** Canonical. */
  hash: string;
  lang: AnswerLanguage;
}

/**
 * Scans both ends of a transaction. Units for all are reserved first: too small a quota refuses the request
 * (QuotaError). Each scan made is billed, a cached one is free. Throws NotFoundError, SourceError or PipelineError,
 * with nothing billed where the transaction cannot be read.
 */
export async function scanTransaction(
  ctx: Context,
  tenant: Tenant,
  { chain, hash, lang }: TransactionScanRequest,
): Promise<TransactionScan> {
  const signal = AbortSignal.timeout(ctx.config.SCAN_DEADLINE_MS);
  try {
    const transaction = await findTransaction(ctx, chain, hash, { signal, account: tenant.accountId });
    const { sender, receiver, ...parties } = transactionParties(chain, transaction);
    const scans = await scanParties(ctx, tenant, { chain, lang, signal, addresses: [sender, receiver] });
    return {
      success: true,
      chain,
      tx_hash: transaction.txHash,
      block_number: transaction.block,
      timestamp: isoOrNull(transaction.at),
      status: transaction.status,
      ...parties,
      sender: scans.get(sender ?? '') ?? null,
      receiver: scans.get(receiver ?? '') ?? null,
    };
  } catch (error) {
    throw signal.aborted ? new PipelineError('Scan timed out. Use the asynchronous endpoint.') : error;
  }
}

async function findTransaction(ctx: Context, chain: Chain, hash: string, options: RequestOptions) {
  const source = await ctx.chainSource(chain);
  if (!source) throw new PipelineError(`No data source configured for ${chain}`);
  const transaction = await source.transaction(hash, options);
  if (!transaction) throw new NotFoundError(`Transaction not found on ${chain}`);
  return transaction;
}

interface PartiesToScan {
  chain: Chain;
  lang: AnswerLanguage;
  signal: AbortSignal;
  addresses: (string | null)[];
}

async function scanParties(
  ctx: Context,
  tenant: Tenant,
  { chain, lang, signal, addresses }: PartiesToScan,
): Promise<Map<string, ScanAnswer>> {
  const parties = [...new Set(addresses.filter((address) => address !== null))];
  const repeated = await Promise.all(
    parties.map((address) => isRepeatedScan(ctx, tenant.accountId, { chain, address })),
  );
  const reservation = await reserveScans(ctx.records, {
    ...tenant,
    units: repeated.filter((isRepeated) => !isRepeated).length,
    now: ctx.now(),
    leaseMs: ctx.config.SCAN_DEADLINE_MS + 60_000,
  });
  const payment: ScanPayment = (records) => billScans(records, reservation.id, 1);
  const scans = new Map<string, ScanAnswer>();
  try {
    const outcomes = await Promise.allSettled(
      parties.map((address) => scanAddress(ctx, tenant, { chain, address, lang, source: 'sync', payment, signal })),
    );
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled')
        scans.set(parties[i]!, await asTenantSees(ctx, tenant.accountId, outcome.value));
      // An address of which nobody knows anything, such as the receiver of a pending payment.
      else if (!(outcome.reason instanceof NotFoundError)) throw outcome.reason;
    }
    return scans;
  } finally {
    await releaseScans(ctx.records, reservation.id);
  }
}
