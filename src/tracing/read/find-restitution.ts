import { append } from '../../domain/append.ts';
import { groupBy } from '../../domain/group-by.ts';
import {
  type AddressLabel,
  type Category,
  isAdverseCategory,
  isDex,
  isSure,
  isValidAt,
  KNOW_CUSTOMERS,
  type Label,
  SERVICE_CATEGORIES,
} from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import type { AddressTransfers } from '../../domain/tracing/traced-transfer.ts';
import type { Graph } from '../../graph/port.ts';
import { type LabelsOfParties, labelsByKey } from '../../labels/node-labels.ts';
import { replayOf } from '../engine/replay.ts';
import { type Restitution, restitutionOf, type Taker } from '../engine/restitution.ts';
import type { TraderOf } from '../engine/swaps.ts';
import type { OpenedAddress } from '../engine/walk/findings.ts';
import { findHelpers, type HelperRow, type Loss } from './open-addresses.ts';

/** Takers that are read for the addresses of one round, those that took most first. */
const TAKERS_MAX = 20;
/** A wallet that passes on a taker's money alone has few payers. */
const PAYERS_MAX = 3;
/** Addresses over which a taker may have taken that are opened for a victim, those that got most first. */
const HANDS_MAX = 3;
/** Payers of a victim: of one with more the way over other wallets is not looked for. */
const COUNTERPARTIES_MAX = 1_000;

interface Options {
  labels: ReadonlyMap<string, AddressLabel>;
  kindOf: TraderOf;
  timeoutMs: number;
  /** Labels by which other addresses of the victims' owners are found; null: they are not looked for. */
  owners: { labels: LabelsOfParties; at: number } | null;
  /** Histories as the caller may know them; hubs and what there is no room for are missing. */
  open: (keys: readonly string[]) => Promise<ReadonlyMap<string, OpenedAddress>>;
}

/** Finds what came back to addresses that lost money to a thief, scam, drainer or ransomware, by key. Throws GraphError. */
export async function findRestitution(
  graph: Graph,
  histories: ReadonlyMap<string, AddressTransfers>,
  { labels, kindOf, timeoutMs, owners, open }: Options,
): Promise<Map<string, Restitution>> {
  const items = withPayers(lossesOf(histories, labels), histories, { labels, isAny: owners !== null });
  if (items.length === 0) return new Map();
  const most = { payers: PAYERS_MAX, counterparties: COUNTERPARTIES_MAX };
  const rows = await findHelpers(graph, items, most, timeoutMs);
  const helpersOf = groupBy(rows, nameOf);
  const paidBack = items.filter(
    (item) =>
      helpersOf.has(nameOf(item)) || histories.get(item.victim)?.received.some(({ from }) => from === item.taker),
  );
  const named = new Set(paidBack.map(({ taker }) => taker));
  const known = await open([...new Set([...named, ...rows.map(({ helper }) => helper)])]);
  const isExchange = (key: string) => isDex(labels.get(key)?.category ?? null);
  const replays = new Map(
    [...named].flatMap((taker) => {
      const history = known.get(taker);
      return history ? [[taker, replayOf(history, kindOf, isExchange)] as const] : [];
    }),
  );
  const found = new Map<string, Restitution>();
  const between: HelperRow[] = [];
  for (const [victim, losses] of groupBy(paidBack, (item) => item.victim)) {
    const payers = losses.flatMap(({ taker }) => known.get(taker)?.received.map(({ from }) => from) ?? []);
    const kin = owners ? await kinOf(victim, new Set(payers), owners) : new Set<string>();
    const takers = new Map<string, Taker>();
    for (const loss of losses) {
      const replay = replays.get(loss.taker);
      const helpers = (helpersOf.get(nameOf(loss)) ?? []).flatMap(({ helper }) => {
        const history = known.get(helper);
        return history ? [[helper, history] as const] : [];
      });
      if (replay) takers.set(loss.taker, { replay, helpers: new Map(helpers) });
    }
    const { received, sent } = histories.get(victim) ?? { received: [], sent: [] };
    const hands = await handsOf(victim, sent, new Set(payers), { labels, open });
    const back = restitutionOf({ key: victim, kin, hands, received, sent }, takers);
    if (back.sides.size + back.unread.size > 0) found.set(victim, back);
    for (const loss of losses) if (back.unread.has(loss.taker)) append(between, helpersOf.get(nameOf(loss)) ?? []);
  }
  // What came back over a wallet leads to its taker from there.
  for (const { helper, taker } of between) {
    const { sides, unread } = found.get(helper) ?? { sides: new Map(), unread: new Set() };
    found.set(helper, { sides, unread: new Set([...unread, taker]) });
  }
  return found;
}

/** Names the addresses without a label that paid a taker, and that only the victim had paid. */
async function handsOf(
  victim: string,
  sent: AddressTransfers['sent'],
  payers: ReadonlySet<string>,
  { labels, open }: Pick<Options, 'labels' | 'open'>,
): Promise<Set<string>> {
  const isHand = (key: string) => payers.has(key) && (labels.get(key)?.category ?? 'unknown') === 'unknown';
  const most = sent.filter(({ to }) => isHand(to)).sort((a, b) => b.usd - a.usd);
  const keys = [...new Set(most.map(({ to }) => to))].slice(0, HANDS_MAX);
  const known = keys.length > 0 ? await open(keys) : new Map<string, OpenedAddress>();
  return new Set(keys.filter((key) => known.get(key)?.received.every(({ from, usd }) => from === victim || usd === 0)));
}

function nameOf({ victim, taker }: Loss): string {
  return `${victim} ${taker}`;
}

/**
 * Adds takers who paid an address that they did not take from. They may have taken from another one of its owner (`isAny`), or by a contract
 * of theirs: then it had lost half as much before.
 */
function withPayers(
  lost: Loss[],
  histories: ReadonlyMap<string, AddressTransfers>,
  { labels, isAny }: { labels: Options['labels']; isAny: boolean },
): Loss[] {
  const items = new Map(lost.map((loss) => [nameOf(loss), loss]));
  for (const [victim, { received, sent }] of histories) {
    for (const { from: taker, usd, at } of received.toSorted((a, b) => b.usd - a.usd)) {
      const category = labels.get(taker)?.category;
      if (!category || !SCAM_CATEGORIES.includes(category) || usd <= 0 || items.size >= 2 * TAKERS_MAX) continue;
      if (!isAny && !sent.some((one) => one.at < at && one.usd >= 0.5 * usd)) continue;
      const loss = { victim, taker };
      items.set(nameOf(loss), items.get(nameOf(loss)) ?? loss);
    }
  }
  return [...items.values()];
}

/** Lists the keys that sure labels give the same owner as the address, without those that pass on customers' money. */
async function kinOf(
  key: string,
  others: ReadonlySet<string>,
  { labels, at }: NonNullable<Options['owners']>,
): Promise<Set<string>> {
  const mine = ownersIn((await labelsByKey(labels, new Set([key]))).get(key) ?? [], SERVICE_CATEGORIES, at);
  if (mine.size === 0) return new Set();
  const found = await labelsByKey(labels, others);
  const isKin = (other: string) =>
    [...ownersIn(found.get(other) ?? [], KNOW_CUSTOMERS, at)].some((one) => mine.has(one));
  return new Set([...others].filter((other) => other !== key && isKin(other)));
}

/** The entities and names in the labels in force; none where a label is adverse or of these categories. */
function ownersIn(labels: readonly Label[], without: readonly Category[], at: number): Set<string> {
  const valid = labels.filter((label) => isValidAt(label, at));
  if (valid.some(({ category }) => isAdverseCategory(category) || without.includes(category))) return new Set();
  return new Set(valid.filter(isSure).map(({ entity, label }) => (entity ?? label).trim().toLowerCase()));
}

/** The payers of takers with the takers they paid, the largest sums first. */
function lossesOf(histories: ReadonlyMap<string, AddressTransfers>, labels: Options['labels']): Loss[] {
  const lost = new Map<string, Loss & { usd: number }>();
  for (const [victim, { sent, received }] of histories) {
    if (received.length === 0) continue;
    for (const { to: taker, usd } of sent) {
      const category = labels.get(taker)?.category;
      if (!category || !SCAM_CATEGORIES.includes(category) || usd <= 0) continue;
      const name = nameOf({ victim, taker });
      lost.set(name, { victim, taker, usd: usd + (lost.get(name)?.usd ?? 0) });
    }
  }
  const largest = [...lost.values()].sort((a, b) => b.usd - a.usd).slice(0, TAKERS_MAX);
  return largest.map(({ victim, taker }) => ({ victim, taker }));
}
