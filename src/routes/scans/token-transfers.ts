import { z } from 'zod';
import type { Context } from '../../context.ts';
import { canonicalAddress, detectChain } from '../../domain/address/address.ts';
import { CHAINS, type Chain } from '../../domain/chain.ts';
import { address, asset, label, timestamp, txHash } from '../../domain/fields.ts';
import { DAY_MS } from '../../domain/time.ts';
import { tagFields } from '../../domain/tracing/answers.ts';
import { CounterpartyCategorySchema } from '../../domain/transfers/flow.ts';
import { InvalidInputError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { parseAddress, parseChain } from '../../questions/parse-address.ts';
import { queryTransfers, screenToken } from '../../questions/token-transfers.ts';
import { SeveritySchema } from '../../risk/fields.ts';
import { SCREENING_PATTERNS } from '../../risk/scoring/token-screening.ts';
import { givenAddress, success } from '../fields.ts';
import { momentField } from '../schemas.ts';
import { chainText, Lang } from './scan-schemas.ts';

const Window = {
  start_date: momentField.describe('First moment; UTC where no zone is named'),
  end_date: momentField.describe('Last moment, later than `start_date`; UTC where no zone is named'),
  lang: Lang.nullish(),
};
const Echo = {
  success,
  chain: z.enum(CHAINS),
  token_contract: z.string().describe('The token in canonical form; `native` for the coin'),
  token_symbol: z.string().nullable().describe('Null where no transfer names it'),
  start_date: timestamp.describe('First moment that was asked for'),
  end_date: timestamp.describe('Last moment that was asked for'),
  truncated: z.boolean().describe('Transfers may be missing; the newest are here'),
  reasons: z.array(z.string()).describe('Why they may be missing, such as `transfer_limit` or `native_not_listed`'),
  note: z.string().nullable().describe('The same in words, in the language of `lang`'),
  query_duration_ms: z.int().describe('Milliseconds'),
  error: z.null().describe('Always null: a failure has another status'),
};

const TokenTransferSchema = z
  .object({
    tx_hash: txHash,
    block_number: z.int().nullable().describe('Null where the source does not say'),
    timestamp: timestamp.describe('Time of the block'),
    from_address: address.describe('Who gave'),
    to_address: address.describe('Who got'),
    amount: z.number().describe('Whole units of the token'),
    token_symbol: asset,
    token_decimals: z.int().nullable().describe('Places of the smallest unit; null where unknown'),
    direction: z.enum(['sent', 'received', 'self']).describe('As the address sees it; `self`: to itself'),
    counterparty: address.describe('The other side'),
    ...tagFields,
  })
  .meta({ id: 'TokenTransfer' });

const TokenCounterpartySchema = z
  .object({
    address,
    label,
    category: CounterpartyCategorySchema,
    sent_count: z.int().describe('Transfers to it'),
    received_count: z.int().describe('Transfers from it'),
    sent_amount: z.number().describe('Whole units sent to it'),
    received_amount: z.number().describe('Whole units received from it'),
    net_amount: z.number().describe('Received minus sent'),
  })
  .meta({ id: 'TokenCounterparty' });

const FlaggedAddressSchema = z
  .object({
    address,
    pattern_type: z.enum(SCREENING_PATTERNS).describe('What it does'),
    severity: SeveritySchema,
    reason: z.string().describe('What was found, in the language of `lang`'),
    tx_count: z.int().describe('Transactions that show it'),
    total_amount: z.number().describe('Whole units that they moved'),
    sample_tx_hash: txHash.describe('One of them'),
  })
  .meta({ id: 'FlaggedAddress' });

export const TransferQueryAnswer = z
  .object({
    ...Echo,
    address,
    total_transfers: z.int().describe('Length of `transfers`'),
    transfers: z.array(TokenTransferSchema).describe('Newest first, at most 500'),
    counterparties: z.array(TokenCounterpartySchema).describe('Largest turnover first'),
  })
  .meta({ id: 'TransferQuery' });

export const TokenScreeningAnswer = z
  .object({
    ...Echo,
    total_transfers_analyzed: z.int().describe('Transfers that were read, at most 500'),
    flagged_addresses: z.array(FlaggedAddressSchema).describe('Worst first; empty where nobody stands out'),
  })
  .meta({ id: 'ContractAlert' });

const BOUNDS = 'At most 90 days and the 500 newest transfers.';

export async function transferRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/tx-query',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'queryTransfers',
        tags: ['Token transfers'],
        summary: 'Transfers of one token at one address within a span of time',
        description: BOUNDS,
        body: z.object({
          address: givenAddress,
          token_contract: z
            .string()
            .meta({ description: 'Contract, mint, `CURRENCY.issuer`, or `native` for the coin' }),
          chain: chainText.nullish(),
          ...Window,
        }),
        response: { 200: TransferQueryAnswer, ...refusals(400) },
      },
    },
    async (request) => {
      const { accountId: account } = tenantOf(request);
      return queryTransfers(ctx, { ...parseTransferQuery(request.body), account, lang: request.body.lang ?? 'en' });
    },
  );

  api.post(
    '/contract-alert',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'sweepContract',
        tags: ['Token transfers'],
        summary: 'Addresses that behave suspiciously in the transfers of a token',
        description: BOUNDS,
        body: z.object({
          token_contract: z.string().meta({ description: 'Contract, mint or `CURRENCY.issuer`' }),
          chain: chainText.nullish(),
          ...Window,
        }),
        response: { 200: TokenScreeningAnswer, ...refusals(400) },
      },
    },
    async (request) => {
      const { accountId: account } = tenantOf(request);
      return screenToken(ctx, { ...parseTokenScreening(request.body), account, lang: request.body.lang ?? 'en' });
    },
  );
}

const RANGE_DAYS_MAX = 90;

interface TokenQueryInput {
  token_contract: string;
  chain?: string | null;
  /** Epoch ms. */
  start_date: number;
  end_date: number;
}

/** Parses a question about the transfers of one address. Throws InvalidInputError. */
function parseTransferQuery(input: TokenQueryInput & { address: string }) {
  const { chain, address } = parseAddress(input.address, input.chain);
  const token = isNative(input.token_contract) ? 'native' : parseToken(chain, input.token_contract);
  return { chain, address, token, ...parseRange(input) };
}

/** Parses a question about all transfers of one token. Throws InvalidInputError. */
function parseTokenScreening(input: TokenQueryInput) {
  const { token_contract: text } = input;
  if (isNative(text)) throw new InvalidInputError('token_contract must be a token; native is for /tx-query');
  const chain = chainOfToken(text, input.chain);
  return { chain, token: parseToken(chain, text), ...parseRange(input) };
}

function parseRange({ start_date: from, end_date: to }: TokenQueryInput): { from: number; to: number } {
  if (to <= from) throw new InvalidInputError('end_date must be later than start_date');
  if (to - from > RANGE_DAYS_MAX * DAY_MS) {
    throw new InvalidInputError(`Date range must not exceed ${RANGE_DAYS_MAX} days`);
  }
  return { from, to };
}

/**
 * The token as its chain writes it: contract, mint, TRC-10 number, `CURRENCY.issuer` or XRP issuance id.
 * Throws InvalidInputError for anything that cannot be a token of the chain.
 */
function parseToken(chain: Chain, token: string): string {
  const text = token.trim();
  if (text === '') throw new InvalidInputError('token_contract is required');
  if (chain === 'bitcoin') throw new InvalidInputError('Token queries are not available on bitcoin');
  const canonical = chain === 'xrp' ? xrpToken(text) : (canonicalAddress(chain, text)?.address ?? trc10(chain, text));
  if (canonical === null) {
    const form = chain === 'xrp' ? '; expected CURRENCY.issuer' : '';
    throw new InvalidInputError(`Invalid token contract for ${chain}${form}`);
  }
  return canonical;
}

/** The chain that the client names, or else the one whose form the token has. */
function chainOfToken(token: string, chain: string | null | undefined): Chain {
  if (chain?.trim()) return parseChain(chain.trim());
  const text = token.trim();
  if (text === '') throw new InvalidInputError('token_contract is required');
  const found = xrpToken(text) ? 'xrp' : detectChain(text);
  if (!found) throw new InvalidInputError('Unrecognized token contract format');
  return found;
}

/** True for the chain's own coin, which a query of an address may ask for. */
function isNative(token: string): boolean {
  return token.trim().toLowerCase() === 'native';
}

function xrpToken(text: string): string | null {
  const [, currency, issuer] = /^([^.\s]{1,40})\.(\w{25,64})$/.exec(text) ?? [];
  const account = issuer && canonicalAddress('xrp', issuer)?.address;
  if (account) return `${currency}.${account}`;
  return /^[0-9A-F]{48}$/i.test(text) ? text.toUpperCase() : null;
}

function trc10(chain: Chain, text: string): string | null {
  return chain === 'tron' && /^\d{7,9}$/.test(text) ? text : null;
}
