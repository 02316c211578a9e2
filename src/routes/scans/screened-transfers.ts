import { z } from 'zod';
import type { Context } from '../../context.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
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
import { RISK_LEVELS } from '../../risk/detection.ts';
import { pageLimit, pageOffset } from '../fields.ts';
import { momentField, uuid } from '../schemas.ts';
import { chainText } from './scan-schemas.ts';
import {
  DirectionField,
  referenceText,
  StateField,
  TransferAcceptedSchema,
  TransferInput,
  TransferListSchema,
  TransferSchema,
  TransfersAcceptedSchema,
} from './transfer-schemas.ts';

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
