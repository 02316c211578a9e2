import { FORMS, grouped, paragraph, trimmed } from '../../../../words/figures.ts';
import { fill } from '../../../../words/fill.ts';
import type { Language } from '../../../../words/language.ts';
import { WORDS } from '../../../../words/words.ts';
import { addressKey, addressOf, chainOf } from '../../../domain/address/address-key.ts';
import { roundUsd } from '../../../domain/amount.ts';
import { firstWithin } from '../../../domain/first-within.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { serviceName } from '../../../domain/label.ts';
import type { FundsFlow, FundsRow, TraceCoverage } from '../../../domain/tracing/answers.ts';
import type { Direction, FlowPortion, MoneyEnd } from '../../../domain/tracing/flow-portion.ts';
import { MEASURED_RULES, type MeasuredRule, type Method, type Rule } from '../../../domain/tracing/rule.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { timeSlices } from '../../../fairness/time-slices.ts';
import type { HolderRow } from '../../../graph/queries/entities.ts';
import { frozenFields } from '../../../labels/issuer-freezes.ts';
import { labelsByKey, nodeLabelOf, type PartyLabelsContext } from '../../../labels/node-labels.ts';
import type { LaunderingPattern } from '../../../risk/fields.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import { DEPOSIT_ADDRESS } from '../../../risk/rules.ts';
import { replayOf } from '../../engine/replay.ts';
import { HOPS_DEEPEST } from '../../engine/walk/distances.ts';
import { attributedUsd, type OpenedAddress, type Trace } from '../../engine/walk/findings.ts';
import { HaircutReplay } from '../../engine/walk/haircut-replay.ts';
import { isUnread } from '../../read/frontier.ts';
import type { MoneyTraces, TraceContext } from '../../read/trace-money.ts';
import type { Deposits } from '../arrivals.ts';
import { hopLimitNote, traceCoverage } from '../coverage.ts';
import { carriedOf, fundsFlows } from './flows.ts';
import { fundsRows, type RowsRequest } from './rows.ts';
import { type VictimSums, victimSums } from './victims.ts';

/** Hops that money is followed: unless fewer are asked for, and at most. One depth for all, so that all pages agree. */
export const FUNDS_HOPS = { usual: HOPS_DEEPEST, max: HOPS_DEEPEST };
/** Most addresses opened at once. */
export const FUNDS_LIMIT = 1_000;
/** JSON of the flows, and of the paths of the rows: an answer stays below 8 MiB. */
const FLOWS_BYTES = 4 * 2 ** 20;
const PATHS_BYTES = 2 * 2 ** 20;

/** The account of all money of one direction: the ends that it came from, or the places where it is now. */
export interface Funds {
  direction: Direction;
  max_hops: number;
  total_usd: number;
  /** Largest first; they add up to the total. */
  rows: FundsRow[];
  /** Largest first. */
  flows: FundsFlow[];
  patterns: LaunderingPattern[];
  coverage: TraceCoverage;
  note: string | null;
  /** How mixed money was attributed; default: pro rata. */
  method?: Method;
  /** Balances that the addresses had not sent on when they were last read, not part of the total; where it was asked for. */
  kept?: FundsRow[];
  /** The losses of victims, and what came back; where they were named. Null for received money, or where nothing moved. */
  victims?: VictimSums | null;
}

export interface FundsQuestion {
  /** Graph keys of the addresses whose money it is. */
  keys: readonly string[];
  direction: Direction;
  maxHops: number;
  lang: Language;
  patterns: LaunderingPattern[];
  /** Why there may be more patterns; null where there are none. */
  reason: string | null;
  /** Part of an answer's size that the account may have, 0-1; default: all. */
  room?: number;
  withKept?: boolean;
  /** Graph keys of the victims; default: their losses are not summed. */
  victims?: ReadonlySet<string> | undefined;
  /** Transfers that are listed of one end; default: 50. */
  arrivalsMax?: number;
  /** How mixed money is attributed: the traces have the rules that it needs. Default: pro rata. */
  method?: Method;
  /** The holders of the addresses (graph keys) of ends: those of one on a chain are one row. Default: each end is one. */
  holders?: ReadonlyMap<string, HolderRow> | undefined;
}

/** The one account of the money, from traces: whatever lists or draws where money went reads it. */
export async function fundsOf(ctx: TraceContext, found: MoneyTraces, question: FundsQuestion): Promise<Funds> {
  const { keys, direction, maxHops, patterns, reason, room = 1, withKept = false } = question;
  const { arrivalsMax, victims, method = 'pro_rata', holders } = question;
  const byHolder = holders ? { holderOf: (key: string) => holders.get(key) } : {};
  const byRule = (rule: Rule) => found.byRule.get(rule)?.[direction];
  const isMeasured = method !== 'range' && method !== 'poison';
  const trace = (isMeasured && byRule(method)) || found.account[direction];
  const traces = { ...found, ...found.account, [direction]: trace };
  const pause = timeSlices();
  const balanceOf = (key: string, assets: Record<string, string>) => statedBalance(traces, key, assets);
  const ruled = method === 'range' ? sideBySide(found, direction) : null;
  const asked = {
    ...{
      direction,
      pause,
      balanceOf,
      arrivalsMax,
      paymentsOf: paymentsTo(traces),
      deposits: depositAddressesOf(traces),
    },
    ...(ruled ? { byRule: ruled } : {}),
    touched: byRule('poison'),
    ...byHolder,
  };
  const { totalUsd, rows } = await fundsRows(trace, asked);
  const unattributedUsd = Math.max(0, roundUsd(totalUsd - attributedUsd(trace)));
  const coverage = traceCoverage(keys, { traces, directions: [direction], unattributedUsd, listGap: ctx.listGap });
  const { flows, total } = await fundsFlows(trace, pause);
  const shown = firstWithin(flows, room * FLOWS_BYTES);
  const isUnknown = rows.every(({ usd }) => usd === 0) && coverage.reasons.includes('not_read');
  return {
    direction,
    max_hops: maxHops,
    total_usd: totalUsd,
    rows: [
      ...(isUnknown ? keys.map(unreadRow) : []),
      ...(await withLabels(ctx, withinBytes(rows, room * PATHS_BYTES))),
    ],
    flows: shown,
    patterns,
    coverage: reason === null ? coverage : withReason(coverage, reason),
    note: noteFor(traces, question, { coverage, flows: { shown: shown.length, total } }),
    ...(withKept ? { kept: direction === 'sent' ? await keptRows(traces, byHolder) : [] } : {}),
    ...(victims ? { victims: direction === 'sent' ? victimSums(traces, { keys, victims }) : null } : {}),
  };
}

/** The traces by the other rules that say amounts; null where the time was up for one of them alone: it says nothing of its rule. */
function sideBySide({ byRule, account }: MoneyTraces, direction: Direction): Map<MeasuredRule, Trace> | null {
  const traces = new Map<MeasuredRule, Trace>();
  const isLate = ({ unattributed }: Trace) =>
    unattributed.has('time_budget') && !account[direction].unattributed.has('time_budget');
  for (const rule of MEASURED_RULES) {
    const one = byRule.get(rule)?.[direction];
    if (one && isLate(one)) return null;
    if (one) traces.set(rule, one);
  }
  return traces;
}

/** One row for each subject whose transfers are all listed, or for those of each holder. */
async function keptRows({ subjects }: MoneyTraces, byHolder: Pick<RowsRequest, 'holderOf'>): Promise<FundsRow[]> {
  const ends = [...subjects].flatMap(([key, subject]) => {
    const isWhole = subject.unlisted.received + subject.unlisted.sent === 0;
    return (isWhole && keptBy(key, subject)) || [];
  });
  const totalUsd = ends.reduce((sum, { usd }) => sum + usd, 0);
  const kept = { parties: [], ends, totalUsd, unpricedBridged: [] };
  return (await fundsRows(kept, { direction: 'sent', pause: timeSlices(), ...byHolder })).rows;
}

/** The balance in the named assets that the chain stated at the end of the last reading; null where it did not. */
function statedBalance(
  { opened, readAddresses }: MoneyTraces,
  key: string,
  assets: Record<string, string>,
): Record<string, string> | null {
  const address = opened.get(key);
  if (!address || !readAddresses.has(key)) return null;
  const stated = Object.keys(assets).flatMap((symbol) => {
    const transfer = address.received.find(({ asset }) => asset === symbol);
    const closing = transfer && address.reading(transfer.assetId).at(-1)?.closing;
    return closing ? [[symbol, closing] as const] : [];
  });
  return stated.length > 0 ? Object.fromEntries(stated) : null;
}

/** Finds what an address paid to the subjects. */
export function paymentsTo({ subjects }: MoneyTraces): (key: string) => readonly TracedTransfer[] {
  const all = [...subjects.values()].flatMap(({ received }) => received);
  const payments = groupBy(all, ({ from }) => from);
  return (key) => payments.get(key) ?? [];
}

/** Recognises an unlabelled address that sent nearly all to one service, and finds what it got of the sent money. */
export function depositAddressesOf({ subjects, opened, labels, sent }: MoneyTraces): Deposits {
  let brought: Map<string, FlowPortion[]> | null = null;
  return {
    isDeposit: (address, service) => {
      const labelOf = (key: string) => labels.get(key)?.label ?? null;
      // Where the list names the deposit address itself, a customer's wallet paid it.
      if (subjects.has(address) || labels.get(address)?.category || /deposit/i.test(labelOf(service) ?? ''))
        return false;
      const name = serviceName(labelOf(service));
      const isOfService = (key: string) => key === service || (name !== null && serviceName(labelOf(key)) === name);
      const paid = opened.get(address)?.sent ?? [];
      const there = paid.filter(({ to }) => isOfService(to));
      const isMost = usdOf(there) >= DEPOSIT_ADDRESS.exchange_share * usdOf(paid);
      return there.length >= DEPOSIT_ADDRESS.payments && isMost;
    },
    broughtTo: (address) => {
      brought ??= groupBy(carriedOf(sent), ({ transfer }) => transfer.to);
      return brought.get(address) ?? [];
    },
  };
}

/** The row of an address of which nothing is known: it is to be read. */
function unreadRow(key: string): FundsRow {
  return {
    kind: 'not_read',
    category: null,
    address: addressOf(key),
    chain: chainOf(key),
    label: null,
    entity: null,
    usd: 0,
    followed_usd: 0,
    share: 0,
    assets: {},
    balance: null,
    hops: 0,
    first_at: null,
    last_at: null,
    transfers: 0,
    count: 1,
    path: [],
    arrivals: [],
  };
}

/** The rows, of which the smallest lose their ways where all would be too much for an answer. */
function withinBytes(rows: readonly FundsRow[], bytes: number): FundsRow[] {
  const kept = firstWithin(
    rows.map(({ path, arrivals, deposits }) => ({ path, arrivals, deposits })),
    bytes,
  ).length;
  return rows.map((row, i) => (i < kept ? row : { ...withoutArrivals(row), path: [] }));
}

/** The row without the transfers of its end. */
export function withoutArrivals(row: FundsRow): FundsRow {
  const deposits = row.deposits?.map((one) => ({ ...one, arrivals: [] }));
  return { ...row, arrivals: [], ...(deposits ? { deposits } : {}) };
}

/** Names the entity of each labelled party, and what issuers froze at each address. */
async function withLabels(ctx: PartyLabelsContext, rows: readonly FundsRow[]): Promise<FundsRow[]> {
  const keyOf = ({ chain, address }: FundsRow) => (chain && address ? addressKey(chain, address) : '');
  const keys = new Set(rows.map(keyOf));
  keys.delete('');
  const at = ctx.now();
  const labels = await labelsByKey(ctx.labels, keys);
  return rows.map((row) => {
    const own = labels.get(keyOf(row)) ?? [];
    const entity = row.category && own.length > 0 ? nodeLabelOf(own, at).entity_id : null;
    return { ...row, entity, ...frozenFields(own, at) };
  });
}

function withReason(coverage: TraceCoverage, reason: string): TraceCoverage {
  return { ...coverage, complete: false, reasons: [...new Set([...coverage.reasons, reason])].sort() };
}

function noteFor(
  traces: MoneyTraces,
  { keys, maxHops, direction, lang }: FundsQuestion,
  { coverage, flows }: { coverage: TraceCoverage; flows: { shown: number; total: number } },
): string | null {
  const { funds, exposure } = WORDS[lang];
  const { totalUsd, likelyUsd, openUsd, exchangedUsd, uncoveredUsd } = traces[direction];
  if (traces.subjects.size === 0 && coverage.reasons.includes('time_budget')) return exposure.out_of_time;
  const unread = keys.filter((key) => isUnread(traces.subjects.get(key))).length;
  if (totalUsd === 0 && unread > 0) return funds.not_read;
  const beyondUsd = coverage.unattributed.max_hops ?? 0;
  const inDollars = (usd: number) => FORMS[lang].number(trimmed(usd, 2));
  const sentences = [
    unread === 0 ? null : keys.length === 1 ? exposure.not_scanned : fill(funds.subjects_unread, { count: unread }),
    roundUsd(exchangedUsd) > 0 ? fill(funds.exchanged, { usd: inDollars(exchangedUsd) }) : null,
    roundUsd(uncoveredUsd) > 0 ? fill(funds.uncovered, { usd: inDollars(uncoveredUsd) }) : null,
    beyondUsd > 0 ? hopLimitNote(beyondUsd, maxHops, lang) : null,
    roundUsd(openUsd) > 0 ? fill(exposure.open, { usd: inDollars(openUsd) }) : null,
    roundUsd(likelyUsd) > 0 ? fill(exposure.likely, { usd: inDollars(likelyUsd) }) : null,
    flows.total > flows.shown
      ? fill(funds.flows_max, { count: grouped(flows.total, lang), shown: grouped(flows.shown, lang) })
      : null,
  ];
  return paragraph(sentences, lang);
}

/**
 * Returns what an address had not paid on of all that it received when it was last read: the replay of every wallet on the way.
 * Null where that is nothing, or where it was never read.
 *
 * @internal Run by a test.
 */
export function keptBy(address: string, opened: OpenedAddress): MoneyEnd | null {
  // What it got in an exchange is a receipt of its own, so none is followed through.
  const replay = replayOf(
    opened,
    () => 'none',
    () => false,
  );
  const pass = new HaircutReplay(address, replay, {
    direction: 'sent',
    isReadKnown: opened.isReadKnown,
    heldSince: Number.NEGATIVE_INFINITY,
    withPaths: false,
    smallestUsd: 0,
    budget: { left: Number.POSITIVE_INFINITY },
  });
  for (const transfer of opened.received) {
    const { usd } = transfer;
    pass.arrive({ transfer, hops: 0, usd, unreadUsd: 0, recentUsd: 0, fraction: 1, onto: null, conversions: [] });
  }
  while (pass.isActive) pass.visit();
  const held = pass.finish(false).unattributed.get('held');
  if (!held || held.usd <= 0) return null;
  const { usd, quantities } = held;
  return { address, reason: 'held', usd, hops: 0, arrivals: [], quantities };
}
