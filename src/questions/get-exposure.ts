import type { Context } from '../context.ts';
import type { Chain } from '../domain/chain.ts';
import type { Direction, Source, Trace, TracedTransfer } from '../domain/exposure.ts';
import { type Hop, hopOf } from '../domain/hop.ts';
import { CATEGORIES, type Category } from '../domain/label.ts';
import { type SubjectFacts, subjectFacts } from '../graph/exposure.ts';
import { TRACE_BUDGET_MS, traceMoney } from './trace-money.ts';

const TOP_ADDRESSES = 10;

export interface ExposureRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  maxHops: number;
  limit: number;
  /** A keyless answer must not tell what others investigate. */
  keyless: boolean;
}

export interface Bucket {
  direction: Direction;
  category: Category;
  usd: number;
  /** Part of that direction's money, 0-1. */
  share: number;
  usd_upper: number;
  address_count: number;
  min_hops: number;
  top: { address: string; label: string | null; usd: number; hops: number; path: Hop[] }[];
}

/** Where an address's money came from and where it went, by haircut over the graph (domain/exposure.ts). */
export async function getExposure(ctx: Context, request: ExposureRequest) {
  const { chain, address, maxHops, limit } = request;
  const key = `${chain}:${address}`;
  const deadline = performance.now() + TRACE_BUDGET_MS;
  const facts = await subjectFacts(ctx.graph, key, TRACE_BUDGET_MS);
  const [received, sent] = await Promise.all([
    traceMoney(ctx, key, facts, { direction: 'received', maxHops, limit, deadline }),
    traceMoney(ctx, key, facts, { direction: 'sent', maxHops, limit, deadline }),
  ]);
  const buckets = [...bucketsOf(chain, 'received', received), ...bucketsOf(chain, 'sent', sent)];
  const classifiedUsd = buckets.reduce((sum, { bucket }) => sum + bucket.usd, 0);
  const receivedUsd = roundUsd(received.totalUsd);
  const sentUsd = roundUsd(sent.totalUsd);
  const reasons = new Set([...received.reasons, ...sent.reasons]);
  if (!facts?.scannedAt) reasons.add('never_scanned');
  if (facts?.unpriced.received || facts?.unpriced.sent) reasons.add('unpriced');
  return {
    address,
    chain,
    max_hops: maxHops,
    limit,
    method: 'haircut' as const,
    direct: buckets.filter(({ tier }) => tier === 'direct').map(({ bucket }) => bucket),
    indirect: buckets.filter(({ tier }) => tier === 'indirect').map(({ bucket }) => bucket),
    patterns: [],
    total_classified_usd: roundUsd(classifiedUsd),
    received_usd: receivedUsd,
    sent_usd: sentUsd,
    unattributed_usd: roundUsd(receivedUsd + sentUsd - classifiedUsd),
    coverage: {
      ...(request.keyless
        ? {}
        : {
            scanned_at: facts?.scannedAt ? new Date(facts.scannedAt).toISOString() : null,
            transfers: facts?.transfers ?? 0,
          }),
      complete: facts?.complete === true && reasons.size === 0,
      reasons: [...reasons].sort(),
    },
    note: noteFor(facts),
  };
}

function noteFor(facts: SubjectFacts | null): string | null {
  if (facts === null) return 'This address has not been scanned yet: the graph holds no transfers of it.';
  if (facts.scannedAt === null) {
    return 'This address has not been scanned yet: only transfers seen in scans of other addresses are counted.';
  }
  return null;
}

function bucketsOf(chain: Chain, direction: Direction, traced: Trace) {
  return (['direct', 'indirect'] as const).flatMap((tier) =>
    CATEGORIES.flatMap((category) => {
      const sources = traced.sources.filter((source) => source.tier === tier && source.category === category);
      return sources.length > 0 ? [{ tier, bucket: bucketOf(chain, direction, category, sources, traced) }] : [];
    }),
  );
}

function bucketOf(chain: Chain, direction: Direction, category: Category, sources: Source[], traced: Trace): Bucket {
  const usd = sources.reduce((sum, source) => sum + source.usd, 0);
  const upper = sources.reduce((sum, source) => sum + source.usdUpper, 0);
  return {
    direction,
    category,
    usd: roundUsd(usd),
    share: traced.totalUsd > 0 ? Math.min(1, usd / traced.totalUsd) : 0,
    usd_upper: roundUsd(Math.min(upper, traced.totalUsd)),
    address_count: sources.length,
    min_hops: Math.min(...sources.map((source) => source.hops)),
    top: sources.slice(0, TOP_ADDRESSES).map((source) => ({
      address: withoutChain(chain, source.address),
      label: source.label,
      usd: roundUsd(source.usd),
      hops: source.hops,
      path: pathOf(chain, direction, source.path),
    })),
  };
}

/** Hops in the order in which the money moved, whichever way it was traced. */
function pathOf(chain: Chain, direction: Direction, path: TracedTransfer[]): Hop[] {
  return direction === 'received'
    ? path.map((transfer) => hopOf(chain, transfer, { from: transfer.far, to: transfer.near })).reverse()
    : path.map((transfer) => hopOf(chain, transfer, { from: transfer.near, to: transfer.far }));
}

function withoutChain(chain: Chain, key: string): string {
  return key.slice(chain.length + 1);
}

/** To a millionth of a dollar: below that it is rounding of the arithmetic, not money. */
function roundUsd(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
