import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, frozenShape, timestamp } from '../../domain/fields.ts';
import { ExposureBucketSchema, TerminalSchema, TraceCoverageSchema } from '../../domain/tracing/answers.ts';
import { LaunderingPatternSchema } from '../../risk/fields.ts';
import { entity } from '../entity-fields.ts';
import { limit, offset, total } from '../fields.ts';
import { cypher, maxHops, note, truncated } from './tracing-fields.ts';

const Chain = z.enum(CHAINS);

export const ExposureSchema = z
  .object({
    address,
    chain: Chain,
    ...frozenShape,
    entity,
    max_hops: maxHops,
    limit,
    method: z.literal('haircut').describe('An address pays in the mix in which it received'),
    direct: z.array(ExposureBucketSchema).describe('Labelled counterparties: one transfer away'),
    indirect: z
      .array(ExposureBucketSchema)
      .describe('Labelled addresses behind unlabelled ones: two or more transfers away'),
    patterns: z
      .array(LaunderingPatternSchema)
      .describe('Laundering patterns around the address; empty with `patterns=off`'),
    total_classified_usd: z.number().describe('US dollars, both directions, with a labelled end'),
    received_usd: z.number().describe('US dollars that came in'),
    sent_usd: z.number().describe('US dollars that went out'),
    unattributed_usd: z.number().describe('US dollars, both directions, without a labelled end'),
    unattributed_received_usd: z.number().describe('The part of it that came in'),
    unattributed_sent_usd: z.number().describe('The part of it that went out'),
    coverage: TraceCoverageSchema.partial({
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
    cypher,
  })
  .meta({ id: 'Exposure', description: 'Where the money of an address came from and where it went' });

export const TerminalsSchema = z
  .object({
    address,
    chain: Chain,
    entity,
    max_hops: maxHops,
    categories: z.array(TerminalSchema.shape.terminal_category).describe('The kinds that were asked for'),
    terminals: z
      .array(TerminalSchema)
      .describe('Largest share of the money first, then those that only a path reaches'),
    total,
    limit,
    offset,
    truncated,
    coverage: TraceCoverageSchema,
    note,
    cypher,
  })
  .meta({ id: 'Terminals', description: 'Where the money of an address ended' });
