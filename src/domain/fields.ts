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

export const ClaimedLabelSchema = z
  .object({
    id: z.guid().describe('For DELETE /labels/{id}'),
    label: z.string().describe('Name that your account gave it'),
    category: CategorySchema,
    basis: z.literal('claimed').describe('Somebody says so: neither a list nor the chain'),
    confidence: z.int().describe('How sure who wrote it is, 0 to 100'),
    reason: z.string().describe('Why, in their words; may be empty'),
    valid_from: timestamp.nullable().describe('First moment at which it holds; null: always'),
    valid_to: timestamp.nullable().describe('End of its validity; null: it still holds'),
    use_for_levels: z.boolean().describe('Levels of your account rest on it'),
    author: z.string().describe('Name of the person or key'),
    created_at: timestamp.describe('When it was written'),
  })
  .meta({ id: 'ClaimedLabel', description: 'What your account itself says of an address' });

/** A label that an account gives an address itself. */
export type ClaimedLabel = z.infer<typeof ClaimedLabelSchema>;
