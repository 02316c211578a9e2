import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { FUND_KINDS } from '../../domain/tracing/funds/row.ts';
import { METHODS } from '../../domain/tracing/rule.ts';
import { FUNDS_HOPS } from '../../questions/tracing/funds/funds-of.ts';
import { FREEZES_MAX } from '../../questions/tracing/funds/what-if.ts';
import { address, CategorySchema, DirectionSchema } from '../../risk/fields.ts';
import { BridgeSchema } from '../bridge-fields.ts';
import { entity, entityFields } from '../entity-fields.ts';
import { asset, frozenShape, givenAddress, txHash } from '../fields.ts';
import { chainText, Lang } from '../scans/scan-schemas.ts';
import { momentField, timestamp, wholeNumber } from '../schemas.ts';
import { LaunderingPatternSchema } from './exposure-schemas.ts';
import {
  ArrivalSchema,
  amountFields,
  assets,
  CypherSwitch,
  cypher,
  maxHops,
  note,
  path,
  spanQuery,
  TraceCoverageSchema,
  tagFields,
  tagPartFields,
} from './tracing-fields.ts';

/** The query of questions about the account of the money. */
export const fundsQuery = {
  direction: z
    .enum(['received', 'sent'])
    .default('sent')
    .describe('`sent`: where the money is; `received`: where it came from'),
  ...spanQuery,
  asset: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("Symbol or token contract of the subject's own transfers that are followed"),
  min_usd: z.coerce.number().min(0).default(0).describe("Least US dollars of the subject's own transfers"),
  tx_hash: z
    .string()
    .trim()
    .min(1)
    .max(128)
    .optional()
    .describe("One payment of the subject's own that alone is followed"),
  max_hops: wholeNumber({ min: 1, max: FUNDS_HOPS.max, fallback: FUNDS_HOPS.usual }).describe('Transfers to follow'),
  method: z
    .enum(METHODS)
    .default('pro_rata')
    .describe(
      'Which of mixed money goes on: `pro_rata` a part of each receipt, `fifo` the oldest first, `lifo` the newest first, ' +
        '`lowest_balance` the followed money last, `poison` touches all without an amount; `range`: all side by side',
    ),
  cypher: CypherSwitch.default('off'),
  lang: Lang.default('en').meta({ description: 'Of the texts of patterns and of the note' }),
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

const FundsRowSchema = z
  .object({
    kind: z
      .enum(FUND_KINDS)
      .describe('`party`: a labelled party; `held`: still in a wallet; `bridge`; others: why the way ends there'),
    category: CategorySchema.nullable().describe('Of labelled parties; null for other ends'),
    address: address.nullable().describe('Null where the row sums several ends'),
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
    count: z.int().describe('Ends that the row sums: 1 for a single one'),
    path,
    arrivals: z
      .array(ArrivalSchema)
      .describe('The transfers with the end, oldest first, at most 50; empty where the row sums several ends'),
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

const FundsFlowSchema = z
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

const fundsFields = {
  direction: DirectionSchema,
  max_hops: maxHops,
  method: z.enum(METHODS).optional().describe('How mixed money was attributed; left out: `pro_rata`'),
  total_usd: z.number().describe('US dollars of all that was followed'),
  rows: z
    .array(FundsRowSchema)
    .describe('All ends of the money, largest first; beyond 200 summed by kind and category'),
  flows: z.array(FundsFlowSchema).describe('The ways of the money, largest first, at most 500; from the Pro plan on'),
  patterns: z.array(LaunderingPatternSchema).describe('Laundering patterns around the subject'),
  coverage: TraceCoverageSchema,
  note,
  cypher: cypher.describe(
    'With `cypher=on`, from the Pro plan on: the statements that were asked of the graph, for Neo4j Browser',
  ),
};

const FreezeRequest = z.object({
  address: givenAddress,
  chain: chainText.nullish(),
  at: momentField.describe('From when on it could have sent nothing'),
});

export const WhatIfBody = z.object({
  address: givenAddress.describe('Whose sent money is followed'),
  chain: chainText.nullish(),
  freeze: z
    .array(FreezeRequest)
    .min(1)
    .max(FREEZES_MAX)
    .describe('Addresses, each with its moment; no two are the same'),
  max_hops: z.int().min(1).max(FUNDS_HOPS.max).default(FUNDS_HOPS.usual).describe('Transfers to follow'),
});

export const WhatIfSchema = z
  .object({
    address,
    chain: z.enum(CHAINS),
    total_usd: z.number().describe('US dollars that the address sent'),
    freezes: z
      .array(
        z
          .object({
            address,
            chain: z.enum(CHAINS),
            at: timestamp.describe('Moment of the freeze'),
            reached_usd: z.number().describe('US dollars of the money that came to it, whenever'),
            kept_usd: z
              .number()
              .nullable()
              .describe(
                'US dollars of it that would rest there, had it alone been frozen then; null where the time was up first',
              ),
            still_usd: z.number().describe('US dollars that rest there without any freeze'),
            keeps_until: timestamp
              .nullable()
              .describe('When the last of the money left: a freeze after that keeps `still_usd`. Null where none left'),
          })
          .meta({ id: 'FreezeEffect' }),
      )
      .describe('In the order of the request'),
    together_usd: z
      .number()
      .nullable()
      .describe('US dollars that all freezes would have kept, each dollar once; null where the time was up first'),
    coverage: TraceCoverageSchema,
    cypher,
  })
  .meta({ id: 'WhatIf', description: 'What freezes would have kept of the money that an address sent' });

export const FundsSchema = z
  .object(fundsFields)
  .meta({ id: 'Funds', description: 'Where all money of one direction is now, or came from' });

export const AddressFundsSchema = z
  .object({ address, chain: z.enum(CHAINS), ...fundsFields, entity })
  .meta({ id: 'AddressFunds', description: 'Where all money of an address is now, or came from' });

export const CaseFundsSchema = z
  .object({
    case_id: z.guid().describe('The case'),
    ...fundsFields,
    kept: z
      .array(FundsRowSchema)
      .describe(
        'What the subjects had not sent on of all that they received when they were last read, a row each: not part of ' +
          '`total_usd`; empty for received money',
      ),
  })
  .meta({ id: 'CaseFunds', description: 'Where all money of the subjects of a case is now, or came from' });
