import { z } from 'zod';
import { SHOWN_BASES } from '../domain/entity.ts';
import { CategorySchema } from '../domain/fields.ts';
import { GROUPS } from '../tracing/read/by-entity.ts';

export const MembershipBasisSchema = z.enum(SHOWN_BASES).meta({
  id: 'MembershipBasis',
  description:
    '`same_key`: one public key holds the addresses, which is certain; `listed`: a list gives them to one owner; `co_spent`: they ' +
    'paid together in one Bitcoin transaction that is not a CoinJoin and has not the shape of a payjoin; `change`: signs call it the ' +
    'change of a member, only where it is asked for',
});

/** Switches an answer from the address to its holder. */
export const GroupSwitch = z.enum(GROUPS).meta({
  description:
    '`entity`: the holder of the address is one party, whose members may belong together by joint spending alone, and whom it deals ' +
    'with is shown by holder; `address`: the address alone',
});

/** The holder that an answer is about. */
export const entity = z
  .object({
    id: z.string().describe('For GET /graph/entities/{id}'),
    name: z.string().nullable().describe('What sure labels call it; null without one'),
    category: CategorySchema,
    basis: MembershipBasisSchema.describe('The weakest link that holds all members together'),
    size: z.int().describe('Number of members'),
    followed: z.int().describe('Members whose transfers were followed: those that moved the most money, at most 100'),
  })
  .meta({ id: 'AskedEntity' })
  .nullable()
  .optional()
  .describe('With `group=entity`: the holder of the address; null where the graph knows of no other address of it');
