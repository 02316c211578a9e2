import { readConfig } from '../../src/config.ts';
import type { BridgeProtocol } from '../../src/domain/bridges/protocols.ts';
import { listsOfChain } from '../../src/domain/chain.ts';
import type { Category, Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { markRead } from '../../src/graph/ingest/mark-read.ts';
import type { Graph } from '../../src/graph/port.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { asOperator, type Inquiry } from '../../src/tracing/read/inquiry.ts';
import { build, transfer, type World } from '../graph/world.ts';

/** When, from whom, to whom, how many dollars (null: unpriced), and what else is said of it. */
export type Payment = [at: number, from: string, to: string, usd: number | null, more?: Partial<Transfer>];

/** Addresses whose name begins so are labelled; all others are nobody's. */
export const NAMED: Record<string, Category> = {
  HACK: 'sanctioned',
  CEX: 'exchange',
  MIX: 'mixer',
  SCAM: 'scam',
  BRIDGE: 'bridge',
  DARK: 'darknet',
  THIEF: 'theft',
  DRAIN: 'drainer',
  DEX: 'dex',
  ROUTER: 'dex_router',
  BET: 'gambling',
  MARKET: 'other',
};

/** More than a question has in service, so that a slow machine changes no answer. */
export const AMPLE_MS = 120_000;

/** What a search for paths is asked, but for its ends. */
export const SEARCH = { maxHops: 5, minUsd: 0, timeOrdered: true, maxPaths: 3, throughServices: false };

export function transfersOf(payments: readonly Payment[], prefix = ''): Transfer[] {
  return payments.map(([at, from, to, usd, more], i) =>
    transfer(
      {
        at,
        from: prefix + from,
        to: prefix + to,
        usd,
        amount: String(usd ?? 1),
        ...more,
        txHash: more?.txHash ?? `0x${prefix}${i}`,
      },
      i,
    ),
  );
}

export function labelsOf(transfers: readonly Transfer[], prefix = ''): World['labels'] {
  return Object.fromEntries(
    transfers.flatMap(({ from, to }) =>
      [from, to].flatMap((address) => {
        const category = NAMED[/^[A-Z]+/.exec(address.slice(prefix.length))?.[0] ?? ''];
        return category ? [[address, { category, label: address.toLowerCase() }]] : [];
      }),
    ),
  );
}

export async function pay(graph: Graph, payments: readonly Payment[], more: World = {}): Promise<void> {
  const transfers = transfersOf(payments);
  await build(graph, { ...more, transfers, labels: { ...labelsOf(transfers), ...more.labels } });
  const parties = new Set(transfers.flatMap(({ from, to }) => [from, to]));
  for (const address of parties) if (READ.test(address)) await markWhole(graph, address);
}

/** Names of addresses whose whole history was read: contracts, thieves and the wallets over which they pay back. */
const READ = /^(vault|MARKET|THIEF|fund)/;
/** Contracts among them; a market has a name. */
const CONTRACT = /^(vault|MARKET)/;

async function markWhole(graph: Graph, address: string): Promise<void> {
  const at = 1_000;
  const isContract = CONTRACT.test(address);
  const intervals = listsOfChain('ethereum').map((list) => ({ list, from: 0, to: at, source: 'explorer', at }));
  await markRead(graph, { chain: 'ethereum', address, at, complete: true, isContract, isHub: false, intervals });
}

/** What questions about money need of a context, where all that the graph holds counts as read. */
export function tracing(graph: Graph, more: Partial<Inquiry> = {}) {
  const bridges = { protocols: async () => new Map<string, BridgeProtocol>() };
  const labels = { find: async () => new Map<string, Label[]>() };
  const ctx = { graph, now: () => Date.now(), config: readConfig({}), bridges, labels };
  return { ...asOperator(ctx), remainingMs: () => AMPLE_MS, ...more };
}

/** `S` in five hops and without a limit that matters, with a key. */
export function askExposure(
  graph: Graph,
  more: Partial<Parameters<typeof getExposure>[1]> = {},
  inquiry: Partial<Inquiry> = {},
) {
  return getExposure(tracing(graph, inquiry), {
    chain: 'ethereum',
    address: 'S',
    maxHops: 5,
    limit: 200,
    ...more,
  });
}

type Answer = Awaited<ReturnType<typeof getExposure>>;

/** `received sanctioned indirect: 0.4 at 2`, one line a bucket. */
export function lines({ direct, indirect }: Answer): string[] {
  return Object.entries({ direct, indirect }).flatMap(([tier, buckets]) =>
    buckets.map((bucket) => `${bucket.direction} ${bucket.category} ${tier}: ${bucket.usd} at ${bucket.min_hops}`),
  );
}
