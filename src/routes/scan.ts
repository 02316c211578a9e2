import { z } from 'zod';
import { tenantOf } from '../auth.ts';
import type { Context } from '../context.ts';
import { getScan, listScans } from '../questions/list-scans.ts';
import { parseAddress } from '../questions/parse-address.ts';
import { asTenantSees } from '../questions/risk-settings-applied.ts';
import { scanAddress } from '../questions/scan-address.ts';
import { chainText, Lang, ScanList, ScanResponse } from './scan-schemas.ts';
import { type App, refusals, uuid, wholeNumber } from './schemas.ts';

const ScanInput = z.object({
  address: z.string().meta({ examples: ['0x28c6c06298d514db089934071355e5743bf21d60'] }),
  chain: chainText.optional(),
  lang: Lang.default('en'),
});
const scanned = { 200: ScanResponse, ...refusals(400, 404, 500) };

export async function scanRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/public/scan',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'scanAddress',
        tags: ['Scanning'],
        summary: 'Scan one address now',
        description: 'Costs one scan; the same answer again within 30 minutes costs none and says `cached: true`.',
        querystring: ScanInput,
        response: scanned,
      },
    },
    async (request) => scan(ctx, tenantOf(request), request.query),
  );

  api.post(
    '/public/scan',
    {
      config: { access: 'key', idempotent: true },
      schema: {
        operationId: 'scanAddressByPost',
        tags: ['Scanning'],
        summary: 'Scan one address now (input in the body)',
        body: ScanInput.extend({ chain: chainText.nullish(), lang: Lang.nullish() }),
        response: scanned,
      },
    },
    async (request) => scan(ctx, tenantOf(request), request.body),
  );

  api.get(
    '/public/scans',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'listScans',
        tags: ['Scanning'],
        summary: 'Recorded scans of your account, newest first',
        querystring: z.object({
          limit: wholeNumber({ min: 1, max: 100, fallback: 20 }),
          offset: wholeNumber({ min: 0, fallback: 0 }),
        }),
        response: { 200: ScanList },
      },
    },
    async (request) => listScans(ctx, tenantOf(request), request.query),
  );

  api.get(
    '/public/scans/:scan_id',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'getScan',
        tags: ['Scanning'],
        summary: 'One recorded scan with its detections',
        params: z.object({ scan_id: uuid }),
        response: { 200: ScanResponse, ...refusals(404) },
      },
    },
    async (request) => getScan(ctx, tenantOf(request), request.params.scan_id),
  );
}

async function scan(
  ctx: Context,
  tenant: ReturnType<typeof tenantOf>,
  input: { address: string; chain?: string | null; lang?: 'en' | 'ja' | null },
) {
  const { chain, address } = parseAddress(input.address, input.chain ?? undefined);
  const answer = await scanAddress(ctx, tenant, { chain, address, lang: input.lang ?? 'en', source: 'sync' });
  return asTenantSees(ctx, tenant.accountId, answer);
}
