import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { CATEGORIES } from '../../domain/label.ts';
import { ALL_TERMINAL_CATEGORIES } from '../../questions/tracing/get-terminals.ts';
import { timestamp } from '../schemas.ts';

const Chain = z.enum(CHAINS);
const Category = z.enum(CATEGORIES);

export const Hop = z
  .object({
    from: z.string(),
    to: z.string(),
    chain: Chain,
    tx_hash: z.string().meta({ description: 'The transaction that proves the step' }),
    asset: z.string(),
    amount: z.string().meta({ description: 'Exact decimal' }),
    usd: z.number().nullable(),
    at: timestamp,
    conversion: z
      .array(z.object({ tx_hash: z.string(), from_asset: z.string(), to_asset: z.string() }))
      .optional()
      .meta({ description: 'Swaps by which the sender turned the money of the hop before into this asset' }),
  })
  .meta({ id: 'Hop' });

const assets = z
  .record(z.string(), z.string())
  .meta({ description: 'Quantities that came from there, or arrived there, by asset: exact decimals' });

export const Shares = z.object({ received: z.number().nullable(), sent: z.number().nullable() });

const attributed = Shares.meta({
  description: 'Part of the money that has a labelled end, 0-1; null where there is no money',
});

export const Frontier = z
  .array(
    z.object({
      address: z.string(),
      chain: Chain,
      direction: z.enum(['received', 'sent']),
      hop: z.int().meta({ description: '0 for the address itself' }),
      usd: z.number(),
      share: z
        .number()
        .meta({ description: "Part of that direction's money, 0-1; in a search for paths, of the widest flow met" }),
      reason: z.string(),
    }),
  )
  .meta({
    id: 'Frontier',
    description: 'Where the trace ended, or passed an address that was not read: what to read next, largest first',
  });

const TraceCoverage = z
  .object({
    attributed,
    unattributed: z.record(z.string(), z.number()).meta({ description: 'US dollars by reason' }),
    through_unread: Shares.meta({
      description: 'Part of the money that passed addresses not read meanwhile, 0-1: its attribution is an upper bound',
    }),
    frontier: Frontier,
    frontier_count: z.int(),
    complete: z.boolean(),
    reasons: z.array(z.string()),
  })
  .meta({ id: 'TraceCoverage' });

const Bucket = z
  .object({
    direction: z.enum(['received', 'sent']),
    category: Category,
    usd: z.number(),
    share: z.number().meta({ description: "Part of that direction's money, 0-1" }),
    usd_upper: z.number().meta({ description: 'The most that can have come along the paths' }),
    address_count: z.int(),
    min_hops: z.int(),
    top: z.array(
      z.object({
        address: z.string(),
        label: z.string().nullable(),
        usd: z.number(),
        hops: z.int(),
        assets,
        path: z.array(Hop),
      }),
    ),
  })
  .meta({ id: 'ExposureBucket' });

export const Exposure = z
  .object({
    address: z.string(),
    chain: Chain,
    max_hops: z.int(),
    limit: z.int(),
    method: z.literal('haircut'),
    direct: z.array(Bucket),
    indirect: z.array(Bucket),
    patterns: z.array(
      z.object({
        pattern_id: z.string(),
        name: z.string(),
        severity: z.enum(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
        description: z.string(),
        usd: z.number(),
        evidence: z.array(Hop),
      }),
    ),
    total_classified_usd: z.number(),
    received_usd: z.number(),
    sent_usd: z.number(),
    unattributed_usd: z.number(),
    coverage: TraceCoverage.partial({
      unattributed: true,
      through_unread: true,
      frontier: true,
      frontier_count: true,
    }).extend({ scanned_at: timestamp.nullable().optional(), transfers: z.int().optional() }),
    note: z.string().nullable(),
  })
  .meta({ id: 'Exposure' });

const TerminalCategoryName = z.enum(ALL_TERMINAL_CATEGORIES);

/** `exchange,bridge` in the query string; left out or empty means all. */
export const terminalCategories = z
  .string()
  .default('')
  .meta({ description: `Some of \`${ALL_TERMINAL_CATEGORIES.join()}\`, comma-separated; left out: all` })
  .transform((text) => {
    const names = text.split(',').flatMap((name) => name.trim() || []);
    return names.length > 0 ? [...new Set(names)] : [...ALL_TERMINAL_CATEGORIES];
  })
  .pipe(z.array(TerminalCategoryName));

export const Terminals = z
  .object({
    address: z.string(),
    chain: Chain,
    max_hops: z.int(),
    categories: z.array(TerminalCategoryName),
    terminals: z.array(
      z.object({
        address: z.string(),
        chain: Chain,
        label: z.string().nullable(),
        category: Category,
        terminal_category: TerminalCategoryName,
        hops: z.int(),
        usd: z.number().meta({ description: 'What arrived, in the value that it had when it left the address' }),
        reached: z
          .enum(['money', 'path'])
          .meta({ description: '`path`: in time order, but with none of the attributed money' }),
        assets,
        first_at: timestamp,
        last_at: timestamp,
        path: z.array(Hop),
      }),
    ),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    truncated: z.boolean(),
    coverage: TraceCoverage,
    note: z.string().nullable(),
  })
  .meta({ id: 'Terminals' });

export const FlowPaths = z
  .object({
    found: z.boolean(),
    from_address: z.string(),
    to_address: z.string(),
    paths: z.array(
      z.object({
        length: z.int(),
        bottleneck_usd: z.number().nullable(),
        first_at: timestamp,
        last_at: timestamp,
        hops: z.array(Hop),
      }),
    ),
    searched: z.object({ addresses: z.int(), truncated: z.boolean(), reasons: z.array(z.string()) }),
    coverage: TraceCoverage,
    note: z.string().nullable(),
  })
  .meta({ id: 'FlowPaths' });

const Totals = z
  .object({
    usd: z.number().nullable(),
    tx_count: z.int(),
    first_at: timestamp,
    last_at: timestamp,
    tx_hash: z.string(),
  })
  .meta({ id: 'Totals' });
const Sides = z.object({ sent: Totals.nullable(), received: Totals.nullable() });
const SharedCounterparty = z
  .object({
    address: z.string(),
    label: z.string().nullable(),
    category: Category,
    with_a: Sides,
    with_b: Sides,
  })
  .meta({ id: 'SharedCounterparty' });

export const Relationship = z
  .object({
    address_a: z.string(),
    address_b: z.string(),
    chain: Chain,
    related: z.boolean(),
    direct: z.object({ a_to_b: Totals.nullable(), b_to_a: Totals.nullable() }),
    shared_counterparties: z.array(SharedCounterparty),
    shared_count: z.int(),
    shared_services: z.array(SharedCounterparty),
    shortest_path: z.object({ length: z.int(), hops: z.array(Hop) }).nullable(),
    same_entity: z.boolean(),
    searched: z.object({ truncated: z.boolean(), reasons: z.array(z.string()) }),
    coverage: TraceCoverage,
    note: z.string().nullable(),
  })
  .meta({ id: 'Relationship' });
