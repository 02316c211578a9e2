import type { Language } from '../../../words/language.ts';
import type { ChainTransaction, RequestOptions } from '../../chains/port.ts';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { isoOrNull } from '../../domain/time.ts';
import { NotFoundError, PipelineError } from '../../errors.ts';
import { billScans, releaseScans, reserveScans } from '../../records/accounts/quota.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { RecordWith, ScanAnswer, ScanPayment } from './record-scan.ts';
import { tenantView } from './risk-settings-applied.ts';
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
  lang: Language;
}

/**
 * Scans both ends of a transaction. Units for all are reserved first: too small a quota refuses the request
 * (QuotaError). Each scan made is billed, a cached one is free; a repetition after a kill finds both or none. Throws NotFoundError, SourceError or PipelineError,
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
    const { sender, receiver, ...parties } = transactionParties(chain, transaction, lang);
    const asSeen = await tenantView(ctx, tenant.accountId);
    const scanOf = (scans: Scans, party: string | null) => {
      const scan = scans.get(party ?? '');
      return scan ? asSeen(scan) : null;
    };
    const toAnswer = (scans: Scans): TransactionScan => ({
      success: true,
      chain,
      tx_hash: transaction.txHash,
      block_number: transaction.block,
      timestamp: isoOrNull(transaction.at),
      status: transaction.status,
      ...parties,
      sender: scanOf(scans, sender),
      receiver: scanOf(scans, receiver),
    });
    return toAnswer(await scanParties(ctx, tenant, { chain, lang, signal, addresses: [sender, receiver], toAnswer }));
  } catch (error) {
    throw signal.aborted ? new PipelineError('Scan timed out. Use the asynchronous endpoint.') : error;
  }
}

type Scans = ReadonlyMap<string, ScanAnswer>;

async function findTransaction(ctx: Context, chain: Chain, hash: string, options: RequestOptions) {
  const source = await ctx.chainSource(chain);
  if (!source) throw new PipelineError(`No data source configured for ${chain}`);
  const transaction = await source.transaction(hash, options);
  if (!transaction) throw new NotFoundError(`Transaction not found on ${chain}`);
  return transaction;
}

interface PartiesToScan {
  chain: Chain;
  lang: Language;
  signal: AbortSignal;
  addresses: (string | null)[];
  toAnswer: (scans: Scans) => TransactionScan;
}

/** Scans each party. What is scanned is recorded and billed in one transaction, with the answer of an idempotency key. */
async function scanParties(
  ctx: Context,
  tenant: Tenant,
  { chain, lang, signal, addresses, toAnswer }: PartiesToScan,
): Promise<Scans> {
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
  const failures: unknown[] = [];
  const keepAnswer = async (records: Records) => {
    if (failures.length === 0) await tenant.hold?.keepAnswer(records, toAnswer(scans));
  };
  const together = recordTogether(ctx.records, parties.length, keepAnswer);
  const scanParty = async (address: string) => {
    let isRecorded = false;
    const recordWith: RecordWith = (write, answer) => {
      isRecorded = true;
      scans.set(address, answer);
      return together.record(write);
    };
    const request = { chain, address, lang, source: 'sync', payment, signal, recordWith } as const;
    try {
      scans.set(address, await scanAddress(ctx, tenant, request));
    } catch (error) {
      // An address without any history, such as the receiver of a pending payment.
      if (!(error instanceof NotFoundError)) failures.push(error);
    }
    if (!isRecorded) together.leave();
  };
  try {
    await Promise.all(parties.map(scanParty));
    if (failures.length > 0) throw failures[0];
    return scans;
  } finally {
    await releaseScans(ctx.records, reservation.id);
  }
}

/** Collects what records several scans. Once each has come or left, all is written in one transaction, then `last`. */
export function recordTogether(records: Records, count: number, last: (records: Records) => Promise<void>) {
  const writes: ((records: Records) => Promise<void>)[] = [];
  let missing = count;
  let end: (written: Promise<void> | undefined) => void;
  const written = new Promise<void>((resolve) => {
    end = resolve;
  });
  const writeAll = () =>
    inTransaction(records, async (transaction) => {
      for (const write of [...writes, last]) await write(transaction);
    });
  const leave = () => {
    missing--;
    if (missing === 0) end(writes.length > 0 ? writeAll() : undefined);
  };
  const record = (write: (records: Records) => Promise<void>) => {
    writes.push(write);
    leave();
    return written;
  };
  return { record, leave };
}
