import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { XRP_TAG_MAX } from '../../domain/transfers/tags.ts';
import { address } from '../../risk/fields.ts';
import { BridgeSchema } from '../bridge-fields.ts';
import { asset, FrontierSchema, SharesSchema, txHash } from '../fields.ts';
import { momentField, timestamp } from '../schemas.ts';

/** Fields that answers of tracing share: a hop, a path, what was not seen. */

export const maxHops = z.int().describe('The `max_hops` that was used');
export const truncated = z.boolean().describe('True where a bound left something out; `reasons` or the note say which');
export const firstAt = timestamp.describe('First transfer');
export const lastAt = timestamp.describe('Last transfer');
export const note = z.string().nullable().describe('What the answer leaves out, for people; null where nothing');
export const reasons = z.array(z.string()).describe('What was cut: `not_read`, `max_hops`, `limit`, `time_budget`, …');

/** Which of the subject's own transfers a question follows; refine its object by `endsAfterStart`. */
export const spanQuery = {
  from: momentField.optional().describe("First moment of the subject's own transfers that are followed"),
  to: momentField.optional().describe('Their last moment, not before `from`'),
};

/** Refuses a span that ends before it begins. */
export function endsAfterStart({ from, to }: { from?: number | null; to?: number | null }): boolean {
  return (from ?? null) === null || (to ?? null) === null || from! <= to!;
}
export const ENDS_BEFORE_START = { path: ['to'], error: 'Input should not be before `from`' };

const tag = z.int().min(0).max(XRP_TAG_MAX);
/** Tags of the XRP Ledger at a transfer. */
export const tagFields = {
  destination_tag: tag
    .optional()
    .describe('XRP Ledger: which customer of the receiver is paid; left out without a tag'),
  source_tag: tag.optional().describe('XRP Ledger: which customer of the sender pays; left out without a tag'),
};

const ConversionSchema = z
  .object({
    tx_hash: txHash.describe('The transaction of the swap'),
    from_asset: asset.describe('What was given'),
    to_asset: asset.describe('What came back'),
    contract_account: z
      .literal(true)
      .optional()
      .describe('An exchange held the money between two transactions, beside that of others: an upper bound'),
  })
  .meta({ id: 'Conversion', description: 'A swap by which the sender turned money into another asset' });

export const HopSchema = z
  .object({
    from: address.describe('Who gave'),
    to: address.describe('Who got'),
    chain: z.enum(CHAINS),
    tx_hash: txHash.describe('The transaction that proves the step'),
    asset,
    amount: z.string().describe('Exact decimal'),
    usd: z.number().nullable().describe('US dollars at the time of the transfer; null without a price'),
    at: timestamp.describe('Time of the transfer'),
    ...tagFields,
    conversion: z
      .array(ConversionSchema)
      .optional()
      .describe('Swaps by which the sender turned the money of the hop before into this asset'),
    claimed: z
      .literal(true)
      .optional()
      .describe('Only the contract of an unverified token states the hop: it can write any name into its log'),
    bridge: BridgeSchema.optional().describe(
      'The bridge that carried the hop to another chain, or at which the money ended',
    ),
  })
  .meta({ id: 'Hop', description: 'One transfer of a path' });

/** `on` gives an answer the statements by which it was found. */
export const CypherSwitch = z.enum(['on', 'off']).meta({
  description: '`on`: `cypher` holds the statements that were asked of the graph; needs a key',
});

export const cypher = z
  .string()
  .optional()
  .describe('With `cypher=on`: the statements that were asked of the graph, with their parameters, for Neo4j Browser');

export const path = z.array(HopSchema).describe('One way, in the order of the money');

export const assets = z
  .record(z.string(), z.string().describe('Exact decimal'))
  .describe('Quantities that came from there, or arrived there, by asset');

/** The amount of a transfer, and the followed part of it. */
export const amountFields = {
  moved_amount: z.string().describe('Exact decimal that the transaction moved'),
  amount: z.string().describe('Exact decimal of the followed part'),
  usd: z.number().describe('US dollars of the followed part'),
};

export const ArrivalSchema = z
  .object({
    chain: z.enum(CHAINS),
    tx_hash: txHash,
    at: timestamp.describe('Time of the transfer'),
    from: address.describe('Who gave'),
    to: address.describe('Who got'),
    asset,
    ...amountFields,
    ...tagFields,
  })
  .meta({ id: 'Arrival', description: 'A transfer that brought money to its end, or took it from there' });

/** The money at one address by its customers, where they have tags. */
export const tagPartFields = {
  tags: z
    .array(
      z
        .object({
          tag: tag.nullable().describe('Destination tag, of `received` money the source tag; null: without one'),
          usd: z.number().describe('US dollars of the followed money'),
          assets,
          transfers: z.int().describe('Transfers that carried it'),
          first_at: firstAt,
          last_at: lastAt,
        })
        .meta({ id: 'TagPart', description: 'The money of one customer of an address' }),
    )
    .optional()
    .describe('XRP Ledger: the money by tag, largest first, at most 50; left out where no transfer bears one'),
  tag_count: z.int().optional().describe('How many there are'),
};

export const TraceCoverageSchema = z
  .object({
    attributed: SharesSchema.describe('Part of the money that has a labelled end, 0 to 1'),
    unattributed: z
      .record(z.string(), z.number().describe('US dollars'))
      .describe('Money without a known end, by reason'),
    through_unread: SharesSchema.describe(
      'Part of the money that passed addresses not read meanwhile, 0 to 1: its attribution is an upper bound',
    ),
    frontier: FrontierSchema,
    frontier_count: z.int().describe('How many addresses the frontier has; the largest are shown'),
    complete: z.boolean().describe('True where nothing was left out'),
    reasons,
  })
  .meta({ id: 'TraceCoverage', description: 'What an answer about money has not seen' });
