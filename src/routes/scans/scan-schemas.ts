import { z } from 'zod';
import { LANGUAGES } from '../../../words/language.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address, timestamp } from '../../domain/fields.ts';
import { CounterpartySchema, FlowTotalsSchema } from '../../domain/transfers/flow.ts';
import type { Detection as DetectionOfRules } from '../../risk/detection.ts';
import { RiskLevelSchema, riskScore, SeveritySchema, scoreSemantics } from '../../risk/fields.ts';
import { limit, offset, sentAsStored, success, total } from '../fields.ts';
import { DetectionDetailsSchema, ScanMetadataSchema } from './scan-metadata.ts';

/** Any text: what is not a chain is refused with a message of its own, not by its type. */
export const chainText = z.string().meta({ enum: [...CHAINS], description: 'Left out: detected from the address' });

export const FRESH = 'Asks the chain again, however recent the last scan is, and costs one unit';

/** `off` leaves out the reading of addresses behind the scanned one. */
export const TraceSwitch = z.enum(['on', 'off']).meta({
  description: '`off`: the money behind the address is followed only through addresses that were read before',
});

export const Lang = z.enum(LANGUAGES).meta({ description: 'Language of the texts for people' });

/** The fields are those of the rule set's own type; a field that one of them lacks does not compile. */
const detectionFields = {
  detector_id: z.string().describe('Stable name of the detector; docs/risk.md lists them'),
  detector_name: z.string().describe('The same for people, in the language of `lang`'),
  severity: SeveritySchema,
  description: z.string().describe('What was found, in one or two sentences in the language of `lang`'),
  details: sentAsStored(DetectionDetailsSchema, 'What it rests on: enough to check it').optional(),
} satisfies Record<keyof DetectionOfRules, z.ZodType>;

export const DetectionSchema = z
  .object(detectionFields)
  .meta({ id: 'Detection', description: 'One finding of one detector' });

export const detectionList = z.array(DetectionSchema).describe('What counts for the score, gravest first');
export const detectionCount = z.int().describe('Length of `detections`');
export const scanMetadata = (description: string) => sentAsStored(ScanMetadataSchema, description);

export const scanId = z.guid().describe('For GET /public/scans/{scan_id}');

export const ScanResponseSchema = z
  .object({
    success,
    address,
    chain: z.enum(CHAINS),
    address_type: z
      .enum(['wallet', 'contract', 'multisig', 'token_account', 'program', 'unknown'])
      .describe('What the chain says the address is'),
    risk_level: RiskLevelSchema,
    risk_score: riskScore,
    detection_count: detectionCount,
    detections: detectionList,
    metadata: scanMetadata('Facts behind the answer: the terms of the score, and what was not seen'),
    ml_anomaly_score: z.number().describe('0 to 1: how unusual the address is, not how guilty'),
    top_counterparties: z.array(CounterpartySchema).describe('The largest by value; the others: …/counterparties'),
    flow_totals: FlowTotalsSchema,
    scan_duration_ms: z.int().describe('Milliseconds'),
    cached: z.boolean().describe('True where no chain was asked'),
    scan_id: z.string().describe('For GET /public/scans/{scan_id}'),
    created_at: timestamp.describe('When the scan was recorded'),
    score_semantics: scoreSemantics,
    rule_set_version: z.string().describe('The rules that were applied'),
  })
  .meta({ id: 'ScanResponse', description: 'What one scan found about one address' });

/** Callers of a listed scan; those of a case are read there. */
export const ListedSourceSchema = z.enum(['sync', 'async', 'batch', 'console', 'watchlist']);

const RecordedScanSchema = z
  .object({
    scan_id: z.string().describe('For GET /public/scans/{scan_id}'),
    address,
    chain: z.enum(CHAINS),
    risk_level: RiskLevelSchema,
    risk_score: riskScore,
    detection_count: z.int().describe('How many detections counted'),
    source: ListedSourceSchema.describe('What asked for it'),
    created_at: timestamp.describe('When it was recorded'),
  })
  .meta({ id: 'RecordedScan' });

export const ScanListSchema = z
  .object({
    scans: z.array(RecordedScanSchema).describe('Newest first'),
    total,
    limit,
    offset,
    score_semantics: scoreSemantics,
  })
  .meta({ id: 'ScanList' });

export const CounterpartyPageSchema = z
  .object({
    scan_id: z.string().describe('The recorded scan'),
    counterparties: z.array(CounterpartySchema).describe('Largest first'),
    total,
    limit,
    offset,
  })
  .meta({ id: 'CounterpartyPage', description: 'Largest first; the largest 10,000 of `total` are kept' });
