import type { Context } from '../../context.ts';
import { roundUsd } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import { CATEGORIES, type Category } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import { type Direction, type Source, type Trace, upperUsd } from '../../domain/tracing/exposure.ts';
import { addressOf, type Hop, hopOf } from '../../domain/tracing/hop.ts';
import type { TracedTransfer } from '../../domain/tracing/strand.ts';
import { addressKey } from '../../graph/address-key.ts';
import type { SubjectFacts } from '../../graph/queries/exposure.ts';
import { rounded } from '../../risk/detectors/detector.ts';
import { exposurePatterns } from './exposure-patterns.ts';
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
export async function getExposure(ctx: Pick<Context, 'graph'>, request: ExposureRequest) {
  const { chain, address, maxHops, limit } = request;
  const directions = ['received', 'sent'] as const;
  const key = addressKey(chain, address);
  const deadline = performance.now() + TRACE_BUDGET_MS;
  const traces = await traceMoney(ctx, key, { directions, maxHops, limit });
  const { patterns, reason } = await exposurePatterns(ctx, chain, key, { traces, deadline });
  const { facts, received, sent } = traces;
  const buckets = [...bucketsOf(chain, 'received', received), ...bucketsOf(chain, 'sent', sent)];
  const receivedUsd = roundUsd(received.totalUsd);
  const sentUsd = roundUsd(sent.totalUsd);
  const totalUsd = roundUsd(receivedUsd + sentUsd);
  const classifiedUsd = Math.min(totalUsd, roundUsd(sumUsd([...received.sources, ...sent.sources])));
  const reasons = new Set([...received.reasons, ...sent.reasons]);
  if (reason !== null) reasons.add(reason);
  if (!facts?.scannedAt) reasons.add('never_scanned');
  else if (!facts.complete) reasons.add('partial_history');
  if (facts?.unpriced.received || facts?.unpriced.sent) reasons.add('unpriced');
  return {
    address,
    chain,
    max_hops: maxHops,
    limit,
    method: 'haircut' as const,
    direct: buckets.filter(({ tier }) => tier === 'direct').map(({ bucket }) => bucket),
    indirect: buckets.filter(({ tier }) => tier === 'indirect').map(({ bucket }) => bucket),
    patterns,
    total_classified_usd: classifiedUsd,
    received_usd: receivedUsd,
    sent_usd: sentUsd,
    unattributed_usd: roundUsd(totalUsd - classifiedUsd),
    coverage: {
      ...(request.keyless
        ? {}
        : {
            scanned_at: facts?.scannedAt ? iso(facts.scannedAt) : null,
            transfers: facts?.transfers ?? 0,
          }),
      complete: facts?.complete === true && reasons.size === 0,
      reasons: [...reasons].sort(),
    },
    note: noteFor(facts),
  };
}

function noteFor(facts: SubjectFacts | null): string | null {
  if (facts === null) return 'The graph holds no transfers of this address.';
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
  const usd = sumUsd(sources);
  return {
    direction,
    category,
    usd: roundUsd(usd),
    share: traced.totalUsd > 0 ? Math.min(1, rounded(usd / traced.totalUsd)) : 0,
    usd_upper: roundUsd(Math.min(upperUsd(sources), traced.totalUsd)),
    address_count: sources.length,
    min_hops: Math.min(...sources.map((source) => source.hops)),
    top: sources.slice(0, TOP_ADDRESSES).map((source) => ({
      address: addressOf(chain, source.address),
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

function sumUsd(sources: Source[]): number {
  return sources.reduce((sum, source) => sum + source.usd, 0);
}
