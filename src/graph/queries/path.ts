import { pairName } from '../../domain/address/address-key.ts';
import { addToGroup } from '../../domain/group-by.ts';
import type { Category } from '../../domain/label.ts';
import { ANY_TIME, type MomentSpan } from '../../domain/time.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { tagsField } from '../../domain/transfers/tags.ts';
import { pairKeys } from '../ingest/pairs.ts';
import type { Graph, Row } from '../port.ts';

/** Single transfers read of one pair, largest first. */
const TRANSFERS_PER_PAIR = 200;

export type PathSide = 'forward' | 'backward';

export function bySide<T>(of: (side: PathSide) => T): Record<PathSide, T> {
  return { forward: of('forward'), backward: of('backward') };
}

/** The end of a pair that was not asked for: its payee (`forward`) or its payer (`backward`). */
export function farOf({ from, to }: { from: string; to: string }, side: PathSide): string {
  return side === 'forward' ? to : from;
}

/** A pair of addresses, and the state of its far end. */
export interface OpenedPair extends Known {
  from: string;
  to: string;
  usd: number;
  /** First and last transfer of the pair, epoch ms. */
  firstAt: number;
  lastAt: number;
  /** Category of the far end; null without one. */
  category: Category | null;
}

/** `loaded`, `loaded_part`: a file holds the history, from the first transfer on or later; every account may know that. */
export type ReadExtent = 'loaded' | 'loaded_part' | 'whole' | 'part' | 'none';

interface KnownRow extends Row {
  key: string;
  read: ReadExtent;
  has_bridges: boolean;
}

/** State of an address. */
export interface Known {
  /** How much of its history was read. */
  read: ReadExtent;
  /** True where bridges carried money from it or to it (openCrossings has more). */
  hasBridges: boolean;
}

/** Returns what the graph holds of each address; nothing of unknown ones. */
export async function readKnown(graph: Graph, keys: string[], timeoutMs: number): Promise<Map<string, Known>> {
  const rows = keys.length > 0 ? await graph.read<KnownRow>('path/ends', { keys }, { timeoutMs }) : [];
  const known = new Map(
    rows.map(({ key, read, has_bridges: hasBridges }): [string, Known] => [key, { read, hasBridges }]),
  );
  return new Map(keys.map((key) => [key, known.get(key) ?? { read: 'none', hasBridges: false }]));
}

/** Pairs of some addresses; `cut` where one of them had more. */
export interface OpenedPairRows {
  pairs: OpenedPair[];
  cut: boolean;
}

/** A transfer on a path; an unpriced one counts as 0 USD in choices and is shown without a value. */
export type PathTransfer = Omit<TracedTransfer, 'assetId'> & { token: string | null };

interface TransferRow extends Row {
  from_key: string;
  to_key: string;
  id: string;
  usd: number | null;
  tx_hash: string;
  index: string | null;
  at: number;
  block: number | null;
  position: number | null;
  seq: number | null;
  asset: string;
  token: string | null;
  amount: string;
  destination_tag: number | null;
  source_tag: number | null;
}

/** Single transfers of each pair, by pair name. */
export async function pairTransfers(
  graph: Graph,
  pairs: { from: string; to: string }[],
  {
    minUsd,
    span: { from, until } = ANY_TIME,
    perPair = TRANSFERS_PER_PAIR,
    timeoutMs,
  }: { minUsd: number; span?: MomentSpan; perPair?: number; timeoutMs: number },
): Promise<Map<string, PathTransfer[]>> {
  const params = { pairs, min_usd: minUsd, from, until, per_pair: perPair };
  const rows = await graph.read<TransferRow>('path/transfers', params, { timeoutMs });
  const byPair = new Map<string, PathTransfer[]>();
  for (const row of rows) {
    const { from_key: from, to_key: to, tx_hash: txHash, usd, seq, destination_tag, source_tag, ...transfer } = row;
    const value = { usd: usd ?? 0, priced: usd !== null, ...tagsField(destination_tag, source_tag) };
    addToGroup(byPair, pairName({ from, to }), { ...transfer, from, to, txHash, seq: seq ?? 0, ...value });
  }
  return byPair;
}

type TopRow = Row & { from: string; to: string; tx_hash: string };

/** The transaction of the most valuable transfer of each ordered pair that has some, by pair name. Throws GraphError. */
export async function readTopTransfers(
  graph: Graph,
  pairs: readonly { from: string; to: string }[],
  timeoutMs: number,
): Promise<Map<string, string>> {
  if (pairs.length === 0) return new Map();
  const rows = await graph.read<TopRow>('pairs/top-transfers', { pairs: pairKeys(pairs) }, { timeoutMs });
  return new Map(rows.map((row) => [pairName(row), row.tx_hash]));
}
