import { paragraph } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import type { Language } from '../../../words/language.ts';
import { WORDS } from '../../../words/words.ts';
import type { ChainTransaction, RequestOptions } from '../../chains/port.ts';
import type { Context } from '../../context.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { addAmounts } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import { isoOrNull } from '../../domain/time.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { NotFoundError, PipelineError } from '../../errors.ts';
import { billScans, releaseScans, reserveScans } from '../../records/accounts/quota.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { RecordWith, ScanAnswer, ScanPayment } from './record-scan.ts';
import { tenantView } from './risk-settings-applied.ts';
import { scanAddress } from './scan-address.ts';
import { isRepeatedScan } from './scan-rules.ts';

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

interface Participant {
  address: string;
  role: 'from' | 'to';
  asset: string | null;
  /** Exact decimal; null where the account took part without a transfer. */
  amount: string | null;
}

interface TransactionParties {
  /** Asset of the main transfer; null without one. */
  asset: string | null;
  amount: string | null;
  /** Canonical; null where the party has no address: newly mined coins, a party that cannot be named. */
  sender: string | null;
  receiver: string | null;
  participants: Participant[];
  note: string | null;
}

const PARTICIPANTS_MAX = 500;

/**
 * Returns who paid whom: the two ends of the main transfer, and everyone who took part, with what each gave or got in all.
 * A transaction without a transfer names its accounts, of which the first is the one that acted.
 *
 * @internal
 */
export function transactionParties(chain: Chain, transaction: ChainTransaction, lang: Language): TransactionParties {
  const main = transaction.transfers[0];
  const paid = main ? fromTransfers(transaction) : [];
  const everyone = main && !isOtherType(chain, transaction) ? paid : [...paid, ...fromAccounts(transaction, paid)];
  const acting = transaction.accounts[0];
  return {
    asset: main?.asset ?? null,
    amount: main?.amount ?? null,
    sender: main ? addressOrNull(chain, main.from) : addressOrNull(chain, acting),
    receiver: addressOrNull(chain, main?.to),
    participants: everyone.slice(0, PARTICIPANTS_MAX),
    note: noteOf(chain, transaction, { participants: everyone.length, lang }),
  };
}

/** Newly mined coins, crowded transactions and contracts not yet created have names that are not addresses. */
function addressOrNull(chain: Chain, party: string | undefined): string | null {
  return party === undefined ? null : (canonicalAddress(chain, party)?.address ?? null);
}

function fromTransfers({ transfers, spent = [] }: ChainTransaction): Participant[] {
  const sums = new Map<string, Participant & { amount: string }>();
  const add = (address: string, role: 'from' | 'to', { asset, amount, token }: Moved) => {
    if (isCoinJoin(address)) return;
    const key = `${role} ${address} ${token ?? ''} ${asset}`;
    const known = sums.get(key);
    if (known) known.amount = addAmounts(known.amount, amount);
    else sums.set(key, { address, role, asset, amount });
  };
  const payer = transfers[0]!.from;
  // A call without value does not make its receiver a party: of a token transfer that would be the contract.
  const moved = transfers.filter(({ amount }) => /[1-9]/.test(amount));
  for (const asset of spent) add(payer, 'from', asset);
  for (const transfer of moved.length > 0 ? moved : transfers.slice(0, 1)) {
    // Who pays across currencies never held what arrived.
    if (spent.length === 0 || transfer.from !== payer) add(transfer.from, 'from', transfer);
    add(transfer.to, 'to', transfer);
  }
  return [...sums.values()];
}

type Moved = Pick<Transfer, 'asset' | 'amount' | 'token'>;

/** The XRP Ledger moves value by many types; of all but payments it is of interest whom they touched. */
function isOtherType(chain: Chain, { type }: ChainTransaction): boolean {
  return chain === 'xrp' && type !== 'Payment';
}

function fromAccounts({ accounts }: ChainTransaction, paid: readonly Participant[]): Participant[] {
  const named = new Set(paid.map(({ address }) => address));
  return accounts
    .map((address, n): Participant => ({ address, role: n === 0 ? 'from' : 'to', asset: null, amount: null }))
    .filter(({ address }) => !named.has(address));
}

function noteOf(
  chain: Chain,
  transaction: ChainTransaction,
  { participants, lang }: { participants: number; lang: Language },
): string | null {
  const words = WORDS[lang].transaction;
  const { status, transfers, type, destinationTag, spent, stated } = transaction;
  const main = transfers[0];
  const what = type ? fill(words.of_type, { type }) : words.no_asset;
  const sentences = [
    status === 'pending' && words.pending,
    status === 'failed' && words.failed,
    !main && fill(words.accounts, { what }),
    main && isOtherType(chain, transaction) && fill(words.balances, { what }),
    main?.apportioned && words.apportioned,
    transfers.some(({ to }) => isCoinJoin(to)) && words.coinjoin,
    spent?.length && words.delivered,
    stated && fill(words.partial_payment, { amount: stated.amount, asset: stated.asset }),
    destinationTag !== undefined && fill(words.destination_tag, { tag: destinationTag }),
    participants > PARTICIPANTS_MAX && fill(words.participants, { shown: PARTICIPANTS_MAX, count: participants }),
  ];
  return paragraph(sentences, lang);
}
