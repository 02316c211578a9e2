import { z } from 'zod';
import { LANGUAGES } from '../../../words/language.ts';
import { CHAINS } from '../../domain/chain.ts';
import { ClaimedLabelSchema } from '../../domain/claimed-label.ts';
import { address, CategorySchema, frozenShape, timestamp } from '../../domain/fields.ts';
import { FrontierSchema, SharesSchema } from '../../domain/tracing/answers.ts';
import { CounterpartySchema, FlowTotalsSchema } from '../../domain/transfers/flow.ts';
import { LabelListSchema } from '../../labels/label-lists.ts';
import type { Anomaly } from '../../risk/assessment.ts';
import type {
  DetectionDetails as DetailsOfRules,
  Detection as DetectionOfRules,
  LabelEvidence,
  ScoreTerm,
  SuppressedDetection,
  Way,
} from '../../risk/detection.ts';
import { RiskLevelSchema, riskScore, SeveritySchema, scoreSemantics } from '../../risk/fields.ts';
import { MembershipBasisSchema } from '../entity-fields.ts';
import { limit, offset, sentAsStored, success, total } from '../fields.ts';

/** Schemas of the open objects of a scan, for the document: answers are not checked against these schemas. */
const evidenceList = z
  .array(z.string())
  .describe('Transfers as `<tx_hash>#<place>`, or `#<id>` where the place is not known, oldest first, at most 50');

const LabelOfEvidence = z
  .looseObject({
    address,
    category: CategorySchema,
    label: z.string().describe('Name on the label'),
    source: z.string().describe('The list that states it'),
    confidence: z.number().describe('0 to 100'),
    valid_from: timestamp.nullable().describe('Since when it holds; null: no day is stated'),
    valid_to: timestamp.nullable().describe('Until when it holds; null: still'),
  } satisfies Record<keyof LabelEvidence, z.ZodType>)
  .meta({ id: 'LabelEvidence', description: 'A label that supports a detection' });

const WayToParty = z
  .looseObject({
    address: z.string().describe('The labelled address at the far end'),
    chain: z.enum(CHAINS).optional().describe('Its chain, where that is not the chain of the scan'),
    usd: z.number().describe('US dollars that came this way, or went'),
    hops: z.int().describe('Transfers between the scanned address and the far end'),
    path: z.array(z.string()).describe('`<tx_hash>#<index>` of each transfer, from the scanned address outwards'),
  } satisfies Record<keyof Way, z.ZodType>)
  .meta({ id: 'Way', description: 'How money came from an address further away, or went there' });

const Figures = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]).describe('Names end in their unit'),
);

const DetectionDetailsSchema = z
  .looseObject({
    category: CategorySchema.optional().describe(
      'Of the parties that the detection is about, where it is about one category',
    ),
    role: z
      .enum(['victim', 'restitution'])
      .optional()
      .describe('The part of the address where it lost the money, or got back what it had lost'),
    tainted_share: z
      .number()
      .optional()
      .describe('0 to 1 of its money that is known to come from crime or to go there'),
    counted_in: z.string().optional().describe('The detection that already counts the same transfers'),
    variant: z.string().optional().describe('Which of the texts of the detector applies, where it has several'),
    window: z
      .looseObject({ from: timestamp.describe('First moment'), to: timestamp.describe('Last moment') })
      .nullable()
      .describe('The span of time that was looked at; null where time plays no part'),
    thresholds: Figures.describe('The numbers of the rule'),
    measured: Figures.describe('What the address did, in the same units'),
    evidence: evidenceList,
    counterparties: z.array(z.string()).describe('Other sides of the whole evidence, at most 50'),
    counterparty_count: z.int().describe('How many other sides there are'),
    labels: z
      .array(LabelOfEvidence)
      .describe('Labels behind it: of the address, of its counterparties, or of far ends'),
    ways: z
      .array(WayToParty)
      .optional()
      .describe('The ways that carried most, at most 5; only where parties are further away'),
    truncated: z.boolean().describe('True where evidence or counterparties were cut at 50'),
    coverage: z.enum(['complete', 'partial']).describe('`partial`: the history behind it was not read in full'),
  } satisfies Record<keyof DetailsOfRules, z.ZodType>)
  .meta({ id: 'DetectionDetails', description: 'The evidence of a detection, enough to check it' });

const Term = z
  .looseObject({
    family: z.string().describe('Family of detections; `floor` and `ceiling` are the bounds of the score'),
    weight: z.number().describe('0 to 1; of a bound, the bound divided by 100'),
    strength: z.number().describe('0 to 1, by the worst severity in the family'),
    detections: z.array(z.string()).describe('`detector_id` of the detections behind it'),
  } satisfies Record<keyof ScoreTerm, z.ZodType>)
  .meta({ id: 'ScoreTerm', description: 'One factor of the score' });

const Suppressed = z
  .looseObject({
    detector_id: z.string().describe('As in `detections`'),
    detector_name: z
      .string()
      .optional()
      .describe('The same for people, in the language of `lang`; left out in older recorded scans'),
    severity: SeveritySchema,
    suppressed_by: z.string().describe('Why it does not count: `service_label`, `partial_history`, `whitelist`, …'),
    details: DetectionDetailsSchema,
  } satisfies Record<keyof SuppressedDetection, z.ZodType>)
  .meta({ id: 'SuppressedDetection', description: 'A detection that was found and does not count' });

const ScanTraceSchema = z
  .looseObject({
    attributed: SharesSchema.describe('Part of the money that has a labelled end, 0 to 1'),
    explained: SharesSchema.describe('Part of the money that no limit of ours left without a known end, 0 to 1'),
    through_unread: SharesSchema.describe('Part with a known end that passed addresses not read meanwhile, 0 to 1'),
    frontier: FrontierSchema.describe('Where the trace ended or passed unread, largest first, at most 5'),
    reasons: z.array(z.string()).describe('What was cut: `not_read`, `max_hops`, `time_budget`, …'),
    max_hops: z.int().describe('Hops that the trace went at most'),
    max_steps: z.int().describe('Steps of one way at most: wallets with one way in and one way out cost no hop'),
    beyond: z
      .array(
        z.looseObject({
          direction: z.enum(['received', 'sent']).describe('Which way the money went'),
          usd: z.number().describe('US dollars that were not followed to their end'),
          share: z.number().describe('0 to 1 of the money of that direction'),
        }),
      )
      .describe('Where more than half of 1,000 US dollars or more ended at a limit of hops, steps or time'),
    addresses_read: z.int().describe('Addresses behind this one that were read from their chain'),
  })
  .meta({ id: 'ScanTrace', description: 'What is known of the money behind the address' });

const ScanCoverageSchema = z
  .looseObject({
    complete: z.boolean().describe('True where the whole history of the address was read'),
    sources: z.array(z.string()).describe('What was asked: `explorer`, `rpc`, `esplora`, …'),
    reasons: z
      .array(z.string())
      .describe(
        'Why the history is incomplete: `page_limit`, `native_not_listed`, …; `no_lists` or `lists_stale` where no current list of sanctions was compared',
      ),
    transfers: z.int().describe('Transfers that were read'),
    from: timestamp.nullable().describe('First transfer that was read; null without any'),
    to: timestamp.nullable().describe('Last transfer that was read; null without any'),
    gap: z
      .looseObject({ from: timestamp.describe('Its first moment'), to: timestamp.describe('Its last moment') })
      .optional()
      .describe('The time in the middle of a long history that was not read'),
    unexplained: z
      .array(
        z.looseObject({
          asset: z.string().describe('Symbol'),
          token: z.string().nullable().describe("Contract, mint or `CURRENCY.issuer`; null for the chain's own coin"),
          amount: z.string().describe('What the chain states less what the transfers add up to, signed exact decimal'),
        }),
      )
      .optional()
      .describe(
        'Balances that the transfers do not explain, where `reasons` has `balance_unexplained`; with `received_unseen`, what was paid of an asset beyond all that came in',
      ),
    unvalued: z
      .array(
        z.looseObject({
          asset: z.string().describe('Symbol'),
          token: z.string().nullable().describe("Contract, mint or `CURRENCY.issuer`; null for the chain's own coin"),
          amount: z.string().describe('Exact decimal'),
        }),
      )
      .optional()
      .describe(
        'Adverse dealings, direct and indirect, in assets of which no price is known, at most 50: the level cannot weigh them, so its basis is `partial`',
      ),
    unconfirmed: z
      .array(
        z.looseObject({
          tx_hash: z.string().describe('Transaction hash'),
          at: timestamp.describe('Time of the block that held it'),
          from: address,
          to: address,
          asset: z.string().describe('Symbol'),
          token: z.string().nullable().describe("Contract, mint or `CURRENCY.issuer`; null for the chain's own coin"),
          amount: z.string().describe('Exact decimal'),
          usd: z.number().nullable().describe('US dollars at its time; null where no price is known'),
        }),
      )
      .optional()
      .describe(
        'Transfers of the last hour that the source gave earlier and no longer gives, at most 50: they are not graded. `reasons` has `unconfirmed_left_out`',
      ),
    trace: ScanTraceSchema,
  })
  .meta({ id: 'ScanCoverage', description: 'What the answer has seen of the history of the address' });

const AnomalyFigures = z
  .looseObject({
    score: z.number().describe('0 to 1: how unusual, not how guilty'),
    method: z.literal('isolation_forest').describe('How it was computed'),
    model_sha256: z.string().describe('Digest of the model'),
    population: z.string().describe('What the model was fitted on'),
    top_features: z
      .array(
        z.looseObject({
          name: z.string().describe('The feature'),
          value: z.number().describe('Of this address'),
          z: z.number().describe('Distance from the centre of the population, in its deviations'),
        }),
      )
      .describe('What makes it unusual, strongest first'),
    reason: z.literal('too_few_transfers').nullable().describe('Why no score could be given; null where one was'),
  } satisfies Record<keyof Anomaly, z.ZodType>)
  .meta({ id: 'Anomaly', description: 'How unusual the address is among a population of addresses' });

const ScanMetadataSchema = z
  .looseObject({
    is_sanctioned: z.boolean().describe('Whether a list in force names the address itself'),
    ...frozenShape,
    entity: z
      .looseObject({
        id: z.string().describe('For GET /graph/entities/{id}'),
        name: z.string().nullable().describe('What sure labels call it; null without one'),
        basis: MembershipBasisSchema.describe('The weakest link that holds all members together'),
        size: z.int().describe('Number of members'),
        evidence: z
          .looseObject({
            basis: MembershipBasisSchema,
            tx_hash: z
              .string()
              .nullable()
              .describe('The earliest transaction that proves it; null for what a list says'),
            at: timestamp.nullable().describe('Its time'),
          })
          .describe('Why the address is a member'),
      })
      .optional()
      .describe('The holder of the address and of others; left out where none is known'),
    own_labels: z
      .array(ClaimedLabelSchema)
      .optional()
      .describe('What your account says of the address itself; left out where nothing'),
    total_transactions: z.int().describe('Transactions that were read'),
    counterparty_count: z.int().describe('Counterparties in all; `top_counterparties` has the largest of them'),
    btc_balance: z.number().optional().describe('Balance in BTC; only on bitcoin'),
    native_balance: z
      .string()
      .nullable()
      .describe("Balance of the chain's own coin, exact decimal; null where unknown"),
    owner: z.string().optional().describe('Owner of a token account: its transfers are those of the owner'),
    destination_tag: z.int().optional().describe('Of the XRP X-address that was asked for'),
    coverage: ScanCoverageSchema,
    rule_set_version: z.string().describe('The rules that were applied'),
    level_basis: z
      .enum(['full', 'partial', 'labels_only'])
      .describe(
        'Basis of the level: the whole history; a part of it, or of 1,000 USD or more received less than half was looked at, or no current list of sanctions is loaded; labels',
      ),
    level_note: z
      .string()
      .nullable()
      .describe(
        'In words: lists that are wanting, how much of what was received has a known origin, how much was looked at, and what contradicts that all was read; null where there is nothing to say',
      ),
    as_of: timestamp.describe('The moment for which the address was judged'),
    score_terms: z
      .array(Term)
      .describe(
        'The score is 100 × (1 − product of (1 − weight × strength)), rounded, held between `floor` and `ceiling`',
      ),
    suppressed: z.array(Suppressed).describe('What was found and does not count, with the reason'),
    anomaly: AnomalyFigures,
    lists: z.array(LabelListSchema).describe('The lists by which it was judged'),
    labelled_share: z
      .number()
      .nullable()
      .describe(
        'Part of the US dollars that it moved whose counterparties bear a label; null where nothing priced moved',
      ),
    labels_on_chain: z.int().describe('Labels in force that hold on the chain of the scan'),
    overrides_applied: z.boolean().optional().describe('Whether your risk settings changed the answer'),
  })
  .partial()
  .meta({ id: 'ScanMetadata', description: 'Facts behind a scan; empty where the scan failed' });

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
