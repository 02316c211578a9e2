import { z } from 'zod';
import { address } from '../../domain/fields.ts';
import { SuggestionSchema } from '../../domain/tracing/answers.ts';
import { SKIP_REASONS } from '../../questions/cases/bulk-scan/select-addresses.ts';
import { success } from '../fields.ts';
import { statusUrl } from '../scans/job-schemas.ts';
import { uuid } from '../schemas.ts';

const ADDRESSES_MAX = 1_000;

export const BulkScanBody = z
  .object({
    address_ids: z
      .array(uuid)
      .min(1)
      .max(ADDRESSES_MAX)
      .optional()
      .meta({ description: 'Left out: all addresses of the case' }),
    rescan: z
      .boolean()
      .default(false)
      .meta({ description: 'Also scans what you have scanned before, from the chain and at full cost' }),
    trace: z.boolean().default(false).meta({
      description:
        'Then traces the money of the subjects (Pro), also where all were scanned before: each address that is opened costs one scan',
    }),
  })
  .nullish()
  .transform((body) => body ?? { rescan: false, trace: false, address_ids: undefined });

const SkippedAddressSchema = z
  .object({
    address_id: z.guid().describe('Id of the address within the case'),
    address,
    reason: z.enum(SKIP_REASONS).describe('Why it is left out'),
  })
  .meta({ id: 'SkippedAddress' });

export const BulkScanAcceptedSchema = z
  .object({
    success,
    job_id: z.guid().describe('Id of the job'),
    selected: z.int().describe('Addresses that will be scanned'),
    skipped: z.array(SkippedAddressSchema).describe('The others'),
    trace_addresses: z.int().meta({ description: 'Addresses that the traces may open at most' }),
    status_url: statusUrl,
  })
  .meta({ id: 'BulkScanAccepted' });

export const SuggestionsSchema = z
  .object({
    suggestions: z
      .array(SuggestionSchema)
      .describe('The ends of the money, then what it went through; largest share first'),
    total: z.int().describe('How many there are, shown or not'),
    truncated: z.boolean().meta({ description: 'True where time or the number of subjects left some out' }),
  })
  .meta({ id: 'CaseSuggestions' });
