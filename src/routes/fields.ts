import { z } from 'zod';
import { CHAINS } from '../domain/chain.ts';
import { address, DirectionSchema } from '../risk/fields.ts';
import { BridgeSchema } from './bridge-fields.ts';
import { timestamp, wholeNumber } from './schemas.ts';

/** Fields that many requests and answers share, each with the words by which the API documents it. */

export const success = z.literal(true).describe('Always true: a failure has another status and a `detail`');
export const deleted = z.literal(true).describe('Always true: what does not exist is a 404');

/** As a request names it: questions get the canonical form. */
export const givenAddress = z.string().describe('In any form that its chain accepts');
export const label = z.string().nullable().describe('Name on the best label of the address; null without a label');
export const txHash = z.string().describe('As the chain writes it: `0x` + 64 hex on EVM chains');
export const asset = z.string().describe('Symbol of the coin or token');

const frozenList = z
  .array(
    z
      .object({
        asset: z.string().describe('Symbol of the token'),
        since: timestamp.nullable().describe('Since when; null: the day is not known'),
        source: z
          .string()
          .describe('The list that states it, or `issuer:…` for the contract of the issuer or the ledger'),
      })
      .meta({ id: 'FrozenAsset' }),
  )
  .describe('Tokens that their issuers keep the address from moving, as of the last scan or list; left out where none');
/** Tokens that issuers froze at an address, in answers about it. */
export const frozenShape = {
  frozen_since: timestamp
    .nullable()
    .optional()
    .describe('Since when an issuer keeps the address from moving a token; null: the day is not known'),
  frozen: frozenList.optional(),
};

export const total = z.int().describe('How many there are in all, on every page');
export const limit = z.int().describe('The `limit` that was used');
export const offset = z.int().describe('The `offset` that was used');
export const next = z
  .int()
  .nullable()
  .describe('The `offset` of the next page, since a page ends at 1 MiB; null on the last');

/** Entries of a page. */
export function pageLimit({ max, fallback }: { max: number; fallback: number }) {
  return wholeNumber({ min: 1, max, fallback }).describe('Entries of the page at most');
}

/** Entries before the page. */
export function pageOffset(max?: number) {
  return wholeNumber({ min: 0, max, fallback: 0 }).describe('Entries left out at the beginning');
}

/**
 * An object that is sent without a look at its fields, documented as the named schema: answers of long ago may lack
 * what that schema has today.
 */
export function sentAsStored(schema: z.ZodType, description: string) {
  return z.unknown().meta({ $ref: `#/components/schemas/${z.globalRegistry.get(schema)?.id}`, description });
}

export const SharesSchema = z
  .object({
    received: z.number().nullable().describe('Of the money received; null where there is none'),
    sent: z.number().nullable().describe('Of the money sent; null where there is none'),
  })
  .meta({ id: 'Shares', description: 'Parts of the money of each direction, 0 to 1' });

const FrontierAddressSchema = z
  .object({
    address,
    chain: z.enum(CHAINS),
    direction: DirectionSchema,
    hop: z.int().describe('Transfers between the traced address and this one; 0 for the address itself'),
    usd: z.number().describe('US dollars of the traced money that came this far'),
    share: z
      .number()
      .describe(
        "Part of that direction's money, 0 to 1; in a search for paths and in Follow Mode, of the widest flow met",
      ),
    reason: z.string().describe('Why the trace ended: `not_read`, `partial_history`, `max_hops`, `small_share`, …'),
    bridge: BridgeSchema.optional().describe('The bridge at which the trace ended'),
  })
  .meta({ id: 'FrontierAddress', description: 'An address where a trace ended, or which it passed unread' });

export const FrontierSchema = z.array(FrontierAddressSchema).meta({
  id: 'Frontier',
  description: 'Where the trace ended, or passed an address that was not read: what to read next, largest first',
});
