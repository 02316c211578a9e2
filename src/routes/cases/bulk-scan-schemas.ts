import { z } from 'zod';
import { CASE_ROLES } from '../../domain/case.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address, CategorySchema, DirectionSchema, label } from '../../domain/fields.ts';
import { entityFields, path } from '../../domain/tracing/answers.ts';
import { SKIP_REASONS } from '../../questions/cases/bulk-scan/select-addresses.ts';
import { SUGGESTION_REASONS } from '../../questions/cases/suggest-addresses.ts';
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

const SuggestionSchema = z
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
      .enum(SUGGESTION_REASONS)
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

export const SuggestionsSchema = z
  .object({
    suggestions: z
      .array(SuggestionSchema)
      .describe('The ends of the money, then what it went through; largest share first'),
    total: z.int().describe('How many there are, shown or not'),
    truncated: z.boolean().meta({ description: 'True where time or the number of subjects left some out' }),
  })
  .meta({ id: 'CaseSuggestions' });
