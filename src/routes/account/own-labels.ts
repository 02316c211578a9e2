import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS, type LabelChain } from '../../domain/chain.ts';
import { ClaimedLabelSchema } from '../../domain/claimed-label.ts';
import { address, CategorySchema } from '../../domain/fields.ts';
import { HeldError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { OWN_LABELS_PER_ACCOUNT } from '../../plans.ts';
import { addOwnLabel, deleteOwnLabel, listOwnLabels, ownTagpack } from '../../questions/account/own-labels.ts';
import { type ParsedAddress, parseAddress } from '../../questions/parse-address.ts';
import { deleted, givenAddress, limit, offset, pageLimit, pageOffset, total } from '../fields.ts';
import { fileAnswer, sendFile } from '../file-answer.ts';
import { chainText } from '../scans/scan-schemas.ts';
import { longText, momentField, shortText, uuid } from '../schemas.ts';

const REASON_LENGTH_MAX = 500;
const TAGPACK = 'application/yaml';

const chain = z.union([z.enum(CHAINS), z.literal('evm')]).describe('`evm`: on all EVM chains');

const OwnLabelSchema = ClaimedLabelSchema.extend({
  chain,
  address,
  case_id: z.guid().nullable().describe('The case that it belongs to; null without one'),
}).meta({ id: 'OwnLabel', description: 'What your account says of an address; nobody else sees it' });

const OwnLabelListSchema = z
  .object({ labels: z.array(OwnLabelSchema).describe('Newest first'), total, limit, offset })
  .meta({ id: 'OwnLabelList' });

const tags = ['Account'];
const moment = (about: string) => momentField.nullish().describe(about);

/** Labels that an account gives addresses itself. */
export async function ownLabelRoutes(api: App, ctx: Context): Promise<void> {
  const read = { access: 'key', rights: ['read'] } as const;

  api.get(
    '/labels',
    {
      config: read,
      schema: {
        operationId: 'listOwnLabels',
        tags,
        summary: 'Labels that your account gave addresses',
        querystring: z.object({
          address: givenAddress.optional().describe('Of this address alone'),
          chain: chainText.optional(),
          case_id: uuid.optional().describe('Of this case alone'),
          limit: pageLimit({ max: 500, fallback: 100 }),
          offset: pageOffset(),
        }),
        response: { 200: OwnLabelListSchema, ...refusals(400) },
      },
    },
    async (request) => {
      const { address: text, chain: wanted, case_id: caseId, ...page } = request.query;
      const parsed = text === undefined ? undefined : placeOf(text, wanted);
      const filter = { caseId, ...(parsed && { address: parsed.address, ...(wanted && { chains: [parsed.chain] }) }) };
      return listOwnLabels(ctx, tenantOf(request).accountId, filter, page);
    },
  );

  api.post(
    '/labels',
    {
      config: { access: 'key', rights: ['cases'], idempotent: true },
      schema: {
        operationId: 'addOwnLabel',
        tags,
        summary: 'Give an address a label of your own',
        description:
          'Only your account sees it, beside public labels and with who wrote it. With `use_for_levels`, which needs the right ' +
          '`admin`, your own levels rest on it as on a list, but an adverse public label stays; levels of others never do. At most ' +
          `${OWN_LABELS_PER_ACCOUNT.toLocaleString('en')}.`,
        body: z.object({
          address: givenAddress,
          chain: z.string().nullish().describe('Left out: detected from the address; `evm`: on all EVM chains'),
          label: shortText(200).describe('Name shown to people'),
          category: CategorySchema,
          confidence: z.int().min(0).max(100).default(80).describe('How sure you are, 0 to 100; from 70 on it is sure'),
          reason: longText(REASON_LENGTH_MAX).default('').describe('Why'),
          valid_from: moment('First moment at which it holds; left out: always'),
          valid_to: moment('End of its validity; left out: it still holds'),
          case_id: uuid.nullish().describe('The case that it belongs to'),
          use_for_levels: z.boolean().default(false).describe('True: your own levels rest on it'),
        }),
        response: {
          201: z.object({ label: OwnLabelSchema }).meta({ id: 'OwnLabelAnswer' }),
          ...refusals(400, 403, 404, 409),
        },
      },
    },
    async (request, reply) => {
      const {
        address: text,
        chain: wanted,
        valid_from = null,
        valid_to = null,
        case_id = null,
        ...given
      } = request.body;
      const place = placeOf(text, wanted);
      reply.code(201);
      return addOwnLabel(ctx, tenantOf(request), { ...given, ...place, valid_from, valid_to, case_id });
    },
  );

  api.delete(
    '/labels/:id',
    {
      config: { access: 'key', rights: ['cases'] },
      schema: {
        operationId: 'deleteOwnLabel',
        tags,
        summary: 'Delete a label of your own',
        params: z.object({ id: uuid.describe('From GET /labels') }),
        response: {
          200: z.object({ deleted, id: z.guid().describe('Of the deleted label') }).meta({ id: 'OwnLabelDeleted' }),
          ...refusals(403, 404, new HeldError()),
        },
      },
    },
    async (request) => {
      await deleteOwnLabel(ctx, tenantOf(request), request.params.id);
      return { deleted: true as const, id: request.params.id };
    },
  );

  api.get(
    '/labels.yaml',
    {
      config: read,
      schema: {
        operationId: 'exportOwnLabels',
        tags,
        summary: 'Your labels as a GraphSense TagPack',
        description: 'For `traceflow load tagpack` or any tool that reads TagPacks.',
        response: { 200: fileAnswer(TAGPACK) },
      },
    },
    async (request, reply) => {
      const content = await ownTagpack(ctx, tenantOf(request).accountId);
      return sendFile(reply, { name: 'labels.yaml', type: TAGPACK, content });
    },
  );
}

/** An address with the chain of its label. Throws InvalidInputError. */
function placeOf(text: string, chain: string | null | undefined): { chain: LabelChain; address: string } {
  const isOnAllEvm = chain?.trim() === 'evm';
  const parsed: ParsedAddress = parseAddress(text, isOnAllEvm ? 'ethereum' : chain);
  return { chain: isOnAllEvm ? 'evm' : parsed.chain, address: parsed.address };
}
