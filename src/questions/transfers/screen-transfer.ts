import type { Language } from '../../../words/language.ts';
import type { ChainTransaction } from '../../chains/port.ts';
import type { Context } from '../../context.ts';
import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import type { Category, Label } from '../../domain/label.ts';
import { type TransferReason, type TransferState, WATCHED_MS } from '../../domain/screened-transfer.ts';
import { AppError, NotFoundError, SourceError } from '../../errors.ts';
import type { Attempt } from '../../jobs/port.ts';
import { openLevelLabels } from '../../labels/own-labels.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import { type ChangeOf, inTransaction, type Records } from '../../records/database/database.ts';
import type { ScreenedTransferRow } from '../../records/database/tables/transfers.ts';
import { type OnJobEnd, takenOver, WAIT_MS_MAX, writeAsHolder } from '../../records/jobs/job-leases.ts';
import { findTransfer, updateWaiting } from '../../records/monitoring/screened-transfers.ts';
import { watchParties } from '../../records/monitoring/transfer-parties.ts';
import { isAdverse, labelFloor } from '../../risk/label-floor.ts';
import { levelOf } from '../../risk/scoring/score.ts';
import { payerOf } from '../account/payer.ts';
import { rowResult } from '../jobs/get-job-results.ts';
import { billUnits, holdUnits, releaseUnits } from '../jobs/job-units.ts';
import { applyRules } from '../rules/apply-rules.ts';
import type { RecordWith, ScanAnswer } from '../scans/record-scan.ts';
import { scanAddress } from '../scans/scan-address.ts';
import { recordTogether } from '../scans/scan-transaction.ts';
import { type MatchedTransfer, matchTransfer } from './match-transfer.ts';
import { levelOfParties, type ScreenedParty, type TransferResult } from './transfer-result.ts';
import { adverseStatements, alertedTransfer, recordTransferEvent } from './watch-transfers.ts';

/** Senders of one deposit that are scanned; of the others their labels are looked up. */
const SCANNED_MAX = 5;
/** Parties of one transfer that are kept. */
const PARTIES_MAX = 50;
const FIRST_WAIT_MS = 3_000;

/**
 * Screens the other side of a transfer once its transaction is confirmed: waits for that in pauses that grow to a minute, and
 * says after an hour that it did not come. One unit is billed where an address was scanned, together with what is recorded.
 */
export async function screenTransfer(ctx: Context, claimed: Attempt): Promise<void> {
  const { job, signal } = claimed;
  const transfer = await findTransfer(ctx.records, job.account_id, job.id);
  const close = () => claimed.close({ status: 'completed', errorMessage: null });
  if (transfer.state !== 'waiting') return close();
  const end = async (state: TransferState, reason: TransferReason) => {
    await inTransaction(ctx.records, (records) => endTransfer(ctx, records, transfer, { state, reason }));
    await close();
  };
  const waitOr = async (reason: TransferReason) => {
    const now = ctx.now();
    if (now >= transfer.wait_until) return end(reason === 'scan_failed' ? 'failed' : 'not_confirmed', reason);
    const pauseMs = Math.min(Math.max((now - transfer.created_at) / 10, FIRST_WAIT_MS), WAIT_MS_MAX);
    await claimed.wait(Math.min(Math.ceil(now + pauseMs), transfer.wait_until));
  };
  try {
    const source = await ctx.chainSource(transfer.chain);
    if (!source) return await end('failed', 'no_source');
    const found = await source.transaction(transfer.tx_hash, { account: job.account_id, signal, isJob: true });
    if (found?.status === 'failed') return await end('failed', 'reverted');
    if (found?.status !== 'success') return await waitOr(await whyUnconfirmed(ctx, transfer, found));
    await ctx.prices.price(found.transfers, signal);
    const matched = matchTransfer(transfer.chain, found.transfers, transfer);
    if (typeof matched === 'string') return await end('failed', matched);
    await screenParties(ctx, claimed, transfer, found, matched);
    await close();
  } catch (error) {
    if (!(error instanceof SourceError) || signal.aborted) throw error;
    ctx.log.warn({ err: error, transfer_id: transfer.id }, 'a transfer waits for the source of its chain');
    await waitOr('source_unavailable');
  }
}

async function whyUnconfirmed(ctx: Context, transfer: ScreenedTransferRow, found: ChainTransaction | null) {
  if (!found) return transfer.seen === 1 ? ('dropped' as const) : ('not_found' as const);
  if (transfer.seen === 0) await updateWaiting(ctx.records, transfer.id, { seen: 1 });
  return 'unconfirmed' as const;
}

/** Gives back what the job did not use; where it ended without a word on its transfer, that is not screened. */
export function endTransferJob(ctx: Context): OnJobEnd {
  return async (transaction, job, { status }) => {
    await releaseUnits(transaction, job);
    if (status === 'completed') return;
    const transfer = await findTransfer(transaction, job.account_id, job.id);
    if (transfer.state !== 'waiting') return;
    await endTransfer(ctx, transaction, transfer, { state: 'failed', reason: 'scan_failed' });
  };
}

async function endTransfer(
  ctx: Context,
  records: Records,
  transfer: ScreenedTransferRow,
  ended: ChangeOf<ScreenedTransferRow>,
): Promise<void> {
  const changed = { ...ended, ended_at: ctx.now() };
  await lockAccount(records, transfer.account_id);
  if (!(await updateWaiting(records, transfer.id, changed))) return;
  await recordTransferEvent(ctx, records, { ...transfer, ...changed });
}

/** Scans the other side and keeps all that is found of it, billed once, in one transaction. */
async function screenParties(
  ctx: Context,
  attempt: Attempt,
  transfer: ScreenedTransferRow,
  { block, at }: ChainTransaction,
  matched: MatchedTransfer,
): Promise<void> {
  const payer = await payerOf(ctx, transfer.account_id);
  const job = await holdUnits(ctx.records, payer, attempt.job, { units: 1, list: false, now: ctx.now() });
  const { chain } = transfer;
  const own = await openLevelLabels(ctx, transfer.account_id, matched.parties);
  const labels = await own.over(ctx.labels).find(chain, matched.parties);
  const labelsOf = (address: string) => labels.get(address) ?? [];
  const now = ctx.now();
  // A small payer under sanctions counts more than a large one that no list knows.
  const isListed = (address: string) => labelsOf(address).some((label) => isAdverse(label, now));
  const parties = [...matched.parties.filter(isListed), ...matched.parties.filter((one) => !isListed(one))];
  const toScan = parties.filter((one) => !isCoinJoin(one)).slice(0, SCANNED_MAX);

  const keep = async (records: Records, scans: ReadonlyMap<string, ScanAnswer>) => {
    await lockAccount(records, transfer.account_id);
    if (!(await writeAsHolder(records, job, { completed: 1 }))) throw takenOver();
    await billUnits(records, job, [...scans.values()].some(({ cached }) => !cached) ? 1 : 0);
    const screened = parties.slice(0, PARTIES_MAX).map((address) => {
      const scan = scans.get(address);
      return partyOf(address, scan, labelsOf(address), { asOf: now, wasAsked: toScan.includes(address) });
    });
    const isWhole = matched.isOneOwner || parties.length === toScan.length;
    const { level, score, reason, worst } = levelOfParties(screened, isWhole);
    const result: TransferResult = {
      moved: matched.moved,
      at,
      block,
      parties: screened,
      parties_total: parties.length,
      is_whole: isWhole,
    };
    const { direction, reference, customer_ref } = transfer;
    const known = { direction, reference, customer_ref, moved: matched.moved };
    for (const scan of scans.values()) {
      await applyRules(ctx, records, {
        ...{ accountId: transfer.account_id, scan, asked: { source: 'transfer', transfer: known } },
        transfer: alertedTransfer({ ...transfer, state: 'screened', reason }),
      });
    }
    await endTransfer(ctx, records, transfer, {
      state: 'screened',
      reason,
      result: JSON.stringify(result),
      risk_level: level,
      risk_score: score,
      category: worst.category,
      usd: matched.moved.every(({ usd }) => usd !== null)
        ? matched.moved.reduce((sum, one) => sum + one.usd!, 0)
        : null,
    });
    await watchParties(
      records,
      parties
        .filter((one) => !isCoinJoin(one))
        .map((address) => ({
          ...{ transfer_id: transfer.id, chain, address, watched_until: now + WATCHED_MS },
          adverse: JSON.stringify(adverseStatements(labelsOf(address), now)),
        })),
    );
  };
  await scanAndKeep(ctx, { ...attempt, job }, { transfer, payer, addresses: toScan, keep });
}

interface ToScan {
  transfer: ScreenedTransferRow;
  payer: Payer;
  addresses: readonly string[];
  keep: (records: Records, scans: ReadonlyMap<string, ScanAnswer>) => Promise<void>;
}

/** All or nothing: what failed is tried again with the others. An address without history has no scan. */
async function scanAndKeep(ctx: Context, { signal }: Attempt, { transfer, payer, addresses, keep }: ToScan) {
  const { chain, lang } = transfer;
  const scans = new Map<string, ScanAnswer>();
  const failures: unknown[] = [];
  let isKept = false;
  const keepAll = async (records: Records) => {
    if (failures.length > 0) throw failures[0];
    await keep(records, scans);
    isKept = true;
  };
  const together = recordTogether(ctx.records, addresses.length, keepAll);
  const scanOne = async (address: string) => {
    let isRecorded = false;
    const recordWith: RecordWith = (write, answer) => {
      isRecorded = true;
      scans.set(address, answer);
      return together.record(write);
    };
    try {
      const answer = await scanAddress(ctx, payer, {
        ...{ chain, address, lang: lang as Language, source: 'transfer', signal, recordWith },
        // Billed once, with the transfer.
        payment: async () => {},
      });
      if (!isRecorded) scans.set(address, answer);
    } catch (error) {
      if (!(error instanceof NotFoundError)) failures.push(error);
    }
    if (!isRecorded) together.leave();
  };
  await Promise.all(addresses.map(scanOne));
  if (failures.length > 0) throw failures.find((one) => !(one instanceof AppError)) ?? failures[0];
  if (!isKept) await inTransaction(ctx.records, keepAll);
}

function partyOf(
  address: string,
  scan: ScanAnswer | undefined,
  labels: readonly Label[],
  { asOf, wasAsked }: { asOf: number; wasAsked: boolean },
): ScreenedParty {
  const best = labels[0];
  const named = { address, label: best?.label ?? null, category: (best?.category ?? null) as Category | null };
  if (scan) return { ...named, state: 'scanned', ...rowResult(scan) };
  const floor = Math.max(0, ...labels.filter((label) => isAdverse(label, asOf)).map(labelFloor));
  const nothing = { detection_count: 0, detections: [], metadata: {} };
  if (floor > 0) return { ...named, state: 'by_label', risk_level: levelOf(floor), risk_score: floor, ...nothing };
  return { ...named, state: wasAsked ? 'unused' : 'not_scanned', risk_level: 'UNKNOWN', risk_score: 0, ...nothing };
}
