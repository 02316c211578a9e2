import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, asset, CategorySchema, txHash } from '../fields.ts';
import { timestamp } from '../schemas.ts';
import { amountFields, assets, tagFields } from '../tracing/tracing-fields.ts';

const RequestSchema = z
  .object({
    id: z.guid().describe('The same in every answer about this case and service'),
    reference: z.string().describe('To name in letters'),
    service: z.string().describe('Name of the service'),
    category: CategorySchema,
    usd: z.number().describe('US dollars of the money of the case that arrived there'),
    share: z.number().describe('Part of all the money, 0 to 1'),
    assets,
    addresses: z
      .array(
        z
          .object({
            chain: z.enum(CHAINS),
            address,
            label: z.string().nullable().describe('What a list calls the address'),
            destination_tag: z
              .int()
              .nullable()
              .describe('XRP Ledger: the customer there, one entry for each tag; null without a tag'),
            handed_on_to: address
              .optional()
              .describe(
                'Of the deposit address of a customer, as far as can be seen: where it handed on all that it got',
              ),
            usd: z.number().describe('US dollars that came to the service there'),
            assets,
            first_at: timestamp.nullable().describe('First arrival'),
            last_at: timestamp.nullable().describe('Last arrival'),
          })
          .meta({ id: 'RequestedAddress' }),
      )
      .describe('Where the money came to it: deposit addresses first, then its own addresses, largest first'),
    address_count: z.int().describe('Addresses there, one for each tag, named or not'),
    transactions: z
      .array(
        z
          .object({
            chain: z.enum(CHAINS),
            tx_hash: txHash,
            at: timestamp.describe('Time of the transaction'),
            step: z
              .enum(['arrival', 'handed_on'])
              .describe('`handed_on`: by a deposit address, from where it had arrived'),
            from: address.describe('Who gave'),
            to: address.describe('Who got'),
            asset,
            ...amountFields,
            ...tagFields,
          })
          .meta({ id: 'RequestedTransaction' }),
      )
      .describe('Arrivals, then what was handed on, each oldest first; at most 1,000 of each address'),
    transaction_count: z.int().describe('Transactions that brought the money there, named or not'),
    cut: z
      .object({
        usd: z.number().describe('US dollars'),
        reasons: z.array(z.string().describe('`max_hops`, `not_read`, …')),
      })
      .meta({ id: 'CutMoney' })
      .describe('Money of the case that was not followed to its end: more of it may have come to the service'),
    text: z.string().describe('The request as text, in the language asked for'),
  })
  .meta({ id: 'FreezingRequest', description: 'What one service is asked for' });

export const RequestListSchema = z
  .object({
    requests: z.array(RequestSchema).describe('One for each service, largest first'),
    note: z.string().nullable().describe('What the account of the money has not seen; null where nothing is to say'),
  })
  .meta({ id: 'FreezingRequests' });
