import type { AddressHistory } from '../../chains/port.ts';
import type { Context } from '../../context.ts';
import { addressKey, addressOf, chainOf } from '../../domain/address/address-key.ts';
import { plainDecimal } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import { isOvergrown } from '../../domain/entity.ts';
import { groupBy } from '../../domain/group-by.ts';
import { isAdverseCategory, isValidAt, type Label, type ListGap } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { COIN } from '../../domain/tracing/asset-id.ts';
import type { EndReason } from '../../domain/tracing/flow-portion.ts';
import { heldIds, type TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { nullOnTimeout } from '../../fairness/deadline.ts';
import type { ScanSlot } from '../../fairness/scan-slots.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import { findFirstDays } from '../../graph/queries/activity.ts';
import { adverseMembers, entitiesOf, exactMembers, type HolderRow } from '../../graph/queries/entities.ts';
import { readRecipients } from '../../graph/queries/presign.ts';
import { labelsOfKeys } from '../../labels/key-labels.ts';
import type { ListedCluster, Mimicry } from '../../risk/assessment.ts';
import { isForFees } from '../../risk/exposure/losses.ts';
import { mostAlike, poisoningSent } from '../../risk/ledger/poisoning.ts';
import { PRESIGN, RULES } from '../../risk/rules.ts';
import { findIndirectExposure, type MoneyBehind } from '../../tracing/answers/indirect/indirect-exposure.ts';
import type { Overspent } from '../../tracing/engine/replay.ts';
import { completeFromGraph } from '../../tracing/read/complete-history.ts';
import { expandScan, type TraceReach } from '../../tracing/read/expansion/expand-scan.ts';
import type { KnownHistory, ScannedSubject } from '../../tracing/read/history.ts';
import { type AccountPolicy, countdown, type ReadingInquiry } from '../../tracing/read/inquiry.ts';

/** Coverage reason when the search around the address ran out of time: for indirect exposure, its holder, or whom it imitates. */
export const INDIRECT_CUT = 'indirect_time_budget';

/** Coverage reason where not all addresses of the holder are known: some of its own payments may count as dealings. */
const OWN_UNKNOWN = 'own_addresses_unknown';

/** The part of a scan's time that following who paid inside open transactions has at least. */
const OPEN_PART = 1 / 3;

/** The part of a scan's time that one question beside the trace has, and the least. */
const BESIDE = { part: 1 / 15, leastMs: 1_000 };

const LISTED_MEMBERS_MAX = 100;
const FUNDED_FIRST_MAX = 100;
/** Parties whose history an address may poison that are looked at, the first ones. */
const MIMICKED_MAX = 20;

export interface FollowOptions {
  /** Which addresses behind this one may be opened to follow its money. */
  reach: TraceReach;
  /** True for a fresh scan: nothing of an earlier reading is relied on. */
  readsAll?: boolean | undefined;
}

interface OwnAddresses {
  /** Keys on the chain of the subject, without adverse ones. */
  keys: ReadonlySet<string>;
  holder: HolderRow | undefined;
  isKnown: boolean;
  isLate: boolean;
}

/** The inquiry of a scan, in its slot. */
type SlottedInquiry = Context & ReadingInquiry & { slot: ScanSlot };

/** Null where the graph took too long, which the answer then says. */
type InTime = <T>(read: Promise<T>) => Promise<T | null>;

function besideMs({ config }: Context): number {
  return Math.max(BESIDE.leastMs, config.SCAN_TRACE_MS * BESIDE.part);
}

/** Everything that a scan is scored from. */
export interface AddressRead extends KnownHistory {
  listGap: ListGap | null;
  usdPerYen: (at: number) => number | null;
  /**
   * Answers of the graph beyond the direct counterparties. Where anybody could have made a statement that the money was
   * followed by, a second answer follows who brought it into the transaction instead: the worse one is the level's.
   */
  answers: readonly MoneyBehind[];
  /** Takers whose first coins for fees the address paid, where their history is complete. */
  fundedFirst: ReadonlySet<string>;
  mimicry: Mimicry[];
  cluster: ListedCluster | undefined;
  /** Other addresses of its key, or of its owner by lists, without adverse ones. */
  ownAddresses: ReadonlySet<string>;
  /** Transfers of the address with others that the graph holds; null where they were not read. */
  knownTransfers: number | null;
  /** True where a match of a bridge took part that this account alone confirmed, or a label of its own. */
  isPersonal: boolean;
  /** Addresses whose labels took part, on whichever chain. */
  met: ReadonlySet<string>;
}

/** Adds what the graph knows around an address whose money was followed. Throws GraphError. */
export async function readSurroundings(
  ctx: SlottedInquiry,
  { chain, address }: ScannedSubject,
  known: KnownHistory,
  { own, answers }: FollowedMoney,
): Promise<AddressRead> {
  const { owner } = known;
  const { ownLabels } = ctx;
  const labelsOf = labelsFor(ctx, chain, known);
  const first = answers[0]!;
  const dealings = await completeFromGraph(ctx.graph, { chain, address: owner }, known.history, {
    traced: first.subject,
    slot: ctx.slot,
    cachedAt: known.cachedAt,
  });
  const { history } = dealings;
  let isLate = own.isLate || answers.some(({ timedOut }) => timedOut);
  const inTime: InTime = (read) =>
    read.catch((error: unknown) => {
      isLate = true;
      return nullOnTimeout(error);
    });
  const cluster = await listedCluster(ctx, chain, own.holder, inTime);
  const others = await otherParties(known, { answers, history, cluster });
  const labels = ownLabels.over(ctx.labels);
  const beyond = new Map<string, Label[]>();
  for (const [on, met] of groupBy(others, (one) => one.chain ?? chain)) {
    const found = await labels.find(on, [...new Set(met.map(({ address }) => address))]);
    const owners = met.map(({ address }) => ({ chain: on, address }));
    const ofKeys = await labelsOfKeys(ctx, owners, { ownOf: (far) => found.get(far) ?? [] });
    for (const [far, said] of found) beyond.set(far, said);
    for (const [key, said] of ofKeys) beyond.set(addressOf(key), said);
  }
  const transparent = new Set(answers.flatMap((one) => [...one.transparent]));
  const accomplices = new Map(answers.flatMap((one) => [...one.accomplices]));
  const labelsOfAll = (party: string) => {
    if (transparent.has(party)) return [];
    const inferred = accomplices.get(party);
    return [...(beyond.get(party) ?? labelsOf(party)), ...(inferred ? [inferred] : [])];
  };
  const paid = { history, labelsOf: labelsOfAll };
  const ahead = await fundedFirst(ctx, { chain, address: owner }, paid, inTime);
  const mimicry = await findMimicry(ctx, { chain, address: owner }, history.transfers, inTime);
  const coverage = withOverspent(history.coverage, first.overspent);
  if (isLate) coverage.reasons.push(INDIRECT_CUT);
  if (!own.isKnown) coverage.reasons.push(OWN_UNKNOWN);
  const met = new Set([
    ...[address, owner, ...known.parties, ...others.map((one) => one.address)],
    ...answers.flatMap((one) => [...one.met].map(addressOf)),
  ]);
  return {
    ...known,
    subjectLabels: [...new Set([owner, address])].reduce(
      (labels, party) => ownLabels.beside(chain, party, labels),
      known.subjectLabels,
    ),
    listGap: ctx.listGap,
    history: { ...history, coverage },
    labelsOf: labelsOfAll,
    usdPerYen: await ctx.prices.usdPerYen(history.transfers),
    answers,
    fundedFirst: ahead,
    cluster,
    ownAddresses: new Set([...own.keys].map(addressOf)),
    mimicry,
    knownTransfers: dealings.count,
    isPersonal: ctx.policy.metConfirmed() || ownLabels.isAbout(met),
    met,
  };
}

function labelsFor({ ownLabels }: ReadingInquiry, chain: Chain, known: KnownHistory): (party: string) => Label[] {
  return (party) => ownLabels.beside(chain, party, known.labelsOf(party));
}

/** Keys of the other addresses of the holder on the chain, without adverse ones: what such a member is listed for is a dealing. */
async function ownAddresses(
  ctx: Context,
  chain: Chain,
  { owner, asOf }: KnownHistory,
  labelsOf: (party: string) => Label[],
): Promise<OwnAddresses> {
  const key = addressKey(chain, owner);
  const found = await entitiesOf(ctx.graph, [key], besideMs(ctx)).catch(nullOnTimeout);
  const held = found?.get(key);
  const holder = held && !isOvergrown(held) ? held : undefined;
  // Keys and sure labels hold in a holder that joined strangers, too; the largest ones take too long to look through.
  const isVast = held !== undefined && isOvergrown({ ...held, several_services: null });
  const exact = held && !isVast ? await exactMembers(ctx.graph, key, besideMs(ctx)).catch(nullOnTimeout) : undefined;
  const isAdverse = (party: string) =>
    labelsOf(party).some((label) => isAdverseCategory(label.category) && isValidAt(label, asOf));
  const members = exact?.keys ?? [];
  return {
    keys: new Set(members.filter((one) => chainOf(one) === chain && !isAdverse(addressOf(one)))),
    holder,
    isKnown: found !== null && !isVast && exact !== null && !exact?.isCut,
    isLate: found === null || exact === null,
  };
}

/** Leaves out of the followed transfers those that the reading found unconfirmed; undefined without any. */
function onlyConfirmed({ coverage }: AddressHistory): ((own: TracedTransfer) => boolean) | undefined {
  const unconfirmed = new Set((coverage.unconfirmed ?? []).map(({ id }) => id));
  if (unconfirmed.size === 0) return undefined;
  return (own) => ![...heldIds(own), own.paidOut?.replaces ?? ''].some((id) => unconfirmed.has(id));
}

type MoneyAnswer = Awaited<ReturnType<typeof findIndirectExposure>>;

/** The other addresses of a subject's holder, and where its money comes from and goes. */
export interface FollowedMoney {
  own: OwnAddresses;
  /** A second one is without open statements, where any took part in the first. */
  answers: readonly MoneyAnswer[];
}

/** Follows the money of an address within the budget, a second time without open statements if any took part. Throws GraphError. */
export async function followMoney(
  ctx: SlottedInquiry,
  chain: Chain,
  known: KnownHistory,
  { reach, readsAll }: FollowOptions,
): Promise<FollowedMoney> {
  const address = known.owner;
  const own = await ownAddresses(ctx, chain, known, labelsFor(ctx, chain, known));
  const follows = onlyConfirmed(known.history);
  const began = performance.now();
  const { SCAN_TRACE_MS } = ctx.config;
  const answers: MoneyAnswer[] = [];
  const policies: AccountPolicy[] = [ctx.policy, { ...ctx.policy, followsOpen: false }];
  for (const policy of policies) {
    const leftMs = SCAN_TRACE_MS - (performance.now() - began);
    const inquiry = { ...ctx, policy, remainingMs: countdown(Math.max(leftMs, SCAN_TRACE_MS * OPEN_PART)) };
    const expanded = await expandScan(inquiry, { chain, address, reach, follows, readsAgain: readsAll });
    const found = await findIndirectExposure(inquiry, chain, address, {
      follows,
      ownKeys: own.keys,
      traces: expanded?.traces,
    });
    const reasons = [...new Set([...found.trace.reasons, ...(expanded?.reasons ?? [])])].sort();
    answers.push({ ...found, trace: { ...found.trace, reasons } });
    if (!found.hasOpen) break;
  }
  return { own, answers };
}

/** Parties beside those that the source named: behind the address, of what the graph added, and members of its holder. */
async function otherParties(
  { history: given, parties }: KnownHistory,
  {
    answers,
    history,
    cluster,
  }: { answers: readonly MoneyAnswer[]; history: AddressHistory; cluster: ListedCluster | undefined },
): Promise<{ chain?: Chain; address: string }[]> {
  const ways = answers.flatMap(({ indirect }) => indirect).flatMap((one) => one.ways);
  const others: { chain?: Chain; address: string }[] = ways.filter((way) => way.chain || !parties.has(way.address));
  const add = (address: string) => {
    if (!parties.has(address)) others.push({ address });
  };
  for (const { accomplice, sharedLayer, paidFees } of answers)
    for (const address of [...(accomplice?.takers ?? []), ...(sharedLayer?.takers ?? []), ...(paidFees?.takers ?? [])])
      add(address);
  if (history !== given) {
    await eachInSlices(history.transfers, ({ from, to, txSender }) => {
      for (const address of [from, to, txSender]) if (address !== null) add(address);
    });
  }
  for (const address of cluster?.listed ?? []) add(address);
  return others;
}

/** The holder of a Bitcoin address, where members of that are listed; absent too where the graph takes too long. */
async function listedCluster(
  ctx: Context,
  chain: Chain,
  holder: HolderRow | undefined,
  inTime: InTime,
): Promise<ListedCluster | undefined> {
  if (chain !== 'bitcoin' || !holder) return undefined;
  const asked = { id: holder.id, limit: LISTED_MEMBERS_MAX };
  const found = await inTime(adverseMembers(ctx.graph, asked, besideMs(ctx)));
  const listed = (found ?? []).filter((one) => one !== holder.key && chainOf(one) === chain).map(addressOf);
  return listed.length > 0 ? { size: holder.size, listed, txHash: holder.tx_hash } : undefined;
}

/** Calls a history that paid more than is known to have come in not whole, whatever the source says. */
function withOverspent(
  coverage: AddressHistory['coverage'],
  overspent: ReadonlyMap<string, Overspent>,
): AddressHistory['coverage'] {
  const reasons = [...coverage.reasons];
  if (overspent.size === 0) return { ...coverage, reasons };
  const { unexplained = [] } = coverage;
  const stated = new Set(unexplained.map(({ token }) => token ?? COIN));
  const found = [...overspent].flatMap(([id, { asset, amount }]) =>
    stated.has(id)
      ? []
      : [{ asset, token: id === COIN ? null : id, amount: plainDecimal(amount.toPrecision(12)) ?? '' }],
  );
  reasons.push('received_unseen' satisfies EndReason);
  return { ...coverage, complete: false, reasons, unexplained: [...unexplained, ...found] };
}

/** Empty if the graph times out: an address that paid a scam then counts as its victim. */
async function fundedFirst(
  ctx: Context,
  { chain, address }: ScannedSubject,
  { history, labelsOf }: { history: AddressHistory; labelsOf: (party: string) => Label[] },
  inTime: InTime,
): Promise<ReadonlySet<string>> {
  const paid = new Set<string>();
  await eachInSlices(history.transfers, ({ from, to }) => {
    if (from === address) paid.add(to);
  });
  const takers = [...paid].filter((party) =>
    labelsOf(party).some(({ category }) => SCAM_CATEGORIES.includes(category)),
  );
  const parties = takers.slice(0, FUNDED_FIRST_MAX);
  const days = await inTime(findFirstDays(ctx.graph, { chain, payer: address, parties }, besideMs(ctx)));
  const byKey = groupBy(days ?? [], ({ key }) => key);
  return new Set(parties.filter((party) => isForFees(byKey.get(addressKey(chain, party)) ?? [])));
}

/**
 * Finds whom an address imitates: a party that gets worthless transfers from it, or in whose name some are made to it, paid
 * somebody whose address looks alike. It uses only what the graph knows of those parties. Throws GraphError.
 */
async function findMimicry(
  ctx: Context,
  { chain, address }: ScannedSubject,
  transfers: readonly Transfer[],
  inTime: InTime,
): Promise<Mimicry[]> {
  const found: Mimicry[] = [];
  const victims = poisoningSent(address, transfers);
  for (const { victim, kind, transfers: sent } of victims.slice(0, MIMICKED_MAX)) {
    const query = {
      chain,
      signer: victim,
      usdMin: RULES.address_poisoning.genuine_from_usd,
      recipientsMax: PRESIGN.signer_recipients_max,
    };
    const paid = (await inTime(readRecipients(ctx.graph, query, besideMs(ctx)))) ?? [];
    // Who fell for it paid the address itself, too.
    const others = paid.map((recipient) => recipient.address).filter((paidTo) => paidTo !== address);
    const alike = mostAlike(chain, address, others, others.length * victims.length);
    if (alike !== null) found.push({ victim, kind, transfers: sent, ...alike });
  }
  return found;
}
