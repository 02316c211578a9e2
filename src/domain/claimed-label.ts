import { z } from 'zod';
import { CategorySchema, timestamp } from './fields.ts';

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
