import { z } from 'zod';
import { BridgeSchema } from '../bridges/bridge-facts.ts';
import { CASE_ROLES } from '../case.ts';
import { CHAINS } from '../chain.ts';
import { address, asset, CategorySchema, DirectionSchema, frozenShape, label, timestamp, txHash } from '../fields.ts';
import type { Category } from '../label.ts';
import { XRP_TAG_MAX } from '../transfers/tags.ts';

/** The parts of answers about money: each is declared here once, with the words by which the API documents it. */

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

/** One step of a money path with its evidence transaction. */
export type Hop = z.infer<typeof HopSchema>;

export const path = z.array(HopSchema).describe('One way, in the order of the money');

export const assets = z
  .record(z.string(), z.string().describe('Exact decimal'))
  .describe('Quantities that came from there, or arrived there, by asset');

export const firstAt = timestamp.describe('First transfer');
export const lastAt = timestamp.describe('Last transfer');

/** The amount of a transfer, and the followed part of it. */
const amountFields = {
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

/** A transfer that brought money to the end of its way, or took it from there. */
export type Arrival = z.infer<typeof ArrivalSchema>;

/** The money at one address by its customers, where they have tags. */
const tagPartFields = {
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

export type TagParts = z.infer<z.ZodObject<typeof tagPartFields>>;

/** Names the holder of the address that a row is about. */
export const entityFields = {
  entity_id: z
    .string()
    .nullable()
    .optional()
    .describe(
      'Its holder, for GET /graph/entities/{id}; null where none is known; left out of accounts of money by address, and of ' +
        'alerts of older versions',
    ),
  entity_name: z.string().nullable().optional().describe('What sure labels call the holder; null without one'),
};

const DepositPartSchema = z
  .object({
    address: address.describe('The deposit address'),
    usd: z.number().describe('US dollars of it that the service got'),
    assets,
    first_at: timestamp.describe('First transfer to the service'),
    last_at: timestamp.describe('Last transfer to the service'),
    arrivals: z.array(ArrivalSchema).describe('The transfers to the deposit address, oldest first, at most 50'),
    transfers: z.int().describe('How many there are'),
  })
  .meta({ id: 'DepositPart', description: 'The money that came to a service by one deposit address' });

/** The money that came to a service by one address that hands on to it all that it gets: a customer's deposit address. */
export type DepositPart = z.infer<typeof DepositPartSchema>;

const RuleAmountSchema = z
  .object({ usd: z.number().describe('US dollars'), assets })
  .meta({ id: 'RuleAmount', description: 'What one end got by one rule of attribution' });

const FundsRangeSchema = z
  .object({
    least_usd: z.number().describe('The least of the four'),
    most_usd: z.number().describe('The greatest of the four'),
    by_rule: z
      .object({
        pro_rata: RuleAmountSchema.describe('A part of each receipt'),
        fifo: RuleAmountSchema.describe('The oldest receipt first'),
        lifo: RuleAmountSchema.describe('The newest receipt first'),
        lowest_balance: RuleAmountSchema.describe('The followed money last'),
      })
      .meta({ id: 'FundsByRule', description: 'What one end got by each rule of attribution' }),
  })
  .meta({ id: 'FundsRange', description: 'What one end got by all rules of attribution that say amounts' });

/** One end by each rule of attribution that says amounts. */
export type FundsRange = z.infer<typeof FundsRangeSchema>;

/** Kinds of ends of money. */
export const FUND_KINDS = [
  'party',
  'held',
  'returned',
  'contract',
  'bridge',
  'not_read',
  'not_read_since',
  'not_readable',
  'partial_history',
  'contract_not_expanded',
  'hub_not_expanded',
  'max_hops',
  'limit',
  'small_share',
  'time_budget',
  'fees',
  'burned',
  'own_money',
  'spent_unseen',
  'received_unseen',
  'unknown_origin',
  'unpriced',
  'price_change',
] as const;
export type FundKind = (typeof FUND_KINDS)[number];

export const FundsRowSchema = z
  .object({
    kind: z
      .enum(FUND_KINDS)
      .describe('`party`: a labelled party; `held`: still in a wallet; `bridge`; others: why the way ends there'),
    category: CategorySchema.nullable().describe('Of labelled parties; null for other ends'),
    address: address
      .nullable()
      .describe('Null where the row sums several ends; of those of one holder the one with most of the money'),
    chain: z.enum(CHAINS).nullable().describe('Not that of the request where the money crossed a bridge'),
    label: z.string().nullable().describe('Name of the party; null without a label'),
    entity: z.string().nullable().describe('Whose address it is, where the label says so'),
    ...entityFields,
    usd: z
      .number()
      .describe(
        'The quantities at the price of their time. With fees and `price_change`, which is below 0 where prices rose, the rows ' +
          'add up to `total_usd`',
      ),
    followed_usd: z
      .number()
      .describe("US dollars of the subject's money that came here, whatever its price became: what exposure counts"),
    share: z.number().describe('Part of all the money, 0 to 1, by `followed_usd`'),
    assets,
    balance: z
      .record(z.string(), z.string().describe('Exact decimal'))
      .nullable()
      .describe('What the chain said a wallet held at its last reading, by asset; null where it did not'),
    ...frozenShape,
    hops: z.int().describe('Fewest transfers between the subject and the end'),
    first_at: timestamp.nullable().describe('First transfer with the end; null where they are not listed'),
    last_at: timestamp.nullable().describe('Last transfer with the end'),
    transfers: z.int().describe('Transfers with the end that carried the money'),
    count: z
      .int()
      .describe(
        'Ends that the row sums: 1 for a single one; with `group=entity` those of one holder on the chain are one row',
      ),
    path,
    arrivals: z
      .array(ArrivalSchema)
      .describe('The transfers with the end, oldest first, at most 50; empty where `address` is null'),
    deposits: z
      .array(DepositPartSchema)
      .optional()
      .describe(
        'Of money sent to a service that knows its customers: the part that came by each address that hands on to it all that it gets',
      ),
    ...tagPartFields,
    bridge: BridgeSchema.optional().describe('The crossing at which the money ended'),
    range: FundsRangeSchema.optional().describe(
      'With `method=range`: what the row is by each rule; left out where the time was up before all were worked out',
    ),
    reached: z
      .literal('path')
      .optional()
      .describe('With `method=poison` or `range`: touched money leads there, and no rule gives it an amount'),
  })
  .meta({ id: 'FundsRow', description: 'One end of the money' });

/** One end of the money: an address, or all beyond those shown of one kind. */
export type FundsRow = z.infer<typeof FundsRowSchema>;

export const FundsFlowSchema = z
  .object({
    from: address.describe('Who gave'),
    to: address.describe('Who got'),
    chain: z.enum(CHAINS).describe('Of `from`'),
    usd: z.number().describe('The quantities at the price of their time'),
    share: z.number().describe('Part of all the money, 0 to 1, whatever its price became'),
    assets,
    arrived: z
      .object({ assets, usd: z.number().describe('US dollars of what arrived, at the price of its time') })
      .optional()
      .describe('What arrived over the bridge; `assets` is what left'),
    tx_count: z.int().describe('Transactions'),
    first_at: timestamp.describe('First transfer'),
    last_at: timestamp.describe('Last transfer'),
    transfers: z
      .array(
        z
          .object({
            tx_hash: txHash,
            at: timestamp.describe('Time of the transfer'),
            asset,
            ...amountFields,
            ...tagFields,
          })
          .meta({ id: 'FundsTransfer' }),
      )
      .describe('The first 50'),
    bridge: BridgeSchema.optional().describe('The largest crossing of the flow, where it leaves its chain'),
  })
  .meta({ id: 'FundsFlow', description: 'Money that moved from one address to another, summed' });

/** The traced money that moved from one address to another. */
export type FundsFlow = z.infer<typeof FundsFlowSchema>;

export const SharesSchema = z
  .object({
    received: z.number().nullable().describe('Of the money received; null where there is none'),
    sent: z.number().nullable().describe('Of the money sent; null where there is none'),
  })
  .meta({ id: 'Shares', description: 'Parts of the money of each direction, 0 to 1' });

const FrontierAddressSchema = z
  .object({
    address,
    chain: z.enum(CHAINS),
    direction: DirectionSchema,
    hop: z.int().describe('Transfers between the traced address and this one; 0 for the address itself'),
    usd: z.number().describe('US dollars of the traced money that came this far'),
    share: z
      .number()
      .describe(
        "Part of that direction's money, 0 to 1; in a search for paths and in Follow Mode, of the widest flow met",
      ),
    reason: z.string().describe('Why the trace ended: `not_read`, `partial_history`, `max_hops`, `small_share`, …'),
    bridge: BridgeSchema.optional().describe('The bridge at which the trace ended'),
  })
  .meta({ id: 'FrontierAddress', description: 'An address where a trace ended, or which it passed unread' });

/** An address where the trace ended, or which it passed unread: what to read next. */
export type FrontierAddress = z.infer<typeof FrontierAddressSchema>;

export const FrontierSchema = z.array(FrontierAddressSchema).meta({
  id: 'Frontier',
  description: 'Where the trace ended, or passed an address that was not read: what to read next, largest first',
});

export const reasons = z.array(z.string()).describe('What was cut: `not_read`, `max_hops`, `limit`, `time_budget`, …');

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

export type TraceCoverage = z.infer<typeof TraceCoverageSchema>;

const ExposedTo = z
  .object({
    address,
    chain: z.enum(CHAINS).describe('Not the chain of the request where money crossed a bridge'),
    label,
    ...entityFields,
    usd: z.number().describe('US dollars that came from there, or went there'),
    hops: z.int().describe('Transfers between the address and this one'),
    assets,
    path,
  })
  .meta({ id: 'ExposureParty', description: 'One labelled address of a bucket' });

export const ExposureBucketSchema = z
  .object({
    direction: DirectionSchema,
    category: CategorySchema,
    usd: z.number().describe('US dollars of the address that came from this category, or went there'),
    share: z.number().describe("Part of that direction's money, 0 to 1"),
    usd_upper: z.number().describe('The most that can have come along the paths, in US dollars'),
    address_count: z
      .int()
      .describe('Labelled addresses of this category; with `group=entity` each holder counts as one'),
    min_hops: z.int().describe('Transfers to the nearest of them'),
    top: z.array(ExposedTo).describe('Those with most of the money, at most 10'),
  })
  .meta({ id: 'ExposureBucket', description: 'Money of one direction that came from one category, or went there' });

export type ExposureBucket = z.infer<typeof ExposureBucketSchema>;

/** Kinds of cash-out points as analysts name them, and the label categories of each. */
export const TERMINAL_CATEGORIES = {
  scam: ['scam', 'drainer', 'theft', 'ransomware'],
  mixing: ['mixer'],
  exchange: ['exchange', 'high_risk_exchange'],
  bridge: ['bridge'],
  sanctioned_entity: ['sanctioned', 'terrorism', 'darknet', 'child_abuse'],
} as const satisfies Record<string, readonly Category[]>;
export type TerminalCategory = keyof typeof TERMINAL_CATEGORIES;
export const ALL_TERMINAL_CATEGORIES = Object.keys(TERMINAL_CATEGORIES) as [TerminalCategory, ...TerminalCategory[]];

const TerminalCategorySchema = z
  .enum(ALL_TERMINAL_CATEGORIES)
  .meta({ id: 'TerminalCategory', description: 'Kind of place at which money leaves sight' });

export const TerminalSchema = z
  .object({
    address,
    chain: z.enum(CHAINS),
    label,
    ...entityFields,
    category: CategorySchema,
    terminal_category: TerminalCategorySchema,
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

export type Terminal = z.infer<typeof TerminalSchema>;

export const SuggestionSchema = z
  .object({
    chain: z.enum(CHAINS),
    address,
    of_address: address.describe('The subject that most of it came from, or went to'),
    of_chain: z.enum(CHAINS).describe('The chain of the subject'),
    direction: DirectionSchema,
    hop: z.int().describe('Transfers between the subject and this address'),
    usd: z
      .number()
      .describe('US dollars of the money of the subjects: of an end what is there, else what went through'),
    share: z.number().describe("Part of that direction's money of all subjects, 0 to 1"),
    why: z
      .enum(['labelled', 'held', 'trace_ended', 'passed_through'])
      .describe(
        '`labelled`: money came from or ended at this labelled address; `held`: money is still there; ' +
          '`trace_ended`: money could not be followed beyond it; `passed_through`: money went through it',
      ),
    category: CategorySchema.nullable().describe('Of its best label; null without one'),
    label,
    ...entityFields,
    role: z.enum(CASE_ROLES).describe('A role to add it with'),
    path: path.describe('The largest way there of an end; to exchanges, mixers and the like from the Business plan on'),
  })
  .meta({ id: 'CaseSuggestion' });

export type SuggestedAddress = z.infer<typeof SuggestionSchema>;
