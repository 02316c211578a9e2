import { createRequire } from 'node:module';
import { addressKey } from '../../src/domain/address/address-key.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { numberEquals } from '../../src/domain/transfers/transfer-id.ts';
import type { NodeLabel } from '../../src/graph/ingest/apply-labels.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { markRead } from '../../src/graph/ingest/mark-read.ts';
import type { Graph } from '../../src/graph/port.ts';
import { exportGraph, type GraphPage } from '../../src/operator/export-files.ts';

/** True where the optional package was left out, for tests of clusters. */
export const isDuckDbMissing = (() => {
  try {
    createRequire(import.meta.url).resolve('@duckdb/node-api');
    return false;
  } catch {
    return true;
  }
})();

/** A small graph as the cases write it down: what is left out is filled in. */
export interface World {
  transfers?: (Partial<Transfer> & { from: string; to: string })[];
  /** By address. */
  labels?: Record<string, Partial<NodeLabel>>;
  scanned?: ScannedAddress[];
}

export interface ScannedAddress {
  address: string;
  at: number;
  complete: boolean;
  chain?: Chain;
}

/** A transfer on Ethereum of 1 TOK worth 1 dollar, the `nth` of its world, save what is given. */
export function transfer(given: Partial<Transfer> & { from: string; to: string }, nth = 0): Transfer {
  const chain = given.chain ?? 'ethereum';
  const txHash = given.txHash ?? `0x${nth}`;
  const index = given.index ?? 'native';
  return createTransfer({
    chain,
    txHash,
    index,
    seq: 0,
    at: 1_000 + nth,
    asset: 'TOK',
    amount: '1',
    usd: 1,
    kind: 'native',
    ...given,
  });
}

export function nodeLabel(given: Partial<NodeLabel>): NodeLabel {
  return { category: null, label: null, label_source: null, entity_id: null, ...given };
}

export function transfersOf({ transfers = [] }: World): Transfer[] {
  const made = transfers.map(transfer);
  numberEquals(made);
  return made;
}

/** Builds the world through the code that builds the real graph. */
export async function build(graph: Graph, world: World): Promise<void> {
  const transfers = transfersOf(world);
  const chains = [...new Set<Chain>(['ethereum', ...transfers.map(({ chain }) => chain)])];
  const labels = new Map(
    Object.entries(world.labels ?? {}).flatMap(([address, label]) =>
      chains.map((chain): [string, NodeLabel] => [addressKey(chain, address), nodeLabel(label)]),
    ),
  );
  for (const scan of world.scanned ?? []) await markScanned(graph, scan);
  await ingestTransfers(graph, transfers, labels);
}

/** Marks an address as scanned, without saying which parts of its history were read. */
export function markScanned(graph: Graph, scan: ScannedAddress): Promise<void> {
  return markRead(graph, { chain: 'ethereum', isContract: null, isHub: false, intervals: [], ...scan });
}

/** Everything in the graph, in a fixed order. */
export async function contents(graph: Graph) {
  const all = {
    addresses: [] as GraphPage['addresses'],
    transfers: [] as string[],
    flows: [] as string[],
    bridged: [] as string[],
    entities: [] as string[],
  };
  for await (const page of exportGraph(graph, 1_000)) {
    all.addresses.push(...page.addresses);
    all.transfers.push(...page.transfers.map(canonical));
    all.flows.push(...page.flows.map(canonical));
    all.bridged.push(...page.bridged.map(canonical));
    all.entities.push(...page.entities.map(canonical));
  }
  for (const list of [all.transfers, all.flows, all.bridged, all.entities]) list.sort();
  return all;
}

/** JSON with sorted keys, for comparing what has no order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, entry) =>
    entry !== null && typeof entry === 'object' && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );
}
