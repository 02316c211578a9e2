import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, timestamp } from '../../domain/fields.ts';
import { JOB_STATUSES, JOB_TYPES } from '../../domain/job.ts';
import { MAIL_STATES } from '../../questions/account/mail-recipients.ts';
import { RiskLevelSchema, riskScore, scoreSemantics } from '../../risk/fields.ts';
import { limit, next, offset, success, total } from '../fields.ts';
import { detectionCount, detectionList, scanId, scanMetadata } from './scan-schemas.ts';

export const JobStatusSchema = z.enum(JOB_STATUSES).meta({
  id: 'JobStatus',
  description: '`stale`: its worker was lost; it is retried by itself once',
});

const jobId = z.guid().describe('Id of the job');
export const statusUrl = z.string().describe('Path of its status');
const resultsUrl = z.string().describe('Path of its results');
const message = z.string().describe('The same for people');

export const JobRecordSchema = z
  .object({
    job_id: jobId,
    type: z.enum(JOB_TYPES).describe('Kind of work'),
    status: JobStatusSchema,
    total: z.int().describe('Rows of the job, one for each address'),
    completed: z.int().describe('Rows that were done'),
    failed: z.int().describe('Rows that could not be done; they cost nothing'),
    progress: z.number().describe('0 to 1'),
    created_at: timestamp.describe('When it was accepted'),
    started_at: timestamp.nullable().describe('When a worker first took it; null while it waits'),
    completed_at: timestamp.nullable().describe('When it ended; null before'),
    error_message: z.string().nullable().describe('Why it failed; null otherwise'),
    attempts: z.int().describe('How often a worker has taken it'),
    status_url: statusUrl,
    results_url: resultsUrl,
  })
  .meta({ id: 'Job', description: 'Work that outlives its request' });

const LiveJobSchema = z
  .object({
    job_id: jobId,
    type: z.enum(JOB_TYPES).describe('Kind of work'),
    status: JobStatusSchema,
    total: z.int().describe('Things to do, one for each address of a scan'),
    completed: z.int().describe('Those that were done'),
    failed: z.int().describe('Those that could not be done'),
    progress: z.number().describe('0 to 1'),
    case_id: z.guid().nullable().describe('The case that it works for; null for none'),
    created_at: timestamp.describe('When it was accepted'),
    started_at: timestamp.nullable().describe('When a worker first took it; null while it waits'),
  })
  .meta({ id: 'LiveJob', description: 'Work that has not ended' });

export const LiveJobListSchema = z
  .object({ jobs: z.array(LiveJobSchema).describe('Newest first'), limit })
  .meta({ id: 'LiveJobList' });

export const AsyncScanAcceptedSchema = z
  .object({
    success,
    job_id: jobId,
    status: JobStatusSchema,
    address,
    chain: z.enum(CHAINS),
    status_url: statusUrl,
    results_url: resultsUrl,
    message,
  })
  .meta({ id: 'AsyncScanAccepted' });

export const BatchScanAcceptedSchema = z
  .object({
    success,
    job_id: jobId.describe('For GET /public/scan/{job_id} and …/results'),
    total_addresses: z.int().describe('Rows of the job: duplicates count once'),
    message,
    email: z
      .enum(MAIL_STATES)
      .optional()
      .describe('With `notify_email`: whether a mail comes. `not_configured`: this service sends no mails'),
  })
  .meta({ id: 'BatchScanAccepted' });

const Summary = z
  .object({
    summary: z.string().describe('A few sentences for people'),
    source: z.enum(['rules', 'model']).describe('Who wrote it: the rules of the product or the configured model'),
  })
  .meta({ id: 'ScanSummary' });

const JobRowSchema = z
  .object({
    address: address.describe('Canonical; an entry that was not an address as it was sent'),
    chain: z.string().nullable().describe('Null where the entry was not an address and named no chain'),
    status: z.enum(['completed', 'failed']).describe('A failed row costs nothing'),
    risk_level: RiskLevelSchema.describe('`UNKNOWN` where the row failed'),
    risk_score: riskScore.describe('0 to 100; 0 where the row failed'),
    detection_count: detectionCount,
    detections: detectionList,
    metadata: scanMetadata('As in ScanResponse; empty where the row failed'),
    error_message: z.string().nullable().describe('Why the row failed; null otherwise'),
    completed_at: timestamp.nullable().describe('When the row was done'),
    ai_analysis: Summary.optional().describe('With `include_ai_analysis`'),
    scan_id: scanId.optional().describe('For GET /public/scans/{scan_id}; left out where the row failed'),
  })
  .meta({ id: 'JobRow', description: 'One address of a job' });

export const JobResultsSchema = z
  .object({
    job_id: jobId,
    score_semantics: scoreSemantics,
    results: z.array(JobRowSchema).describe('The rows that are done so far, in the order of the request'),
    total,
    limit,
    offset,
    next,
  })
  .meta({ id: 'JobResults', description: 'The rows that are done so far, in the order of the request' });
