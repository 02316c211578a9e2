import { groupBy } from '../../domain/group-by.ts';
import { isDex } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import type { Listed } from '../../domain/tracing/own-money/accounts.ts';
import { type Restitution, restitutionOf, type Taker } from '../../domain/tracing/own-money/restitution.ts';
import { replayOf } from '../../domain/tracing/replay.ts';
import type { TraderOf } from '../../domain/tracing/swaps.ts';
import type { AddressLabel, OpenedAddress } from '../../domain/tracing/walk/findings.ts';
import type { Graph, Row } from '../../graph/port.ts';

/** Takers that are read for the addresses of one round, those that took most first. */
const TAKERS_MAX = 20;
/** A wallet that passes on a taker's money alone has few payers. */
const PAYERS_MAX = 3;
/** Payers of a victim: of one with more the way over other wallets is not looked for. */
const COUNTERPARTIES_MAX = 1_000;

/** Keys of an address that lost money, and of the one that took it. */
type Loss = { victim: string; taker: string };
type HelperRow = Row & Loss & { helper: string };

interface Options {
  labels: ReadonlyMap<string, AddressLabel>;
  kindOf: TraderOf;
  timeoutMs: number;
  /** Histories as the caller may know them; hubs and what there is no room for are missing. */
  open: (keys: readonly string[]) => Promise<ReadonlyMap<string, OpenedAddress>>;
}

/** Finds what came back to addresses that lost money to a thief, scam, drainer or ransomware, by key. Throws GraphError. */
export async function findRestitution(
  graph: Graph,
  histories: ReadonlyMap<string, Listed>,
  { labels, kindOf, timeoutMs, open }: Options,
): Promise<Map<string, Restitution>> {
  const items = lossesOf(histories, labels);
  if (items.length === 0) return new Map();
  const params = { items, payers: PAYERS_MAX, most: COUNTERPARTIES_MAX };
  const rows = await graph.read<HelperRow>('exposure/helpers', params, { timeoutMs });
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
  for (const [victim, losses] of groupBy(paidBack, (item) => item.victim)) {
    const takers = new Map<string, Taker>();
    for (const loss of losses) {
      const replay = replays.get(loss.taker);
      const helpers = (helpersOf.get(nameOf(loss)) ?? []).flatMap(({ helper }) => {
        const history = known.get(helper);
        return history ? [[helper, history] as const] : [];
      });
      if (replay) takers.set(loss.taker, { replay, helpers: new Map(helpers) });
    }
    const back = restitutionOf({ key: victim, received: histories.get(victim)?.received ?? [] }, takers);
    if (back.sides.size + back.unread.size > 0) found.set(victim, back);
  }
  return found;
}

function nameOf({ victim, taker }: Loss): string {
  return `${victim} ${taker}`;
}

/** The payers of takers with the takers they paid, the largest sums first. */
function lossesOf(histories: ReadonlyMap<string, Listed>, labels: Options['labels']): Loss[] {
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
