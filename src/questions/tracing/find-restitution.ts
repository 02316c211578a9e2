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
  const rows = await graph.read<(typeof items)[number] & { helper: string } & Row>('exposure/helpers', params, {
    timeoutMs,
  });
  const paidBack = items.filter(
    ({ victim, taker }) =>
      histories.get(victim)?.received.some(({ from }) => from === taker) ||
      rows.some((row) => row.victim === victim && row.taker === taker),
  );
  const named = new Set(paidBack.map(({ taker }) => taker));
  const wanted = [...named, ...rows.filter(({ taker }) => named.has(taker)).map(({ helper }) => helper)];
  const known = await open([...new Set(wanted)]);
  const isExchange = (key: string) => isDex(labels.get(key)?.category ?? null);
  const replays = new Map(
    [...named].flatMap((taker) => {
      const history = known.get(taker);
      return history ? [[taker, replayOf(history, kindOf, isExchange)] as const] : [];
    }),
  );
  const found = new Map<string, Restitution>();
  for (const victim of new Set(paidBack.map((item) => item.victim))) {
    const takers = new Map<string, Taker>();
    for (const { taker } of paidBack.filter((item) => item.victim === victim)) {
      const replay = replays.get(taker);
      const helpers = rows.flatMap((row) => {
        const history = row.victim === victim && row.taker === taker ? known.get(row.helper) : undefined;
        return history ? [[row.helper, history] as const] : [];
      });
      if (replay) takers.set(taker, { replay, helpers: new Map(helpers) });
    }
    const { received = [], sent = [] } = histories.get(victim) ?? {};
    const back = restitutionOf({ key: victim, received, sent }, takers);
    if (back.sides.size + back.unread.size > 0) found.set(victim, back);
  }
  return found;
}

/** Who paid which taker, the largest sums first. */
function lossesOf(histories: ReadonlyMap<string, Listed>, labels: Options['labels']) {
  const lost = new Map<string, { victim: string; taker: string; usd: number }>();
  for (const [victim, { sent, received }] of histories) {
    if (received.length === 0) continue;
    for (const { to: taker, usd } of sent) {
      const category = labels.get(taker)?.category;
      if (!category || !SCAM_CATEGORIES.includes(category) || usd <= 0) continue;
      const name = `${victim} ${taker}`;
      lost.set(name, { victim, taker, usd: usd + (lost.get(name)?.usd ?? 0) });
    }
  }
  const largest = [...lost.values()].sort((a, b) => b.usd - a.usd).slice(0, TAKERS_MAX);
  return largest.map(({ victim, taker }) => ({ victim, taker }));
}
