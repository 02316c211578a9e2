import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { Label } from '../../domain/label.ts';
import { recordEvent } from '../../events/outbox.ts';
import { type AlertedTransfer, eventDetections, type ScanCompleted, watchlistAlert } from '../../events/payloads.ts';
import { nextTurn } from '../../fairness/time-slices.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { ScreenedTransferRow, TransferPartyRow } from '../../records/database/tables/transfers.ts';
import { readTransfer } from '../../records/monitoring/screened-transfers.ts';
import { adverseParties, forgetParties, keepAdverse } from '../../records/monitoring/transfer-parties.ts';
import { isAdverse, labelFloor } from '../../risk/label-floor.ts';
import { levelOf } from '../../risk/scoring/score.ts';
import { holdersBeside } from '../../tracing/read/by-entity.ts';
import { levelOfParties, type TransferResult } from './transfer-result.ts';

const AT_ONCE = 500;

/** Returns what adverse labels in force say, one text each, in order: a name that a list corrects is not new. */
export function adverseStatements(labels: readonly Label[], at: number): string[] {
  const said = labels.filter((label) => isAdverse(label, at)).map(({ category, source }) => `${category} ${source}`);
  return [...new Set(said)].sort();
}

/** Raises an alert for each watched counterparty that a list has named since; how many. Asks no chain. */
export async function alertListedParties(ctx: Context, signal?: AbortSignal): Promise<number> {
  const now = ctx.now();
  await forgetParties(ctx.records, now);
  let alerts = 0;
  let after: TransferPartyRow | undefined;
  for (;;) {
    const parties = await adverseParties(ctx.records, now, { after, limit: AT_ONCE });
    for (const party of parties) if (await alertIfListed(ctx, party, now)) alerts += 1;
    after = parties.at(-1);
    if (parties.length < AT_ONCE || signal?.aborted) return alerts;
    await nextTurn();
  }
}

async function alertIfListed(ctx: Context, party: TransferPartyRow, now: number): Promise<boolean> {
  const { chain, address, transfer_id } = party;
  const labels = ((await ctx.labels.find(chain, [address])).get(address) ?? []).filter((one) => isAdverse(one, now));
  const known = new Set(JSON.parse(party.adverse) as string[]);
  const statements = adverseStatements(labels, now);
  if (statements.every((one) => known.has(one))) return false;
  const key = addressKey(chain, address);
  const holders = await holdersBeside(ctx.graph, [key]);
  return inTransaction(ctx.records, async (records) => {
    if (!(await keepAdverse(records, party, JSON.stringify([...new Set([...known, ...statements])])))) return false;
    const transfer = await readTransfer(records, transfer_id);
    const score = Math.max(...labels.map(labelFloor), transfer.risk_score ?? 0);
    const data = watchlistAlert(ctx.config.publicUrl, {
      reason: 'transfer_counterparty',
      address,
      chain,
      holder: holders.get(key),
      risk_level: levelOf(score),
      risk_score: score,
      labels: labels.map(({ category, label, source }) => ({ category, label, source })),
      transfer: alertedTransfer(transfer),
      cause: 'labels',
      page: pageOf(transfer),
    });
    const { account_id: accountId } = transfer;
    await recordEvent(records, { type: 'watchlist.alert', accountId, subject: transfer_id, data, at: now });
    return true;
  });
}

/** `scan.completed` of a transfer that is screened; one that is not needs a person, and so is an alert. */
export async function recordTransferEvent(
  ctx: Context,
  records: Records,
  transfer: ScreenedTransferRow,
): Promise<void> {
  const { id: subject, account_id: accountId, ended_at, result, chain } = transfer;
  const at = ended_at!;
  if (result === null) {
    const data = watchlistAlert(ctx.config.publicUrl, {
      ...{ reason: 'transfer_not_screened', chain, cause: 'transfers' },
      transfer: alertedTransfer(transfer),
      page: pageOf(transfer),
    });
    await recordEvent(records, { type: 'watchlist.alert', accountId, subject, data, at });
    return;
  }
  const { parties, is_whole } = JSON.parse(result) as TransferResult;
  const { worst, level, score } = levelOfParties(parties, is_whole);
  const data: ScanCompleted = {
    ...{ scan_id: worst.scan_id ?? null, source: 'transfer', address: worst.address, chain },
    ...{ risk_level: level, risk_score: score, detection_count: worst.detection_count },
    detections: eventDetections(worst.detections as never),
    detail_url: `${ctx.config.publicUrl}/api/v1/${pageOf(transfer)}`,
    score_semantics: 'risk_0to100',
    transfer: alertedTransfer(transfer),
  };
  await recordEvent(records, { type: 'scan.completed', accountId, subject, data, at });
}

export function alertedTransfer({
  id,
  tx_hash,
  direction,
  state,
  reason,
  reference,
  customer_ref,
}: ScreenedTransferRow): AlertedTransfer {
  return { id, tx_hash, direction, state, reason, reference, customer_ref };
}

function pageOf({ id }: ScreenedTransferRow): string {
  return `transfers/${id}`;
}
