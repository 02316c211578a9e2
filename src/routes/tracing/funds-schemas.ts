import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, DirectionSchema, timestamp } from '../../domain/fields.ts';
import { assets, FundsFlowSchema, FundsRowSchema, TraceCoverageSchema } from '../../domain/tracing/answers.ts';
import { METHODS } from '../../domain/tracing/rule.ts';
import { LaunderingPatternSchema } from '../../risk/fields.ts';
import { entity } from '../entity-fields.ts';
import { cypher, maxHops, note } from './tracing-fields.ts';

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

const VictimsMovedSchema = z
  .object({
    usd: z.number().describe('Each quantity at the price of its time'),
    assets,
    unpriced: assets.describe('Quantities without a price, not in `usd`; without counterfeits of known tokens'),
  })
  .meta({ id: 'VictimsMoved' });

export const CaseFundsSchema = z
  .object({
    case_id: z.guid().describe('The case'),
    ...fundsFields,
    kept: z
      .array(FundsRowSchema)
      .describe(
        'What the subjects, with `group=entity` also the followed members of their holders, had not sent on of all that they ' +
          'received when they were last read, a row for each address, with `group=entity` for each holder, under that of its addresses ' +
          'with the most: not part of `total_usd`; empty for received money',
      ),
    victims: z
      .object({
        lost: VictimsMovedSchema.describe('What they paid the subjects, whatever of it came back'),
        returned: VictimsMovedSchema.describe('What the subjects paid back, themselves and over wallets on the way'),
        complete: z
          .boolean()
          .describe('False where not all transfers of each subject are known: both are at least that'),
      })
      .meta({ id: 'CaseVictims' })
      .nullable()
      .describe(
        'Of the addresses whose role is `victim`, over all time; null for received money, or where nothing moved between them and the subjects',
      ),
    party: z
      .object({
        size: z.int().describe('The subjects and all members of their holders'),
        followed: z.int().describe('Those whose transfers were followed, at most 100'),
      })
      .meta({ id: 'CaseParty' })
      .optional()
      .describe('With `group=entity`: the addresses that are one party; what they pay each other is left out'),
  })
  .meta({ id: 'CaseFunds', description: 'Where all money of the subjects of a case is now, or came from' });
