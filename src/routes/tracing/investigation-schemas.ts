import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { ALL_TERMINAL_CATEGORIES } from '../../questions/tracing/get-terminals.ts';
import { Bridge } from '../bridge-fields.ts';
import {
  address,
  asset,
  Category,
  Direction,
  Frontier,
  label,
  limit,
  offset,
  Severity,
  Shares,
  total,
  txHash,
} from '../fields.ts';
import { timestamp } from '../schemas.ts';

const Chain = z.enum(CHAINS);
const maxHops = z.int().describe('The `max_hops` that was used');
const truncated = z.boolean().describe('True where a bound left something out; `reasons` or the note say which');
const firstAt = timestamp.describe('First transfer');
const lastAt = timestamp.describe('Last transfer');
const note = z.string().nullable().describe('What the answer leaves out, for people; null where nothing');
const reasons = z.array(z.string()).describe('What was cut: `not_read`, `max_hops`, `limit`, `time_budget`, …');

const Conversion = z
  .object({
    tx_hash: txHash.describe('The transaction of the swap'),
    from_asset: asset.describe('What was given'),
    to_asset: asset.describe('What came back'),
  })
  .meta({ id: 'Conversion', description: 'A swap by which the sender turned money into another asset' });

export const Hop = z
  .object({
    from: address.describe('Who gave'),
    to: address.describe('Who got'),
    chain: Chain,
    tx_hash: txHash.describe('The transaction that proves the step'),
    asset,
    amount: z.string().describe('Exact decimal'),
    usd: z.number().nullable().describe('US dollars at the time of the transfer; null without a price'),
    at: timestamp.describe('Time of the transfer'),
    conversion: z
      .array(Conversion)
      .optional()
      .describe('Swaps by which the sender turned the money of the hop before into this asset'),
    bridge: Bridge.optional().describe('The bridge that carried the hop to another chain, or at which the money ended'),
  })
  .meta({ id: 'Hop', description: 'One transfer of a path' });

const path = z.array(Hop).describe('One way, in the order of the money');

const assets = z
  .record(z.string(), z.string().describe('Exact decimal'))
  .describe('Quantities that came from there, or arrived there, by asset');

const TraceCoverage = z
  .object({
    attributed: Shares.describe('Part of the money that has a labelled end, 0 to 1'),
    unattributed: z
      .record(z.string(), z.number().describe('US dollars'))
      .describe('Money without a known end, by reason'),
    through_unread: Shares.describe(
      'Part of the money that passed addresses not read meanwhile, 0 to 1: its attribution is an upper bound',
    ),
    frontier: Frontier,
    frontier_count: z.int().describe('How many addresses the frontier has; the largest are shown'),
    complete: z.boolean().describe('True where nothing was left out'),
    reasons,
  })
  .meta({ id: 'TraceCoverage', description: 'What an answer about money has not seen' });

const ExposedTo = z
  .object({
    address,
    chain: Chain.describe('Not the chain of the request where money crossed a bridge'),
    label,
    usd: z.number().describe('US dollars that came from there, or went there'),
    hops: z.int().describe('Transfers between the address and this one'),
    assets,
    path,
  })
  .meta({ id: 'ExposureParty', description: 'One labelled address of a bucket' });

const Bucket = z
  .object({
    direction: Direction,
    category: Category,
    usd: z.number().describe('US dollars of the address that came from this category, or went there'),
    share: z.number().describe("Part of that direction's money, 0 to 1"),
    usd_upper: z.number().describe('The most that can have come along the paths, in US dollars'),
    address_count: z.int().describe('Labelled addresses of this category'),
    min_hops: z.int().describe('Transfers to the nearest of them'),
    top: z.array(ExposedTo).describe('Those with most of the money, at most 10'),
  })
  .meta({ id: 'ExposureBucket', description: 'Money of one direction that came from one category, or went there' });

const Pattern = z
  .object({
    pattern_id: z.string().describe('Stable name of the pattern'),
    name: z.string().describe('The same for people, in the language of `lang`'),
    severity: Severity,
    description: z.string().describe('What was found, in the language of `lang`'),
    usd: z.number().describe('US dollars that the pattern moved'),
    evidence: z.array(Hop).describe('Its transfers, oldest first'),
  })
  .meta({ id: 'LaunderingPattern', description: 'A shape that several addresses form' });

export const Exposure = z
  .object({
    address,
    chain: Chain,
    max_hops: maxHops,
    limit,
    method: z.literal('haircut').describe('An address pays in the mix in which it received'),
    direct: z.array(Bucket).describe('Labelled counterparties: one transfer away'),
    indirect: z.array(Bucket).describe('Labelled addresses behind unlabelled ones: two or more transfers away'),
    patterns: z.array(Pattern).describe('Laundering patterns around the address; empty with `patterns=off`'),
    total_classified_usd: z.number().describe('US dollars, both directions, with a labelled end'),
    received_usd: z.number().describe('US dollars that came in'),
    sent_usd: z.number().describe('US dollars that went out'),
    unattributed_usd: z.number().describe('US dollars, both directions, without a labelled end'),
    coverage: TraceCoverage.partial({
      unattributed: true,
      through_unread: true,
      frontier: true,
      frontier_count: true,
    })
      .extend({
        scanned_at: timestamp.nullable().optional().describe('When you last read the address; null: never'),
        transfers: z.int().optional().describe('Transfers of the address that the graph knows'),
      })
      .meta({ id: 'ExposureCoverage', description: 'What the answer has not seen; without a key in short' }),
    note,
  })
  .meta({ id: 'Exposure', description: 'Where the money of an address came from and where it went' });

const TerminalCategoryName = z
  .enum(ALL_TERMINAL_CATEGORIES)
  .meta({ id: 'TerminalCategory', description: 'Kind of place at which money leaves sight' });

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

const Terminal = z
  .object({
    address,
    chain: Chain,
    label,
    category: Category,
    terminal_category: TerminalCategoryName,
    hops: z.int().describe('Transfers from the address to there'),
    usd: z.number().describe('What arrived, in the value that it had when it left the address, in US dollars'),
    reached: z.enum(['money', 'path']).describe('`path`: in time order, but with none of the attributed money'),
    assets,
    first_at: firstAt.describe('First arrival'),
    last_at: lastAt.describe('Last arrival'),
    path,
  })
  .meta({ id: 'Terminal', description: 'A service or listed party at which money ended' });

export const Terminals = z
  .object({
    address,
    chain: Chain,
    max_hops: maxHops,
    categories: z.array(TerminalCategoryName).describe('The kinds that were asked for'),
    terminals: z.array(Terminal).describe('Largest share of the money first, then those that only a path reaches'),
    total,
    limit,
    offset,
    truncated,
    coverage: TraceCoverage,
    note,
  })
  .meta({ id: 'Terminals', description: 'Where the money of an address ended' });

const FlowPath = z
  .object({
    length: z.int().describe('Transfers of the path'),
    bottleneck_usd: z.number().nullable().describe('Value of its smallest transfer; null where none is priced'),
    first_at: firstAt,
    last_at: lastAt,
    hops: path,
  })
  .meta({ id: 'FlowPath' });

export const FlowPaths = z
  .object({
    found: z.boolean().describe('Whether the graph holds a path; see `coverage` for what it has not seen'),
    from_address: address,
    to_address: address,
    paths: z.array(FlowPath).describe('Shortest first, then the larger bottleneck'),
    searched: z
      .object({ addresses: z.int().describe('Addresses that were opened'), truncated, reasons })
      .meta({ id: 'PathSearch', description: 'How far the search went' }),
    coverage: TraceCoverage,
    note,
  })
  .meta({ id: 'FlowPaths', description: 'Directed money paths between two addresses' });

const Totals = z
  .object({
    usd: z.number().nullable().describe('US dollars in sum; null where nothing is priced'),
    tx_count: z.int().describe('Transfers'),
    first_at: firstAt,
    last_at: lastAt,
    tx_hash: txHash.describe('The transaction of the largest transfer'),
  })
  .meta({ id: 'Totals', description: 'Everything that one address paid another' });
export const Dealings = z
  .object({
    sent: Totals.nullable().describe('What the address paid the counterparty; null: nothing'),
    received: Totals.nullable().describe('What the counterparty paid the address; null: nothing'),
  })
  .meta({ id: 'Dealings' });
const SharedCounterparty = z
  .object({
    address,
    label,
    category: Category,
    with_a: Dealings.describe('Its dealings with `address_a`'),
    with_b: Dealings.describe('Its dealings with `address_b`'),
  })
  .meta({ id: 'SharedCounterparty', description: 'An address that both addresses dealt with' });

export const Relationship = z
  .object({
    address_a: address,
    address_b: address,
    chain: Chain,
    related: z
      .boolean()
      .describe('By payments, one owner, a short path, or a shared counterparty that is not a service'),
    direct: z
      .object({
        a_to_b: Totals.nullable().describe('What A paid B; null: nothing'),
        b_to_a: Totals.nullable().describe('What B paid A; null: nothing'),
      })
      .meta({ id: 'DirectDealings', description: 'What the two paid each other' }),
    shared_counterparties: z.array(SharedCounterparty).describe('The most valuable to both first'),
    shared_count: z.int().describe('How many there are; `limit` bounds the list'),
    shared_services: z.array(SharedCounterparty).describe('Busy services that both used: they relate nobody'),
    shortest_path: z
      .object({ length: z.int().describe('Transfers of the path'), hops: path })
      .meta({ id: 'ShortestPath' })
      .nullable()
      .describe('The shorter of the two directed ways, at most 4 transfers; null without one'),
    same_entity: z.boolean().describe('Whether the graph takes both as one owner'),
    searched: z.object({ truncated, reasons }).meta({ id: 'RelationshipSearch', description: 'What bounds cut' }),
    coverage: TraceCoverage,
    note,
  })
  .meta({ id: 'Relationship', description: 'Whether two addresses belong together' });
