import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, CategorySchema, label, txHash } from '../../domain/fields.ts';
import { firstAt, lastAt, path, reasons, TraceCoverageSchema } from '../../domain/tracing/answers.ts';
import { cypher, note, truncated } from './tracing-fields.ts';

const Chain = z.enum(CHAINS);

const FlowPathSchema = z
  .object({
    length: z.int().describe('Transfers of the path'),
    bottleneck_usd: z.number().nullable().describe('Value of its smallest transfer; null where none is priced'),
    first_at: firstAt,
    last_at: lastAt,
    hops: path,
  })
  .meta({ id: 'FlowPath' });

export const FlowPathsSchema = z
  .object({
    found: z.boolean().describe('Whether the graph holds a path; see `coverage` for what it has not seen'),
    from_address: address,
    to_address: address,
    chain: Chain.describe('Of `from_address`'),
    to_chain: Chain.describe('Of `to_address`'),
    paths: z.array(FlowPathSchema).describe('Shortest first, then the larger bottleneck'),
    searched: z
      .object({ addresses: z.int().describe('Addresses that were opened'), truncated, reasons })
      .meta({ id: 'PathSearch', description: 'How far the search went' }),
    coverage: TraceCoverageSchema,
    note,
    cypher,
  })
  .meta({ id: 'FlowPaths', description: 'Directed money paths between two addresses' });

const TotalsSchema = z
  .object({
    usd: z.number().nullable().describe('US dollars in sum; null where nothing is priced'),
    tx_count: z.int().describe('Transfers'),
    first_at: firstAt,
    last_at: lastAt,
    tx_hash: txHash.describe('The transaction of the largest transfer'),
  })
  .meta({ id: 'Totals', description: 'Everything that one address paid another' });

export const DealingsSchema = z
  .object({
    sent: TotalsSchema.nullable().describe('What the address paid the counterparty; null: nothing'),
    received: TotalsSchema.nullable().describe('What the counterparty paid the address; null: nothing'),
  })
  .meta({ id: 'Dealings' });

const SharedCounterpartySchema = z
  .object({
    address,
    label,
    category: CategorySchema,
    with_a: DealingsSchema.describe('Its dealings with `address_a`'),
    with_b: DealingsSchema.describe('Its dealings with `address_b`'),
  })
  .meta({ id: 'SharedCounterparty', description: 'A counterparty of both addresses' });

export const RelationshipSchema = z
  .object({
    address_a: address,
    address_b: address,
    chain: Chain.describe('Of `address_a`'),
    chain_b: Chain.describe('Of `address_b`'),
    related: z
      .boolean()
      .describe('By payments, one owner, a short path, or a shared counterparty that is not a service'),
    direct: z
      .object({
        a_to_b: TotalsSchema.nullable().describe('What A paid B; null: nothing'),
        b_to_a: TotalsSchema.nullable().describe('What B paid A; null: nothing'),
      })
      .meta({ id: 'DirectDealings', description: 'What the two paid each other' }),
    shared_counterparties: z.array(SharedCounterpartySchema).describe('The most valuable to both first'),
    shared_count: z.int().describe('How many there are; `limit` bounds the list'),
    shared_services: z.array(SharedCounterpartySchema).describe('Busy services that both used: not a relationship'),
    shortest_path: z
      .object({ length: z.int().describe('Transfers of the path'), hops: path })
      .meta({ id: 'ShortestPath' })
      .nullable()
      .describe(
        'The shorter of the two directed ways, at most 10 transfers and not through services; null without one',
      ),
    same_entity: z.boolean().describe('Whether the graph takes both as one owner'),
    searched: z.object({ truncated, reasons }).meta({ id: 'RelationshipSearch', description: 'What bounds cut' }),
    coverage: TraceCoverageSchema,
    note,
    cypher,
  })
  .meta({ id: 'Relationship', description: 'Whether two addresses are related' });
