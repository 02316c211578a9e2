import type { GraphContext, RecordsContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { type Crossing, likelyReceipt } from '../../domain/bridges/crossing.ts';
import type { BridgeMessage } from '../../domain/bridges/message.ts';
import type { Chain } from '../../domain/chain.ts';
import { iso } from '../../domain/time.ts';
import { canonicalTxHash } from '../../domain/tx-hash.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { openCrossings } from '../../graph/queries/crossings.ts';
import { MATCH_DECISIONS_PER_ACCOUNT } from '../../plans.ts';
import { withinStorage } from '../../records/accounts/accounts.ts';
import { authorName } from '../../records/accounts/people.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { lockCase } from '../../records/cases/cases.ts';
import { insertEventNote } from '../../records/cases/notes.ts';
import { type Records, readerOf } from '../../records/database/database.ts';
import type { MatchDecisionRow } from '../../records/database/tables/bridges.ts';
import {
  countMatchDecisions,
  insertMatchDecision,
  newestMatchDecision,
  pageMatchDecisions,
} from '../../records/scans/match-decisions.ts';

const GRAPH_MS = 10_000;

export interface NewMatchDecision {
  chain: Chain;
  /** Canonical: either end of the crossing. */
  address: string;
  crossingId: string;
  /** The transaction of the receipt. */
  txHash: string;
  decision: MatchDecisionRow['decision'];
  reason: string;
  /** Case in whose timeline it is written too; null: none. */
  caseId: string | null;
}

/**
 * Confirms or rejects a likely match, for the answers of this account alone; a later decision replaces it. Throws
 * NotFoundError (no such likely match, or case), InvalidInputError (too many decisions) or GraphError.
 */
export async function decideMatch(ctx: RecordsContext & GraphContext, tenant: Tenant, given: NewMatchDecision) {
  const { accountId, keyId } = tenant;
  const { source, destination, receiptId } = await likelyMatchOf(ctx, given);
  return withinStorage(ctx.records, accountId, async (records) => {
    const match = { account_id: accountId, crossing_id: given.crossingId, receipt_id: receiptId };
    const before = await newestMatchDecision(records, match);
    // Decisions count in the order in which they are kept, whatever the clocks of the processes say.
    const now = Math.max(ctx.now(), (before?.created_at ?? 0) + 1);
    const isUndone = given.decision === 'withdrawn' && before !== undefined && before.decision !== 'withdrawn';
    if (!isUndone && (await countMatchDecisions(records, accountId)) >= MATCH_DECISIONS_PER_ACCOUNT) {
      throw new InvalidInputError(`Maximum of ${MATCH_DECISIONS_PER_ACCOUNT} decisions on likely matches reached`);
    }
    const row: MatchDecisionRow = {
      ...match,
      created_at: now,
      chain_out: source.chain,
      tx_out: source.tx,
      chain_in: destination.chain,
      tx_in: destination.tx,
      decision: given.decision,
      reason: given.reason,
      author: await authorName(records, keyId),
      key_id: keyId,
    };
    await insertMatchDecision(records, row);
    if (given.caseId !== null) await writeIntoCase(records, tenant, given.caseId, row);
    const subject = `${row.crossing_id} ${row.receipt_id} ${row.decision}`;
    const caseId = given.caseId ?? undefined;
    await insertAudit(records, { ...tenant, caseId, action: 'match_decided', subject }, now);
    return matchDecisionRecord(row, true);
  });
}

async function likelyMatchOf(
  ctx: GraphContext,
  { chain, address, crossingId, txHash }: NewMatchDecision,
): Promise<{ source: BridgeMessage; destination: BridgeMessage; receiptId: string }> {
  const key = addressKey(chain, address);
  const { byKey } = await openCrossings(ctx.graph, [key], { timeoutMs: GRAPH_MS, labels: new Map() });
  const found = byKey.get(key)?.find((one) => one.id === crossingId && isLikelyWith(one, txHash));
  const receiptId = found ? likelyReceipt(found) : null;
  if (!found?.source || !found.destination || receiptId === null) {
    throw new NotFoundError('This crossing has no likely match with that transaction');
  }
  return { source: found.source, destination: found.destination, receiptId };
}

function isLikelyWith({ match, destination }: Crossing, txHash: string): boolean {
  return match === 'likely' && destination !== null && destination.tx === canonicalTxHash(destination.chain, txHash);
}

async function writeIntoCase(records: Records, tenant: Tenant, caseId: string, row: MatchDecisionRow): Promise<void> {
  const { decision, key_id: keyId, reason, created_at: now } = row;
  const source = { chain: row.chain_out, tx_hash: row.tx_out };
  const destination = { chain: row.chain_in, tx_hash: row.tx_in };
  const event = { kind: 'match_decided', decision, source, destination, reason } as const;
  await lockCase(records, tenant.accountId, caseId, now);
  await insertEventNote(records, { caseId, event, keyId, noteType: 'decision', now });
}

/** The account's decisions on likely matches, newest first, replaced ones among them. */
export async function listDecisions(
  ctx: RecordsContext,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
) {
  const [rows, total] = await Promise.all([
    pageMatchDecisions(ctx.records, accountId, { limit, offset }),
    countMatchDecisions(readerOf(ctx.records), accountId),
  ]);
  return { decisions: rows.map((row) => matchDecisionRecord(row, !row.isReplaced)), total, limit, offset };
}

/** Returns a decision as answers show it; `inForce` is false where a later one replaced it. */
function matchDecisionRecord(row: MatchDecisionRow, inForce: boolean) {
  const { crossing_id, chain_out, tx_out, chain_in, tx_in, decision, reason, author, created_at } = row;
  return {
    crossing_id,
    source: { chain: chain_out, tx_hash: tx_out },
    destination: { chain: chain_in, tx_hash: tx_in },
    decision,
    reason,
    author,
    created_at: iso(created_at),
    in_force: inForce,
  };
}
