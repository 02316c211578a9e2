import { z } from 'zod';
import type { Context } from '../../context.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address, asset, CategorySchema, label, timestamp, txHash } from '../../domain/fields.ts';
import {
  TRANSFER_DIRECTIONS,
  TRANSFER_REASONS,
  TRANSFER_STATES,
  type TransferReason,
} from '../../domain/screened-transfer.ts';
import { InvalidInputError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { validatorCompiler } from '../../http/issues.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { parseChain, parseTxHash } from '../../questions/parse-address.ts';
import {
  type GivenTransfer,
  getTransfer,
  listTransfers,
  startTransfer,
  startTransfers,
} from '../../questions/transfers/start-transfers.ts';
import { PARTY_STATES } from '../../questions/transfers/transfer-result.ts';
import { RISK_LEVELS } from '../../risk/detection.ts';
import { RiskLevelSchema, riskScore, scoreSemantics } from '../../risk/fields.ts';
import { limit, next, offset, pageLimit, pageOffset, success, total } from '../fields.ts';
import { momentField, shortText, uuid } from '../schemas.ts';
import { chainText, DetectionSchema, Lang } from './scan-schemas.ts';

const REFERENCE_MAX = 128;

/** References are opaque: the service compares them and never reads them. */
const referenceText = shortText(REFERENCE_MAX);
const DirectionField = z
  .enum(TRANSFER_DIRECTIONS)
  .describe('`deposit`: the senders are screened; `withdrawal`: the receiver');
const StateField = z
  .enum(TRANSFER_STATES)
  .describe('`waiting` until the transaction is confirmed and its other side is scanned; the others are final');

const reasons = Object.entries(TRANSFER_REASONS).map(([name, meaning]) => `\`${name}\`: ${meaning}`);
const reason = z
  .enum(Object.keys(TRANSFER_REASONS) as TransferReason[])
  .nullable()
  .describe(`Why it is not screened, or its level is unknown; null otherwise. ${reasons.join('. ')}`);

const TransferInput = z.object({
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

const TransferSchema = z
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

const TransferAcceptedSchema = z.object({ success, transfer: TransferSchema }).meta({ id: 'TransferAccepted' });

const TransfersAcceptedSchema = z
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

const TransferListSchema = z
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

const BATCH_MAX = 100;
/** The list of a batch; each of its entries is checked, and refused, by itself. */
const TransferEntries = z.object({ transfers: z.array(z.unknown()).min(1).max(BATCH_MAX) });
const TransfersBody = z.object({
  transfers: z.array(TransferInput).min(1).max(BATCH_MAX).describe('Deposits and withdrawals, of any chains'),
});
const readTransfers = validatorCompiler({ schema: TransfersBody });
const tags = ['Transfers'];

export async function screenedTransferRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/transfers',
    {
      config: { access: 'key', rights: ['scan'], feature: 'asyncScan', cost: 'one scan', idempotent: true },
      schema: {
        operationId: 'screenTransfer',
        tags,
        summary: 'Screen a deposit or withdrawal by its transaction',
        description:
          'Waits up to an hour until the transaction is confirmed, then scans the senders of a deposit or the receiver of a ' +
          'withdrawal; of many senders the five largest, those on lists first. Billed one scan where an address was ' +
          'scanned, nothing otherwise. `scan.completed` brings the result with the reference, `watchlist.alert` says ' +
          'that it could not be screened. The other side is watched for 30 days. The same transfer under the same ' +
          'reference is answered as it stands.',
        body: TransferInput,
        response: { 202: TransferAcceptedSchema, ...refusals(400) },
      },
    },
    async (request, reply) => {
      reply.code(202);
      return startTransfer(ctx, tenantOf(request), parseTransfer(request.body));
    },
  );

  api.post(
    '/transfers/batch',
    {
      config: {
        access: 'key',
        rights: ['scan'],
        feature: 'asyncScan',
        cost: 'one scan per transfer',
        idempotent: true,
      },
      schema: {
        operationId: 'screenTransfers',
        tags,
        summary: 'Screen up to 100 deposits and withdrawals',
        description:
          'As for one. A quota too small for all refuses the request; a wrong entry is refused alone, unless all are wrong.',
        body: TransfersBody,
        response: { 202: TransfersAcceptedSchema, ...refusals(400) },
      },
      validatorCompiler: () => validatorCompiler({ schema: TransferEntries }),
    },
    async (request, reply) => {
      reply.code(202);
      const entries = request.body.transfers.map(parsedOrRefusal);
      if (entries.every((one) => typeof one === 'string')) {
        const { error } = readTransfers(request.body);
        if (error) throw error;
      }
      return startTransfers(ctx, tenantOf(request), entries);
    },
  );

  api.get(
    '/transfers/:id',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getTransfer',
        tags,
        summary: 'What became of a deposit or withdrawal',
        params: z.object({ id: uuid.describe('Id of the screened transfer') }),
        response: { 200: TransferSchema, ...refusals(404) },
      },
    },
    async (request) => getTransfer(ctx, tenantOf(request), request.params.id),
  );

  api.get(
    '/transfers',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listTransfers',
        tags,
        summary: 'Screened deposits and withdrawals, and the exposure of a customer',
        description:
          'Newest first. `exposure` sums all that match: with `customer_ref` it is what a customer got and gave.',
        querystring: z.object({
          customer_ref: referenceText.optional().describe('Only those of this customer'),
          reference: referenceText.optional().describe('Only those with this reference'),
          state: StateField.optional(),
          direction: DirectionField.optional(),
          chain: chainText.optional(),
          risk_level: z.enum(RISK_LEVELS).optional().describe('Only those of this level, as screened'),
          from: momentField.optional(),
          to: momentField.optional(),
          limit: pageLimit({ max: 100, fallback: 20 }),
          offset: pageOffset(),
        }),
        response: { 200: TransferListSchema, ...refusals(400) },
      },
    },
    async (request) => {
      const { customer_ref, risk_level, chain, limit, offset, ...filter } = request.query;
      const chosen = chain === undefined ? {} : { chain: parseChain(chain) };
      const wanted = { ...filter, ...chosen, customerRef: customer_ref, riskLevel: risk_level };
      return listTransfers(ctx, tenantOf(request), wanted, { limit, offset });
    },
  );
}

/** Throws InvalidInputError. */
function parseTransfer({ chain: on, tx_hash, address, lang, ...rest }: z.infer<typeof TransferInput>): GivenTransfer {
  const { chain, hash } = parseTxHash(tx_hash, on);
  const canonical = address ? canonicalAddress(chain, address) : null;
  if (address && !canonical) throw new InvalidInputError(`Address does not match chain ${chain}`);
  const { asset = null, amount = null, customer_ref = null, direction, reference } = rest;
  const narrowed = { asset, amount, address: canonical?.address ?? null };
  return { chain, tx_hash: hash, direction, ...narrowed, customer_ref, reference, lang: lang ?? 'en' };
}

/** The text of its refusal, with all that is wrong, for an entry that cannot be a transfer. */
function parsedOrRefusal(input: unknown): GivenTransfer | string {
  const { error, value } = readTransfers({ transfers: [input] });
  if (error) {
    // Without the place of the entry in the body, which is that of its result.
    return error.issues.map(({ loc, msg }) => [loc.slice(3).join('.'), msg].filter(Boolean).join(': ')).join('; ');
  }
  try {
    return parseTransfer((value as z.infer<typeof TransfersBody>).transfers[0]!);
  } catch (error) {
    if (error instanceof InvalidInputError) return error.message;
    throw error;
  }
}
