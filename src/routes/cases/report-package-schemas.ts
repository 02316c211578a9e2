import { z } from 'zod';
import { LANGUAGES } from '../../../words/language.ts';
import { timestamp } from '../../domain/fields.ts';
import { success } from '../fields.ts';
import { JobStatusSchema, statusUrl } from '../scans/job-schemas.ts';
import { momentField } from '../schemas.ts';

const generationId = z.guid().describe('Names the files of one generation');

export const PackageBody = z
  .object({
    language: z.enum(LANGUAGES).default('ja').describe('Of all files of the package'),
    from: momentField.nullish().meta({ description: 'Transactions before are left out' }),
    to: momentField.nullish().meta({ description: 'Transactions after are left out' }),
    proofs: z
      .boolean()
      .default(false)
      .describe('Asks the chains for proofs of up to 2,000 transactions, which takes minutes, and adds `proofs.json`'),
  })
  .nullish()
  .transform((body) => ({
    language: body?.language ?? 'ja',
    from: body?.from ?? null,
    to: body?.to ?? null,
    proofs: body?.proofs ?? false,
  }));

export const PackageAcceptedSchema = z
  .object({
    success,
    generation_id: generationId,
    status: JobStatusSchema,
    status_url: statusUrl,
    download_url: z.string().describe('Path of the evidence, PDF'),
    draft_url: z.string().describe('Path of the draft, DOCX'),
    csv_url: z.string().describe('Path of the transactions, CSV'),
  })
  .meta({ id: 'ReportPackageAccepted' });

const PackageRecord = z
  .object({
    generation_id: generationId,
    language: z.enum(LANGUAGES).describe('Of all files of the package'),
    approved_by: z.string().nullable().describe('The person who approved it; null where the account asked for none'),
    status: JobStatusSchema,
    progress: z.number().describe('0 to 1'),
    files: z.array(z.string()).describe('Names of its files beside `manifest.json`; empty before it is generated'),
    output_hash: z
      .string()
      .nullable()
      .describe('SHA-256 of the evidence PDF without its signature, fixed at generation; null before'),
    timestamp: z
      .enum(['none', 'pending', 'stamped', 'failed'])
      .describe(
        'Of `manifest.json` by the authority of `TSA_URL`: `pending` is asked again for a day, `none` where none is set',
      ),
    degraded: z.boolean().describe('True where the evidence could be drawn in its simple form only'),
    created_at: timestamp.describe('When it was asked for'),
    completed_at: timestamp.nullable().describe('When it ended; null before'),
    error_message: z.string().nullable().describe('Why it failed; null otherwise'),
  })
  .meta({ id: 'ReportPackage' });

export const PackageListSchema = z
  .object({
    generations: z.array(PackageRecord).describe('Newest first'),
  })
  .meta({ id: 'ReportPackages' });
