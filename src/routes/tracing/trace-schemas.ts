import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, DirectionSchema } from '../../domain/fields.ts';
import { FrontierSchema, SharesSchema } from '../../domain/tracing/answers.ts';
import { AsyncScanAcceptedSchema, JobRecordSchema } from '../scans/job-schemas.ts';
import { ExposureSchema, TerminalsSchema } from './exposure-schemas.ts';
import { FundsSchema } from './funds-schemas.ts';

export const TraceAcceptedSchema = AsyncScanAcceptedSchema.meta({ id: 'TraceAccepted' });

export const TracePreviewSchema = z
  .object({
    frontier: FrontierSchema,
    to_read_at_least: z.int().meta({ description: 'Addresses that the trace would open now; behind them may be more' }),
  })
  .meta({ id: 'TracePreview' });

export const TraceRecordSchema = JobRecordSchema.extend({
  addresses_read: z.int().describe('Addresses that were opened so far'),
  attributed: SharesSchema.describe('Part of the money that has a labelled end, 0 to 1'),
  through_unread: SharesSchema.describe('Part with a known end that passed addresses not read meanwhile, 0 to 1'),
  frontier: FrontierSchema,
  reasons: z
    .array(z.string())
    .meta({ description: 'What the trace has not seen so far, or why it ended although there may be more to read' }),
}).meta({ id: 'Trace', description: 'A trace as a job, with what it has found so far' });

const OpenedAddressSchema = z
  .object({
    address,
    chain: z.enum(CHAINS).optional().describe('Not the chain of the request where the money crossed a bridge'),
    hop: z.int().describe('Transfers between the traced address and this one'),
    direction: DirectionSchema,
    usd: z.number().describe('Money of the traced address that it held or passed on, in US dollars'),
    transfers: z.int().describe('Transfers read of it; 0 where an earlier reading served'),
    complete: z.boolean().describe('Whether its history was read to the end'),
    reason: z.string().nullable().describe('Why it was not opened, or not to its end; null otherwise'),
  })
  .meta({ id: 'OpenedAddress', description: 'An address that a trace opened, or could not open' });

export const TraceResultsSchema = z
  .object({
    job_id: z.guid().describe('Id of the trace'),
    address: address.describe('The traced address'),
    chain: z.enum(CHAINS),
    funds: z
      .object({
        received: FundsSchema.nullable().describe('Null where it was not traced'),
        sent: FundsSchema.nullable().describe('Null where it was not traced'),
      })
      .meta({ id: 'TracedFunds' })
      .nullable()
      .describe('The account of the money, as far as the trace went; null until it has ended'),
    exposure: ExposureSchema.nullable().describe('Null until the trace has ended'),
    terminals: TerminalsSchema.nullable()
      .optional()
      .describe('Where the plan has them; null until the trace has ended'),
    addresses: z.array(OpenedAddressSchema).describe('In the order in which they were opened'),
    sources_failed: z.array(z.string()).meta({ description: 'Addresses that their source failed to give' }),
  })
  .meta({ id: 'TraceResults' });
