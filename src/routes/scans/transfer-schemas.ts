import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, asset, CategorySchema, label, timestamp, txHash } from '../../domain/fields.ts';
import {
  TRANSFER_DIRECTIONS,
  TRANSFER_REASONS,
  TRANSFER_STATES,
  type TransferReason,
} from '../../domain/screened-transfer.ts';
import { PARTY_STATES } from '../../questions/transfers/transfer-result.ts';
import { RiskLevelSchema, riskScore, scoreSemantics } from '../../risk/fields.ts';
import { limit, next, offset, success, total } from '../fields.ts';
import { shortText } from '../schemas.ts';
import { chainText, DetectionSchema, Lang } from './scan-schemas.ts';

const REFERENCE_MAX = 128;

/** References are opaque: the service compares them and never reads them. */
export const referenceText = shortText(REFERENCE_MAX);
export const DirectionField = z
  .enum(TRANSFER_DIRECTIONS)
  .describe('`deposit`: the senders are screened; `withdrawal`: the receiver');
export const StateField = z
  .enum(TRANSFER_STATES)
  .describe('`waiting` until the transaction is confirmed and its other side is scanned; the others are final');

const reasons = Object.entries(TRANSFER_REASONS).map(([name, meaning]) => `\`${name}\`: ${meaning}`);
const reason = z
  .enum(Object.keys(TRANSFER_REASONS) as TransferReason[])
  .nullable()
  .describe(`Why it is not screened, or its level is unknown; null otherwise. ${reasons.join('. ')}`);

export const TransferInput = z.object({
  chain: chainText,
  tx_hash: z.string().describe('As the chain writes it'),
  direction: DirectionField,
  asset: z.string().trim().min(1).max(128).nullish().describe('Symbol, contract or `native`: which of its transfers'),
  amount: z
    .string()
    .regex(/^\d{1,40}(\.\d{1,40})?$/)
    .nullish()
    .describe('Exact decimal, in whole coins: which of its transfers'),
  address: z
    .string()
    .max(128)
    .nullish()
    .describe('The address that is paid, or else the one that pays: which of its transfers'),
  customer_ref: referenceText.nullish().describe('Your opaque name of a customer; put no names of people here'),
  reference: referenceText.describe('Your opaque name of the transfer, in each answer and event of it'),
  lang: Lang.nullish(),
});

const CounterpartySchema = z
  .object({
    address: address.describe('Address of the other side; of a CoinJoin transaction, `coinjoin:` and its hash'),
    label,
    category: CategorySchema.nullable().describe('Category of its best label; null without one'),
    state: z
      .enum(PARTY_STATES)
      .describe(
        '`scanned`; `by_label`: judged by its labels alone; `unused`: the chain knows nothing of it; `not_scanned`: one of many senders, that no list names',
      ),
    risk_level: RiskLevelSchema,
    risk_score: riskScore,
    detection_count: z.int().describe('How much was detected'),
    scan_id: z.string().nullable().describe('For GET /public/scans/{scan_id}; null without a scan'),
    detections: z.array(DetectionSchema).optional().describe('What was detected; left out in lists'),
  })
  .meta({ id: 'TransferCounterparty', description: 'An address on the other side of a transfer' });

export const TransferSchema = z
  .object({
    id: z.guid().describe('Id of the screened transfer'),
    chain: z.enum(CHAINS),
    tx_hash: txHash,
    direction: DirectionField,
    asset: z.string().nullable().describe('As it was given; null where it was not'),
    amount: z.string().nullable().describe('As it was given; null where it was not'),
    address: z.string().nullable().describe('As it was given, canonical; null where it was not'),
    customer_ref: z.string().nullable().describe('As it was given; null where it was not'),
    reference: z.string().describe('As it was given'),
    state: StateField,
    reason,
    moved: z
      .array(
        z
          .object({
            asset,
            token: z.string().nullable().describe("Contract, mint or issuer; null for the chain's own coin"),
            amount: z.string().describe('Exact decimal'),
            usd: z.number().nullable().describe('US dollars at the time; null where no price is known'),
          })
          .meta({ id: 'MovedAsset' }),
      )
      .describe('What moved, by asset; empty until it is screened'),
    at: timestamp.nullable().describe('Time of the block; null until it is screened'),
    block_number: z.int().nullable().describe('Block; null until it is screened'),
    risk_level: RiskLevelSchema.nullable().describe(
      'That of the worst counterparty; `UNKNOWN` instead of `LOW` where something is unknown; null until it is screened',
    ),
    risk_score: riskScore.nullable(),
    counterparties: z
      .array(CounterpartySchema)
      .describe('The other side, at most 50: listed ones first, then the largest'),
    counterparties_total: z.int().describe('How many addresses are on the other side'),
    waits_until: timestamp.describe('A transaction that is not confirmed by then is not screened'),
    watched_until: timestamp
      .nullable()
      .describe('A counterparty that a list names before raises `watchlist.alert`; null where it is not screened'),
    created_at: timestamp.describe('When it was given'),
    ended_at: timestamp.nullable().describe('When it reached its final state'),
    score_semantics: scoreSemantics,
  })
  .meta({ id: 'Transfer', description: 'A deposit or withdrawal whose other side is screened' });

export const TransferAcceptedSchema = z.object({ success, transfer: TransferSchema }).meta({ id: 'TransferAccepted' });

export const TransfersAcceptedSchema = z
  .object({
    success,
    results: z
      .array(
        z
          .object({
            transfer: TransferSchema.nullable().describe('Null where the entry was refused'),
            error: z.string().nullable().describe('Why it was refused; null otherwise'),
          })
          .meta({ id: 'TransferEntry' }),
      )
      .describe('One for each entry, in the order of the request'),
  })
  .meta({ id: 'TransfersAccepted' });

export const TransferListSchema = z
  .object({
    transfers: z.array(TransferSchema).describe('Newest first, without what was detected'),
    exposure: z
      .array(
        z
          .object({
            direction: DirectionField,
            risk_level: RiskLevelSchema.nullable().describe('As screened; null where it is not'),
            category: CategorySchema.nullable().describe('Of the worst counterparty; null without a label'),
            transfers: z.int().describe('How many'),
            usd: z.number().nullable().describe('US dollars of those with a price; null without one'),
            unpriced: z.int().describe('How many have no price'),
          })
          .meta({ id: 'TransferExposure' }),
      )
      .describe('Sums of all transfers that match, on every page'),
    total,
    limit,
    offset,
    next,
    score_semantics: scoreSemantics,
  })
  .meta({ id: 'TransferList' });
