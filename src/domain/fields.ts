import { z } from 'zod';
import { CATEGORIES } from './label.ts';

/** Fields of answers and events, each with the words by which the API documents it. */

/** ISO 8601, UTC. */
export const timestamp = z.iso.datetime();
export const address = z.string().describe('In the canonical form of its chain: lower case on EVM chains');
export const label = z.string().nullable().describe('Name on the best label of the address; null without a label');
export const txHash = z.string().describe('As the chain writes it: `0x` + 64 hex on EVM chains');
export const asset = z.string().describe('Symbol of the coin or token');

export const CategorySchema = z.enum(CATEGORIES).meta({
  id: 'Category',
  description: 'Category of the best label of an address; `unknown` without a label',
});
export const DirectionSchema = z.enum(['received', 'sent']).meta({
  id: 'Direction',
  description: '`received`: money that came to the address; `sent`: money that left it',
});

const FrozenAssetSchema = z
  .object({
    asset: z.string().describe('Symbol of the token'),
    since: timestamp.nullable().describe('Since when; null: the day is not known'),
    source: z.string().describe('The list that states it, or `issuer:…` for the contract of the issuer or the ledger'),
  })
  .meta({ id: 'FrozenAsset' });

/** A token that its issuer keeps an address from moving. */
export type FrozenAsset = z.infer<typeof FrozenAssetSchema>;

/** Tokens that issuers froze at an address, in answers about it. */
export const frozenShape = {
  frozen_since: timestamp
    .nullable()
    .optional()
    .describe('Since when an issuer keeps the address from moving a token; null: the day is not known'),
  frozen: z
    .array(FrozenAssetSchema)
    .describe(
      'Tokens that their issuers keep the address from moving, as of the last scan or list; left out where none',
    )
    .optional(),
};
