import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, asset, CategorySchema, txHash } from '../fields.ts';
import { timestamp } from '../schemas.ts';
import { assets, tagFields } from '../tracing/tracing-fields.ts';

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
            usd: z.number().describe('US dollars that arrived there'),
            assets,
            first_at: timestamp.nullable().describe('First arrival'),
            last_at: timestamp.nullable().describe('Last arrival'),
          })
          .meta({ id: 'RequestedAddress' }),
      )
      .describe('Its addresses at which money arrived, largest first'),
    address_count: z.int().describe('Addresses there, one for each tag, named or not'),
    transactions: z
      .array(
        z
          .object({
            chain: z.enum(CHAINS),
            tx_hash: txHash,
            at: timestamp.describe('Time of the transaction'),
            from: address.describe('Who gave'),
            to: address.describe('Who got'),
            asset,
            amount: z.string().describe('Exact decimal of the followed part'),
            usd: z.number().describe('US dollars of the followed part'),
            ...tagFields,
          })
          .meta({ id: 'RequestedTransaction' }),
      )
      .describe('Oldest first, at most 50 of each sender'),
    transaction_count: z.int().describe('Transactions that brought the money there, named or not'),
    text: z.string().describe('The request as text, in the language asked for'),
  })
  .meta({ id: 'FreezingRequest', description: 'What one service is asked for' });

export const RequestListSchema = z
  .object({
    requests: z.array(RequestSchema).describe('One for each service, largest first'),
    note: z.string().nullable().describe('What the account of the money has not seen; null where nothing is to say'),
  })
  .meta({ id: 'FreezingRequests' });
