import { z } from 'zod';
import { ALERT_SEVERITIES } from '../domain/alert.ts';
import { CHAINS } from '../domain/chain.ts';
import type { EventType } from '../domain/event.ts';
import { address, CategorySchema, DirectionSchema } from '../domain/fields.ts';
import {
  TRANSFER_DIRECTIONS,
  TRANSFER_REASONS,
  TRANSFER_STATES,
  type TransferReason,
} from '../domain/screened-transfer.ts';
import { iso } from '../domain/time.ts';
import { entityFields } from '../domain/tracing/answers.ts';
import { LiveSchema } from '../domain/watch.ts';
import type { RecordedEvent } from '../records/database/tables/events.ts';
import type { Detection } from '../risk/detection.ts';
import { RiskLevelSchema, riskScore, SeveritySchema, scoreSemantics } from '../risk/fields.ts';

const chain = z.enum(CHAINS).describe('The chain of the address');
const detailUrl = z.string().describe('Where the API says more');
const cause = z.enum(['transfers', 'labels', 'rule_set']).describe('What changed: new transfers, labels, or the rules');
/** Cause of a changed level. */
export type ChangeCause = z.output<typeof cause>;

const DetectionSchema = z
  .object({
    detector_id: z.string().describe('Id of the detector'),
    detector_name: z.string().describe('Its name'),
    severity: SeveritySchema,
    description: z.string().describe('What was found'),
  })
  .meta({ id: 'EventDetection' });
type EventDetection = z.output<typeof DetectionSchema>;
const detections = z.array(DetectionSchema).describe('What was found, worst first');

const TransferSchema = z
  .object({
    id: z.string().describe('For GET /transfers/{id}'),
    tx_hash: z.string().describe('Its transaction'),
    direction: z.enum(TRANSFER_DIRECTIONS).describe('Which side the account is on'),
    state: z.enum(TRANSFER_STATES).describe('What became of it'),
    reason: z
      .enum(Object.keys(TRANSFER_REASONS) as TransferReason[])
      .nullable()
      .describe('Why it is not screened, or its level is unknown; null otherwise'),
    reference: z.string().describe('As the account gave it'),
    customer_ref: z.string().nullable().describe('As the account gave it; null where it gave none'),
  })
  .meta({ id: 'AlertedTransfer', description: 'A screened transfer' });
/** A screened transfer, with the words by which its account knows it. */
export type AlertedTransfer = z.output<typeof TransferSchema>;

const ScanCompletedSchema = z.object({
  scan_id: z
    .string()
    .nullable()
    .describe('For GET /public/scans/{scan_id}; null for a transfer whose other side has no history'),
  source: z.string().describe('How it was started, such as `sync` or `async`'),
  address,
  chain,
  risk_level: RiskLevelSchema,
  risk_score: riskScore,
  detection_count: z.int().describe('Length of `detections`'),
  detections,
  detail_url: detailUrl,
  score_semantics: scoreSemantics,
  transfer: TransferSchema.optional().describe('Where a transfer was screened: the scan is of its other side'),
  test: z.literal(true).optional().describe('Only in the sample of POST /webhooks/test'),
});
/** Data of `scan.completed`. */
export type ScanCompleted = z.output<typeof ScanCompletedSchema>;

const BatchCompletedSchema = z.object({
  job_id: z.string().describe('For GET /public/scan/{job_id}/results'),
  status: z.enum(['completed', 'failed']).describe('How the batch ended'),
  total: z.int().describe('Addresses of the batch'),
  completed: z.int().describe('Those that were scanned'),
  failed: z.int().describe('Those that were not'),
  error_message: z.string().nullable().describe('Why the batch failed; null otherwise'),
  detail_url: detailUrl,
  score_semantics: scoreSemantics,
});
/** Data of `batch.completed`. */
export type BatchCompleted = z.output<typeof BatchCompletedSchema>;

const RiskChangedSchema = z
  .object({
    address,
    chain,
    previous_risk_level: RiskLevelSchema,
    risk_level: RiskLevelSchema,
    risk_score: riskScore,
    detections,
    cause,
    detail_url: detailUrl,
    score_semantics: scoreSemantics,
  })
  .meta({ id: 'RiskChanged' });
/** Data of the three `risk.*` events. */
export type RiskChanged = z.output<typeof RiskChangedSchema>;

const MovementSchema = z
  .object({
    direction: DirectionSchema,
    asset: z.string().describe('Symbol of what moved'),
    token: z.string().nullable().describe("Its contract, mint or issuer; null for the chain's own coin"),
    amount: z.string().describe('Decimal string'),
    usd: z.number().nullable().describe('US dollars at the time; null where no price is known'),
    counterparty: z
      .object({
        address,
        label: z.string().nullable().describe('Name of its best label; null without one'),
        category: CategorySchema.nullable().describe('Category of that label; null without one'),
        ...entityFields,
      })
      .describe('The other end, with its best label and its holder'),
    tx_hash: z.string().describe('The transaction'),
    block: z.int().nullable().describe('Its block; null while it is in none'),
    at: z.string().describe('Time of the block; of an unconfirmed movement, when it was heard'),
    confirmed: z.boolean().describe('Whether a block holds it; with `reorganised` never'),
    watched_as: z.string().describe('Your own name for the watched address'),
  })
  .meta({ id: 'AlertedMovement', description: 'What moved at a live address' });
/** A transfer of a watched address. */
export type AlertedMovement = z.output<typeof MovementSchema>;

const EntitySchema = z
  .object({
    id: z.string().describe('For GET /graph/entities/{id}'),
    name: z.string().nullable().describe('What sure labels call it; null without one'),
    size: z.int().describe('Number of its addresses'),
  })
  .meta({ id: 'AlertedEntity' });
/** The holder of an address as alerts name it. */
export type AlertedEntity = z.output<typeof EntitySchema>;

const WatchlistAlertSchema = z.object({
  reason: z
    .enum([
      'high_risk',
      'sanctioned_counterparty',
      'label_changed',
      'discovery',
      'rule_set',
      'movement',
      'reorganised',
      'live_ended',
      'live_began',
      'transfer_counterparty',
      'transfer_not_screened',
      'rule',
    ])
    .describe('Why; it decides which other fields are there'),
  item_id: z.string().optional().describe('Left out where the alert is about several items'),
  address: address.optional(),
  chain: chain.optional(),
  entity: EntitySchema.optional().describe(
    'The holder of the address; left out where the graph knows of no other address of it',
  ),
  risk_level: RiskLevelSchema.optional(),
  risk_score: riskScore.optional(),
  detections: detections.optional(),
  counterparties: z.array(z.string()).optional().describe('Sanctioned addresses that were not known as counterparties'),
  discoveries: z
    .array(
      z.object({
        id: z.string().describe('For the routes of discoveries'),
        chain,
        address,
        category: z.string().describe('Category of its best label'),
        ...entityFields,
        hop: z.int().describe('Transfers from the watched address'),
        direction: z
          .enum(['received', 'sent'])
          .optional()
          .describe(
            '`received`: it paid the watched address; `sent`: it was paid. Left out in alerts of older versions',
          ),
        risk_level: RiskLevelSchema,
        usd: z.number().describe('US dollars of the widest flow'),
      }),
    )
    .optional()
    .describe('New discoveries of HIGH or above'),
  changes: z
    .array(z.object({ address, chain, previous_risk_level: RiskLevelSchema, risk_level: RiskLevelSchema }))
    .optional()
    .describe('Levels that a new rule set changed'),
  rule_set_version: z.string().optional().describe('The rules that levels follow now'),
  movement: MovementSchema.optional(),
  more_movements: z.int().optional().describe('Movements of the same scan that have no alert of their own'),
  live: LiveSchema.optional(),
  rule: z
    .object({
      id: z.string().describe('For GET /rules/{id}'),
      version: z.int().describe('The version that matched'),
      name: z.string().describe('Its name'),
      severity: z.enum(ALERT_SEVERITIES).describe('How grave its alerts are'),
    })
    .optional()
    .describe('The rule of your own that matched'),
  transfer: TransferSchema.optional(),
  labels: z
    .array(
      z.object({
        category: CategorySchema,
        label: z.string().describe('The name that the list gives'),
        source: z.string().describe('The list'),
      }),
    )
    .optional()
    .describe('What lists say now of the counterparty of the transfer'),
  cause: z
    .enum([...cause.options, 'trace', 'live', 'rule'])
    .describe(
      'What changed; `trace`: Follow Mode walked on, `live`: how it is listened to, `rule`: a rule of your own matched',
    ),
  detail_url: detailUrl,
  score_semantics: scoreSemantics,
});
/** Data of `watchlist.alert`; which of the optional fields are there depends on the reason. */
export type WatchlistAlert = z.output<typeof WatchlistAlertSchema>;

/** An alert without the fields that are composed the same way for all. */
export interface NewAlert extends Omit<WatchlistAlert, 'entity' | 'detail_url' | 'score_semantics'> {
  /** The holder of the address, where one is known. */
  holder?: AlertedEntity;
  /** Path below `/api/v1/` where the API says more. */
  page: string;
}

/** Composes the data of a `watchlist.alert`. */
export function watchlistAlert(publicUrl: string, { holder, page, ...alert }: NewAlert): WatchlistAlert {
  return {
    ...alert,
    ...(holder ? { entity: { id: holder.id, name: holder.name, size: holder.size } } : {}),
    detail_url: `${publicUrl}/api/v1/${page}`,
    score_semantics: 'risk_0to100',
  };
}

/** The schema of `data`, by type of event. */
export const EVENT_DATA: Record<EventType, z.ZodType> = {
  'risk.changed': RiskChangedSchema,
  'risk.high_detected': RiskChangedSchema,
  'risk.critical_detected': RiskChangedSchema,
  'scan.completed': ScanCompletedSchema,
  'batch.completed': BatchCompletedSchema,
  'watchlist.alert': WatchlistAlertSchema,
};

/** Payload for a receiver: the same bytes in every attempt. */
export interface EventPayload {
  /** The delivery's id: the signature covers it here, unlike in the header. */
  id: string;
  event: EventType;
  /** ISO 8601 in UTC, without a zone suffix. */
  timestamp: string;
  data: object;
}

export function eventPayload(id: string, { type, created_at, payload }: RecordedEvent): EventPayload {
  return { id, event: type, timestamp: iso(created_at).slice(0, -1), data: JSON.parse(payload) };
}

export function eventDetections(detections: (Detection & { description: string })[]): EventDetection[] {
  return detections.map(({ detector_id, detector_name, severity, description }) => ({
    detector_id,
    detector_name,
    severity,
    description,
  }));
}
