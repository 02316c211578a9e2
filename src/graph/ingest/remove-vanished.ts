import type { Chain } from '../../domain/chain.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { listsOfChain, type ReadInterval, readInAll } from '../../domain/tracing/read-intervals.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { addressKey } from '../address-key.ts';
import type { Graph, Row } from '../port.ts';
import { type FactPlace, removeFacts } from './remove-facts.ts';

/** A server that lags behind others does not list what is newer than this. */
const SETTLED_MS = HOUR_MS;
/** More than this share of what was held, and more than a few facts, is a fault of the source rather than a correction. */
const LOSS_SHARE_MAX = 0.1;
const LOSS_MAX = 10;

/** Report of a source about an address. */
export interface SourceReading {
  chain: Chain;
  address: string;
  /** As the transfers name it. */
  source: string;
  /** Epoch ms: when the source was asked. */
  at: number;
  transfers: readonly Transfer[];
  /** The spans over which its lists were read whole. */
  intervals: readonly ReadInterval[];
}

/**
 * Deletes facts of an address that the same source gave earlier and no longer gives: those whose transfer has other ends
 * now, and those missing where all lists were read whole. Where a large part is missing, it stays and counts as
 * `conflicts`.
 */
export async function removeVanished(
  graph: Graph,
  reading: SourceReading,
): Promise<{ removed: number; conflicts: number }> {
  const { chain, address, source, at, transfers } = reading;
  // Its nodes list a transfer through a closed token account for one of its ends alone.
  if (chain === 'solana') return { removed: 0, conflicts: 0 };
  const params = { key: addressKey(chain, address), source, before: at };
  const held = await graph.read<FactPlace & { at: number } & Row>('forget/facts-of-address', params);
  if (held.length === 0) return { removed: 0, conflicts: 0 };

  const ids = new Set(transfers.map(({ id }) => id));
  const found = new Set(
    transfers.map(({ id, from, to }) => `${id} ${addressKey(chain, from)} ${addressKey(chain, to)}`),
  );
  const absent = held.filter(({ id, from, to }) => !found.has(`${id} ${from} ${to}`));
  const changed = absent.filter(({ id }) => ids.has(id));
  const isRead = spansOf(reading);
  const missing = absent.filter((fact) => !ids.has(fact.id) && isRead(fact.at));
  const isCorrection = missing.length <= Math.max(LOSS_MAX, held.length * LOSS_SHARE_MAX);
  const places = isCorrection ? [...changed, ...missing] : changed;
  const removed = places.length > 0 ? await removeFacts(graph, places, { unmark: false }) : 0;
  return { removed, conflicts: isCorrection ? 0 : missing.length };
}

function spansOf({ chain, at, intervals }: SourceReading): (moment: number) => boolean {
  const spans = readInAll(listsOfChain(chain), intervals);
  return (moment) => moment < at - SETTLED_MS && spans.some(({ from, to }) => from <= moment && moment <= to);
}
