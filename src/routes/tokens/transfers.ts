import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { CATEGORIES, UNLISTED_CATEGORIES } from '../../domain/label.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { queryTransfers } from '../../questions/tokens/query-transfers.ts';
import { sweepContract } from '../../questions/tokens/sweep-contract.ts';
import { SEVERITIES } from '../../risk/detection.ts';
import { SWEEP_PATTERNS } from '../../risk/sweep/window.ts';
import { chainText, Lang } from '../scans/scan-schemas.ts';
import { moment, timestamp } from '../schemas.ts';
import { parseContractSweep, parseTransferQuery } from './parse-token-query.ts';

const Window = { start_date: moment, end_date: moment, lang: Lang.nullish() };
const Echo = {
  success: z.literal(true),
  chain: z.enum(CHAINS),
  token_contract: z.string(),
  token_symbol: z.string().nullable(),
  start_date: timestamp,
  end_date: timestamp,
  truncated: z.boolean().meta({ description: 'There was more than was read; the newest are here' }),
  query_duration_ms: z.int(),
  error: z.null(),
};

const TransferQueryAnswer = z
  .object({
    ...Echo,
    address: z.string(),
    total_transfers: z.int(),
    transfers: z.array(
      z.object({
        tx_hash: z.string(),
        block_number: z.int().nullable(),
        timestamp,
        from_address: z.string(),
        to_address: z.string(),
        amount: z.number(),
        token_symbol: z.string(),
        token_decimals: z.int().nullable(),
        direction: z.enum(['sent', 'received', 'self']),
        counterparty: z.string(),
      }),
    ),
    counterparties: z.array(
      z.object({
        address: z.string(),
        label: z.string().nullable(),
        category: z.enum(CATEGORIES).exclude(UNLISTED_CATEGORIES),
        sent_count: z.int(),
        received_count: z.int(),
        sent_amount: z.number(),
        received_amount: z.number(),
        net_amount: z.number().meta({ description: 'Received minus sent' }),
      }),
    ),
  })
  .meta({ id: 'TransferQuery' });

const ContractSweepAnswer = z
  .object({
    ...Echo,
    total_transfers_analyzed: z.int(),
    flagged_addresses: z.array(
      z.object({
        address: z.string(),
        pattern_type: z.enum(SWEEP_PATTERNS),
        severity: z.enum(SEVERITIES),
        reason: z.string(),
        tx_count: z.int(),
        total_amount: z.number(),
        sample_tx_hash: z.string(),
      }),
    ),
  })
  .meta({ id: 'ContractAlert' });

const DATES = { start_date: '2026-08-01T00:00:00Z', end_date: '2026-10-30T00:00:00Z' };
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const BOUNDS = 'At most 90 days and the 500 newest transfers.';

export async function transferRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/tx-query',
    {
      config: {
        access: 'key',
        example: { body: { address: '0x28c6c06298d514db089934071355e5743bf21d60', token_contract: USDT, ...DATES } },
      },
      schema: {
        operationId: 'queryTransfers',
        tags: ['Token transfers'],
        summary: 'Transfers of one token at one address within a span of time',
        description: BOUNDS,
        body: z.object({
          address: z.string(),
          token_contract: z
            .string()
            .meta({ description: 'Contract, mint, `CURRENCY.issuer`, or `native` for the coin' }),
          chain: chainText.nullish(),
          ...Window,
        }),
        response: { 200: TransferQueryAnswer, ...refusals(400) },
      },
    },
    async (request) => queryTransfers(ctx, parseTransferQuery(request.body)),
  );

  api.post(
    '/contract-alert',
    {
      config: { access: 'key', example: { body: { token_contract: USDT, chain: 'ethereum', ...DATES } } },
      schema: {
        operationId: 'sweepContract',
        tags: ['Token transfers'],
        summary: 'Who behaves badly among the transfers of a token',
        description: BOUNDS,
        body: z.object({
          token_contract: z.string().meta({ description: 'Contract, mint or `CURRENCY.issuer`' }),
          chain: chainText.nullish(),
          ...Window,
        }),
        response: { 200: ContractSweepAnswer, ...refusals(400) },
      },
    },
    async (request) => sweepContract(ctx, { ...parseContractSweep(request.body), lang: request.body.lang ?? 'en' }),
  );
}
