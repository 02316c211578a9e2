import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, CategorySchema, DirectionSchema, frozenShape, label, timestamp } from '../../domain/fields.ts';
import {
  assets,
  entityFields,
  firstAt,
  HopSchema,
  lastAt,
  path,
  TraceCoverageSchema,
  tagPartFields,
} from '../../domain/tracing/answers.ts';
import { ALL_TERMINAL_CATEGORIES } from '../../questions/tracing/get-terminals.ts';
import { SeveritySchema } from '../../risk/fields.ts';
import { entity } from '../entity-fields.ts';
import { limit, offset, total } from '../fields.ts';
import { cypher, maxHops, note, truncated } from './tracing-fields.ts';

const Chain = z.enum(CHAINS);

const ExposedTo = z
  .object({
    address,
    chain: Chain.describe('Not the chain of the request where money crossed a bridge'),
    label,
    ...entityFields,
    usd: z.number().describe('US dollars that came from there, or went there'),
    hops: z.int().describe('Transfers between the address and this one'),
    assets,
    path,
  })
  .meta({ id: 'ExposureParty', description: 'One labelled address of a bucket' });

const Bucket = z
  .object({
    direction: DirectionSchema,
    category: CategorySchema,
    usd: z.number().describe('US dollars of the address that came from this category, or went there'),
    share: z.number().describe("Part of that direction's money, 0 to 1"),
    usd_upper: z.number().describe('The most that can have come along the paths, in US dollars'),
    address_count: z.int().describe('Labelled addresses of this category'),
    min_hops: z.int().describe('Transfers to the nearest of them'),
    top: z.array(ExposedTo).describe('Those with most of the money, at most 10'),
  })
  .meta({ id: 'ExposureBucket', description: 'Money of one direction that came from one category, or went there' });

export const LaunderingPatternSchema = z
  .object({
    pattern_id: z.string().describe('Stable name of the pattern'),
    name: z.string().describe('The same for people, in the language of `lang`'),
    severity: SeveritySchema,
    description: z.string().describe('What was found, in the language of `lang`'),
    usd: z.number().describe('US dollars that the pattern moved'),
    evidence: z.array(HopSchema).describe('Its transfers, oldest first'),
  })
  .meta({ id: 'LaunderingPattern', description: 'A shape that several addresses form' });

export const ExposureSchema = z
  .object({
    address,
    chain: Chain,
    ...frozenShape,
    entity,
    max_hops: maxHops,
    limit,
    method: z.literal('haircut').describe('An address pays in the mix in which it received'),
    direct: z.array(Bucket).describe('Labelled counterparties: one transfer away'),
    indirect: z.array(Bucket).describe('Labelled addresses behind unlabelled ones: two or more transfers away'),
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

const TerminalSchema = z
  .object({
    address,
    chain: Chain,
    label,
    ...entityFields,
    category: CategorySchema,
    terminal_category: TerminalCategoryName,
    hops: z.int().describe('Transfers from the address to there'),
    usd: z.number().describe('What arrived, in the value that it had when it left the address, in US dollars'),
    reached: z.enum(['money', 'path']).describe('`path`: in time order, but with none of the attributed money'),
    assets,
    first_at: firstAt.describe('First arrival'),
    last_at: lastAt.describe('Last arrival'),
    ...tagPartFields,
    path,
  })
  .meta({ id: 'Terminal', description: 'A service or listed party at which money ended' });

export const TerminalsSchema = z
  .object({
    address,
    chain: Chain,
    entity,
    max_hops: maxHops,
    categories: z.array(TerminalCategoryName).describe('The kinds that were asked for'),
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
