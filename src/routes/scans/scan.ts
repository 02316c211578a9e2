import { z } from 'zod';
import type { Language } from '../../../words/language.ts';
import type { Context } from '../../context.ts';
import type { CrossChain } from '../../domain/bridges/crossing.ts';
import { isEvmChain } from '../../domain/chain.ts';
import { CounterpartySchema } from '../../domain/transfers/flow.ts';
import { AddressNotFoundError } from '../../errors.ts';
import { EXPORT_FORMS, exportName } from '../../exports/forms.ts';
import { tenantOf } from '../../http/auth.ts';
import { ADDRESS_NOT_FOUND, refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { isActive } from '../../questions/activity.ts';
import { scansTable } from '../../questions/exports/tables.ts';
import { type ParsedAddress, parseAddress, parseChain } from '../../questions/parse-address.ts';
import { deleteScans } from '../../questions/scans/delete-scans.ts';
import { getScan, listScanCounterparties, listScans } from '../../questions/scans/list-scans.ts';
import type { ScanAnswer } from '../../questions/scans/record-scan.ts';
import { tenantView } from '../../questions/scans/risk-settings-applied.ts';
import { scanAddress } from '../../questions/scans/scan-address.ts';
import type { ScanFilter } from '../../records/scans/scans.ts';
import { RiskLevelSchema } from '../../risk/fields.ts';
import { CrossChainSwitch } from '../bridge-fields.ts';
import { givenAddress, limit, offset, pageLimit, pageOffset, total } from '../fields.ts';
import { fileAnswer, sendFile } from '../file-answer.ts';
import { flag, momentField, uuid } from '../schemas.ts';
import {
  chainText,
  FRESH,
  Lang,
  ListedSourceSchema,
  ScanListSchema,
  ScanResponseSchema,
  TraceSwitch,
} from './scan-schemas.ts';

const CounterpartyPageSchema = z
  .object({
    scan_id: z.string().describe('The recorded scan'),
    counterparties: z.array(CounterpartySchema).describe('Largest first'),
    total,
    limit,
    offset,
  })
  .meta({ id: 'CounterpartyPage', description: 'Largest first; the largest 10,000 of `total` are kept' });

const ScanInput = z.object({
  address: givenAddress,
  chain: chainText.optional(),
  lang: Lang.default('en'),
  trace: TraceSwitch.default('on'),
  cross_chain: CrossChainSwitch.default('on'),
});
/** Which recorded scans are asked for. */
const ScanFilterQuery = z.object({
  chain: chainText.optional().meta({ description: 'Scans on this chain alone' }),
  address: z.string().optional().meta({ description: 'Scans of this address, on every chain unless `chain` is given' }),
  risk_level: z
    .enum(RiskLevelSchema.options)
    .optional()
    .meta({ description: 'As recorded, before your risk settings' }),
  source: ListedSourceSchema.optional().meta({
    description:
      'Scans that were asked for so alone; rows of batches and rescans of watched addresses are listed with `batch` and `watchlist` only',
  }),
  from: momentField.optional().describe('Recorded then or later; UTC where no zone is named'),
  to: momentField.optional().describe('Recorded then or earlier; UTC where no zone is named'),
});
const scanned = { 200: ScanResponseSchema, ...refusals(400, 500), 404: ADDRESS_NOT_FOUND };

export async function scanRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/public/scan',
    {
      config: { views: 'address', turn: 'waits', access: 'key', rights: ['scan'], cost: 'one scan' },
      schema: {
        operationId: 'scanAddress',
        tags: ['Scanning'],
        summary: 'Scan one address now',
        description:
          'A repeated scan within 30 minutes is free and says `cached: true`: no chain is asked, and the score follows from the ' +
          'labels and the graph of today. Where it differs from the last record, it is recorded as a scan of its own.',
        querystring: ScanInput.extend({ fresh: flag.meta({ description: FRESH }) }),
        response: scanned,
      },
    },
    async (request) => scan(ctx, tenantOf(request), request.query),
  );

  api.post(
    '/public/scan',
    {
      config: { views: 'address', turn: 'waits', access: 'key', rights: ['scan'], cost: 'one scan', idempotent: true },
      schema: {
        operationId: 'scanAddressByPost',
        tags: ['Scanning'],
        summary: 'Scan one address now (input in the body)',
        body: ScanInput.extend({
          chain: chainText.nullish(),
          lang: Lang.nullish(),
          trace: TraceSwitch.nullish(),
          cross_chain: CrossChainSwitch.nullish(),
          fresh: z.boolean().nullish().meta({ description: FRESH }),
        }),
        response: scanned,
      },
    },
    async (request) => scan(ctx, tenantOf(request), request.body),
  );

  api.get(
    '/public/scans',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listScans',
        tags: ['Scanning'],
        summary: 'Recorded scans of your account, newest first',
        querystring: z.object({
          limit: pageLimit({ max: 100, fallback: 20 }),
          offset: pageOffset(),
          ...ScanFilterQuery.shape,
        }),
        response: { 200: ScanListSchema, ...refusals(400) },
      },
    },
    async (request) => {
      const { limit, offset } = request.query;
      return listScans(ctx, tenantOf(request), parseScanFilter(request.query), { limit, offset });
    },
  );

  api.delete(
    '/public/scans',
    {
      config: { access: 'key', rights: ['scan'] },
      schema: {
        operationId: 'deleteScans',
        tags: ['Scanning'],
        summary: 'Delete old records of scans of your account',
        description:
          'The oldest 1,000 that match, of every source and beyond the history of your plan; repeat it while `left` is above 0. ' +
          'Scans of the last 24 hours stay. Timelines of cases that hold the addresses say so; report packages keep what they froze. ' +
          'Without `chain` and `address`, which addresses your scans and traces opened before then goes too, 10,000 a call, unless ' +
          'a case of yours is under legal hold: from then on tracing calls them `not_read` until a scan or trace opens them again.',
        querystring: ScanFilterQuery.pick({ chain: true, address: true }).extend({
          before: momentField.describe('Scans that were recorded earlier; UTC where no zone is named'),
        }),
        response: {
          200: z
            .object({
              deleted: z.int().describe('Scans that were deleted'),
              left: z.int().describe('Scans and opened addresses that match and are still there'),
            })
            .meta({ id: 'DeletedScans' }),
          ...refusals(400),
        },
      },
    },
    async (request) => {
      const { before, ...filter } = request.query;
      const { chain, address } = parseScanFilter(filter);
      return deleteScans(ctx, tenantOf(request), { before, chain, address });
    },
  );

  const { path, type, ...form } = EXPORT_FORMS.scans;
  api.get(
    path,
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        ...form,
        tags: ['Scanning'],
        description: 'All that match within the history of your plan. No cell is a formula.',
        querystring: ScanFilterQuery,
        response: { 200: fileAnswer(type), ...refusals(400) },
      },
    },
    async (request, reply) => {
      const content = scansTable(ctx, tenantOf(request), parseScanFilter(request.query));
      return sendFile(reply, { name: exportName(EXPORT_FORMS.scans), type, content });
    },
  );

  api.get(
    '/public/scans/:scan_id',
    {
      config: { views: 'address', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getScan',
        tags: ['Scanning'],
        summary: 'One recorded scan with its detections',
        params: z.object({ scan_id: uuid.describe('Of a recorded scan') }),
        querystring: z.object({ lang: Lang.optional().describe('Left out: the language in which it was recorded') }),
        response: { 200: ScanResponseSchema, ...refusals(404) },
      },
    },
    async (request) => getScan(ctx, tenantOf(request), request.params.scan_id, request.query.lang),
  );

  api.get(
    '/public/scans/:scan_id/counterparties',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listCounterparties',
        tags: ['Scanning'],
        summary: 'Counterparties of a recorded scan, page by page',
        params: z.object({ scan_id: uuid.describe('Of a recorded scan') }),
        querystring: z.object({
          limit: pageLimit({ max: 500, fallback: 50 }),
          offset: pageOffset(),
        }),
        response: { 200: CounterpartyPageSchema, ...refusals(404) },
      },
    },
    async (request) => listScanCounterparties(ctx, tenantOf(request), request.params.scan_id, request.query),
  );
}

/** Without a chain, an address is looked for on every chain that has it. Throws InvalidInputError. */
function parseScanFilter({
  chain,
  address,
  from,
  to,
  source,
  risk_level: riskLevel,
}: Partial<z.output<typeof ScanFilterQuery>>): Partial<ScanFilter> {
  const asked = { from, to, source, riskLevel };
  if (address === undefined) return { ...asked, chain: chain === undefined ? undefined : parseChain(chain.trim()) };
  const parsed = parseAddress(address, chain);
  return { ...asked, address: parsed.address, chain: chain === undefined ? undefined : parsed.chain };
}

async function scan(
  ctx: Context,
  tenant: ReturnType<typeof tenantOf>,
  input: {
    address: string;
    chain?: string | null;
    lang?: Language | null;
    fresh?: boolean | null;
    trace?: 'on' | 'off' | null;
    cross_chain?: CrossChain | null;
  },
) {
  const { chain, address, tag } = parseAddress(input.address, input.chain ?? undefined);
  const asSeen = await tenantView(ctx, tenant.accountId);
  const toAnswer = (scanned: ScanAnswer) => {
    const answer = asSeen(scanned);
    // Said of the request, not kept: the scan is of the whole account, whose customers have a tag each.
    return tag === undefined ? answer : { ...answer, metadata: { ...answer.metadata, destination_tag: tag } };
  };
  const scanned = await scanAddress(ctx, tenant, {
    chain,
    address,
    lang: input.lang ?? 'en',
    fresh: input.fresh ?? false,
    trace: input.trace ?? 'on',
    crossChain: input.cross_chain ?? 'on',
    source: 'sync',
    toAnswer,
  }).catch((error: unknown) => {
    if (error instanceof AddressNotFoundError) return notFound(ctx, tenant.accountId, { chain, address });
    throw error;
  });
  return toAnswer(scanned);
}

/** Names the other chains on which the address is in use: an EVM address is the same on eight. */
async function notFound(ctx: Context, account: string, { chain, address }: ParsedAddress): Promise<never> {
  const activity = isEvmChain(chain) ? await ctx.activity.of(chain, address, { account }) : [];
  const activeOn = activity.filter((one) => one.chain !== chain && isActive(one)).map((one) => one.chain);
  throw new AddressNotFoundError(chain, activeOn);
}
