import type { Config } from '../../config.ts';
import type { LabelsContext, RecordsContext } from '../../context.ts';
import { addressKey, parseAddressKey } from '../../domain/address/address-key.ts';
import {
  type CrossChain,
  type CrossingPolicy,
  crossingPolicy,
  FOLLOW_MATCHED,
  type LikelyMatches,
  likelyReceipt,
  type MatchDecision,
} from '../../domain/bridges/crossing.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { ListGap } from '../../domain/label.ts';
import type { ScanSlot } from '../../fairness/scan-slots.ts';
import { browserText } from '../../graph/browser-text.ts';
import type { Graph } from '../../graph/port.ts';
import { recorded } from '../../graph/recorded.ts';
import { NO_OWN_LABELS, type OwnLabels, openLevelLabels } from '../../labels/own-labels.ts';
import type { Records } from '../../records/database/database.ts';
import { listDecisionsInForce } from '../../records/scans/match-decisions.ts';
import { findRead } from '../../records/scans/traced-addresses.ts';

/** `TRACE_MS` is the time of one trace; money not traced by then is unattributed. */
export interface TimeContext {
  config: { TRACE_MS: Config['TRACE_MS'] };
}

/** The part of the graph that the caller has read. */
export interface WhatWasRead {
  /** Returns the keys that count as read for the caller. */
  readonly readBy: ReadBy;
}

/** The caller, what it has read of the graph, and how long it waits. */
export interface Viewer extends WhatWasRead {
  /** Null without a key: the answer does not show what others have scanned. */
  readonly accountId: string | null;
  /** Milliseconds until the deadline; 0 after it. What was found by then is the answer. */
  readonly remainingMs: () => number;
}

/** The caller, what it may see, and the deadline. One for each request, job or scan, which all its parts share. */
export interface Inquiry extends Viewer {
  /** Which bridges money is followed over. */
  readonly policy: CrossingPolicy;
  /** Labels that the caller gives addresses itself. */
  readonly ownLabels: OwnLabels;
  /** Which lists of sanctions its answers are not compared with; null: none. */
  readonly listGap: ListGap | null;
}

type ReadBy = (keys: string[]) => Promise<ReadonlySet<string>>;

/** Which crossings the answers of one account go over. */
export interface AccountPolicy extends CrossingPolicy {
  /** The account confirmed a match: without it none can be met. */
  hasConfirmed: boolean;
  /** True once a match that the account confirmed was met: what is then answered must not be shared with others. */
  metConfirmed: () => boolean;
  /** Epoch ms of the newest decision on a match that was met, withdrawn ones too; null where none was. */
  decidedAt: () => number | null;
}

/** The inquiry of an account, whose decisions on bridges count. */
export interface AccountInquiry<Id extends string | null = string> extends Inquiry {
  readonly accountId: Id;
  readonly policy: AccountPolicy;
}

/** An inquiry that asks chains too, until its signal ends it. */
export interface ReadingInquiry extends AccountInquiry {
  readonly signal: AbortSignal;
  /** True for a job, beside which callers wait. */
  readonly isJob?: boolean;
  /** Scan slot that it is part of; absent: each expanded address has one of its own. */
  readonly slot?: ScanSlot;
}

/** Adds to the stores who asks; null for callers without an account. The time of one trace begins. */
export async function inquire<C extends RecordsContext & LabelsContext & TimeContext, Id extends string | null>(
  ctx: C,
  accountId: Id,
  bridges: { crossChain?: CrossChain; likelyMatches?: LikelyMatches } = {},
): Promise<C & AccountInquiry<Id>> {
  const [policy, ownLabels, listGap] = await Promise.all([
    accountPolicy(ctx.records, accountId, bridges),
    openLevelLabels(ctx, accountId),
    ctx.labels.gap(),
  ]);
  const readBy: ReadBy = accountId === null ? async () => new Set() : readByAccount(ctx.records, accountId);
  const remainingMs = countdown(ctx.config.TRACE_MS);
  return Object.freeze({ ...ctx, accountId, policy, ownLabels, listGap, readBy, remainingMs });
}

/** Returns what the request says of bridges, with the account's own decisions on likely matches; null has made none. */
async function accountPolicy(
  records: Records,
  accountId: string | null,
  { crossChain, likelyMatches }: { crossChain?: CrossChain; likelyMatches?: LikelyMatches } = {},
): Promise<AccountPolicy> {
  const decisions = new Map<string, MatchDecision>();
  const decidedAt = new Map<string, number>();
  for (const row of accountId === null ? [] : await listDecisionsInForce(records, accountId)) {
    const key = `${row.crossing_id} ${row.receipt_id}`;
    const { decision, author: by, created_at: at } = row;
    decidedAt.set(key, at);
    if (decision !== 'withdrawn') decisions.set(key, { decision, by, at });
  }
  let metConfirmed = false;
  let newestMet: number | null = null;
  return {
    ...crossingPolicy(crossChain, likelyMatches),
    decisionOn: (crossing) => {
      const key = `${crossing.id} ${likelyReceipt(crossing)}`;
      const made = decisions.get(key) ?? null;
      if (made?.decision === 'confirmed') metConfirmed = true;
      const at = decidedAt.get(key);
      if (at !== undefined) newestMet = Math.max(newestMet ?? 0, at);
      return made;
    },
    hasConfirmed: [...decisions.values()].some(({ decision }) => decision === 'confirmed'),
    metConfirmed: () => metConfirmed,
    decidedAt: () => newestMet,
  };
}

/** Returns the options with which an inquiry asks the sources of chains. */
export function asksSources({ accountId: account, signal, isJob }: ReadingInquiry) {
  return { account, signal, isJob };
}

/** Asks as who runs the service: no account's decisions count, all that the graph holds counts as read, and no list is missed. */
export function asOperator<C extends TimeContext>(ctx: C): C & Inquiry {
  const readBy = async (keys: string[]) => new Set(keys);
  return {
    ...ctx,
    accountId: 'operator',
    policy: FOLLOW_MATCHED,
    ownLabels: NO_OWN_LABELS,
    listGap: null,
    readBy,
    remainingMs: countdown(ctx.config.TRACE_MS),
  };
}

/** Returns the milliseconds that are left of a time that begins now. */
export function countdown(ms: number): () => number {
  const deadline = performance.now() + ms;
  return () => Math.max(0, deadline - performance.now());
}

/** The addresses that the account's own scans and traces have read: whether others have read an address is not for it to learn. */
export function readByAccount(records: Records, accountId: string): ReadBy {
  return async (keys) => {
    const read = new Set<string>();
    for (const [chain, parties] of groupBy(keys.map(parseAddressKey), (one) => one.chain)) {
      const asked = parties.map(({ address }) => address);
      for (const address of await findRead(records, accountId, chain, asked)) read.add(addressKey(chain, address));
    }
    return read;
  };
}

/** Answers the question; where it is wanted, with the statements that were asked of the graph. */
export async function withCypher<Answer extends object>(
  graph: Graph,
  isWanted: boolean,
  question: (graph: Graph) => Promise<Answer>,
): Promise<Answer & { cypher?: string }> {
  if (!isWanted) return question(graph);
  const { graph: noted, asked } = recorded(graph);
  const answer = await question(noted);
  return { ...answer, cypher: browserText(asked) };
}
