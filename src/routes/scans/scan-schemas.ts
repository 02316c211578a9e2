import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { CATEGORIES, UNLISTED_CATEGORIES } from '../../domain/label.ts';
import { type Detection as DetectionOfRules, LANGS, RISK_LEVELS, SEVERITIES } from '../../risk/detection.ts';
import { timestamp } from '../schemas.ts';

/** Any text: what is not a chain is refused with a message of its own, not by its type. */
export const chainText = z.string().meta({ enum: [...CHAINS], description: 'Left out: detected from the address' });
/** An object whose fields are open by contract. */
export function openObject(description: string) {
  return z.unknown().meta({ type: 'object', additionalProperties: true, description });
}

export const FRESH = 'Asks the chain again, however recent the last scan is, and costs one unit';

/** `off` leaves out the reading of addresses behind the scanned one. */
export const TraceSwitch = z.enum(['on', 'off']).meta({
  description: '`off`: the money behind the address is followed only through addresses that were read before',
});

export const Lang = z.enum(LANGS);

/** The fields are those of the rule set's own type; a field that one of them lacks does not compile. */
const detectionFields = {
  detector_id: z.string(),
  detector_name: z.string(),
  severity: z.enum(SEVERITIES),
  description: z.string(),
  details: openObject(
    'Window, thresholds, measured values, the evidence as `<tx_hash>#<index>`, the `labels` it rests on with the list that states each, and `ways` to addresses further away',
  ).optional(),
} satisfies Record<keyof DetectionOfRules, z.ZodType>;

export const Detection = z.object(detectionFields).meta({ id: 'Detection' });

export const RiskLevel = z.enum(RISK_LEVELS).meta({ id: 'RiskLevel' });

const amounts = z.record(z.string(), z.number());

export const Counterparty = z
  .object({
    address: z.string(),
    label: z.string().nullable(),
    category: z.enum(CATEGORIES).exclude(UNLISTED_CATEGORIES),
    tx_count: z.int().meta({ description: 'Transactions; one may hold several transfers, in both directions' }),
    sent_count: z.int().meta({ description: 'Transfers of value to it' }),
    received_count: z.int().meta({ description: 'Transfers of value from it' }),
    value_by_asset: amounts,
    tokens: z.array(z.string()),
    tx_hash: z.string().meta({ description: 'The transaction of the largest transfer' }),
    label_source: z.enum(['registry', 'explorer_tag', 'tenant']).nullable(),
  })
  .meta({ id: 'Counterparty' });

export const ScanResponse = z
  .object({
    success: z.literal(true),
    address: z.string(),
    chain: z.enum(CHAINS),
    address_type: z.enum(['wallet', 'contract', 'multisig', 'token_account', 'program', 'unknown']),
    risk_level: RiskLevel,
    risk_score: z.int(),
    detection_count: z.int(),
    detections: z.array(Detection),
    metadata: openObject(
      '`is_sanctioned`, `total_transactions`, `counterparty_count`, `lists` (those it was judged by), `btc_balance`, `destination_tag` (of an XRP X-address), `coverage`, `score_terms`, `as_of`, … The score is the greater of 100 × weight of the `floor` term and 100 × (1 − product over the other terms of (1 − weight × strength)), rounded; each term names its detections',
    ),
    ml_anomaly_score: z.number(),
    top_counterparties: z.array(Counterparty),
    flow_totals: z.object({ sent: amounts, received: amounts }),
    scan_duration_ms: z.int(),
    cached: z.boolean(),
    scan_id: z.string(),
    created_at: timestamp,
    score_semantics: z.literal('risk_0to100'),
    rule_set_version: z.string(),
  })
  .meta({ id: 'ScanResponse' });

export const ScanList = z
  .object({
    scans: z.array(
      z.object({
        scan_id: z.string(),
        address: z.string(),
        chain: z.enum(CHAINS),
        risk_level: RiskLevel,
        risk_score: z.int(),
        detection_count: z.int(),
        source: z.enum(['sync', 'async', 'console', 'watchlist', 'case']),
        created_at: timestamp,
      }),
    ),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    score_semantics: z.literal('risk_0to100'),
  })
  .meta({ id: 'ScanList' });

export const CounterpartyPage = z
  .object({
    scan_id: z.string(),
    counterparties: z.array(Counterparty),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
  })
  .meta({ id: 'CounterpartyPage', description: 'Largest first; the largest 10,000 of `total` are kept' });
