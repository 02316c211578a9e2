import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { JOB_STATUSES, JOB_TYPES } from '../../domain/job.ts';
import { timestamp } from '../schemas.ts';
import { Detection, openObject, RiskLevel } from './scan-schemas.ts';

const JobStatus = z.enum(JOB_STATUSES);

export const JobRecord = z
  .object({
    job_id: z.guid(),
    type: z.enum(JOB_TYPES),
    status: JobStatus.meta({ description: '`stale`: its worker was lost; it is retried by itself up to 3 times' }),
    total: z.int(),
    completed: z.int(),
    failed: z.int(),
    progress: z.number().meta({ description: '0 to 1' }),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    error_message: z.string().nullable(),
    attempts: z.int(),
    status_url: z.string(),
    results_url: z.string(),
  })
  .meta({ id: 'Job' });

export const AsyncScanAccepted = z
  .object({
    success: z.literal(true),
    job_id: z.guid(),
    status: JobStatus,
    address: z.string(),
    chain: z.enum(CHAINS),
    status_url: z.string(),
    results_url: z.string(),
    message: z.string(),
  })
  .meta({ id: 'AsyncScanAccepted' });

export const BatchScanAccepted = z
  .object({ success: z.literal(true), job_id: z.guid(), total_addresses: z.int(), message: z.string() })
  .meta({ id: 'BatchScanAccepted' });

export const JobResults = z
  .object({
    job_id: z.guid(),
    score_semantics: z.literal('risk_0to100'),
    results: z.array(
      z.object({
        address: z.string(),
        chain: z
          .string()
          .nullable()
          .meta({ description: 'Null where the entry was not an address and named no chain' }),
        status: z.enum(['completed', 'failed']),
        risk_level: RiskLevel,
        risk_score: z.int(),
        detection_count: z.int(),
        detections: z.array(Detection),
        metadata: openObject('As in ScanResponse; empty where the row failed'),
        error_message: z.string().nullable(),
        completed_at: timestamp.nullable(),
        ai_analysis: z
          .object({ summary: z.string(), source: z.enum(['rules', 'model']) })
          .optional()
          .meta({ description: 'With `include_ai_analysis`' }),
        scan_id: z
          .guid()
          .optional()
          .meta({ description: 'Asynchronous single scans: see GET /public/scans/{scan_id}' }),
      }),
    ),
  })
  .meta({ id: 'JobResults', description: 'The rows that are done so far, in the order of the request' });
