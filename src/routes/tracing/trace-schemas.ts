import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { AsyncScanAccepted, JobRecord } from '../scans/job-schemas.ts';
import { Exposure, Frontier, Shares, Terminals } from './investigation-schemas.ts';

export const TraceAccepted = AsyncScanAccepted.meta({ id: 'TraceAccepted' });

export const TracePreview = z
  .object({
    frontier: Frontier,
    to_read_at_least: z.int().meta({ description: 'Addresses that the trace would open now; behind them may be more' }),
  })
  .meta({ id: 'TracePreview' });

export const TraceRecord = JobRecord.extend({
  addresses_read: z.int(),
  attributed: Shares,
  through_unread: Shares,
  frontier: Frontier,
  reasons: z.array(z.string()).meta({ description: 'Why the trace ended although there may be more to read' }),
}).meta({ id: 'Trace' });

export const TraceResults = z
  .object({
    job_id: z.guid(),
    address: z.string(),
    chain: z.enum(CHAINS),
    exposure: Exposure.nullable(),
    terminals: Terminals.nullable().optional().meta({ description: 'Where the plan has them' }),
    addresses: z.array(
      z.object({
        address: z.string(),
        hop: z.int(),
        direction: z.enum(['received', 'sent']),
        usd: z.number().meta({ description: 'Money of the traced address that it held or passed on' }),
        transfers: z.int().meta({ description: 'Transfers read of it; 0 where an earlier reading served' }),
        complete: z.boolean(),
        reason: z.string().nullable().meta({ description: 'Why it was not opened, or not to its end' }),
      }),
    ),
    sources_failed: z.array(z.string()).meta({ description: 'Addresses that their source failed to give' }),
  })
  .meta({ id: 'TraceResults' });
