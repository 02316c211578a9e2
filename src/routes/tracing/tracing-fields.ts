import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, CategorySchema, label } from '../../domain/fields.ts';
import { momentField } from '../schemas.ts';

/** Fields that answers of tracing share: a hop, a path, what was not seen. */

export const maxHops = z.int().describe('The `max_hops` that was used');
export const truncated = z.boolean().describe('True where a bound left something out; `reasons` or the note say which');
export const note = z.string().nullable().describe('What the answer leaves out, for people; null where nothing');

/** An address beside what an answer is about, as its best label calls it. */
export const knownAddress = z.object({
  address,
  chain: z.enum(CHAINS),
  label,
  category: CategorySchema,
  entity: z.string().nullable().describe('Whose address it is, where the label says so'),
  read: z.boolean().describe('Whether your account has read its history'),
});

/** Which of the subject's own transfers a question follows; refine its object by `endsAfterStart`. */
export const spanQuery = {
  from: momentField.optional().describe("First moment of the subject's own transfers that are followed"),
  to: momentField.optional().describe('Their last moment, not before `from`'),
};

/** Refuses a span that ends before it begins. */
export function endsAfterStart({ from, to }: { from?: number | null; to?: number | null }): boolean {
  return (from ?? null) === null || (to ?? null) === null || from! <= to!;
}
export const ENDS_BEFORE_START = { path: ['to'], error: 'Input should not be before `from`' };

/** `on` gives an answer the statements by which it was found. */
export const CypherSwitch = z.enum(['on', 'off']).meta({
  description: '`on`: `cypher` holds the statements that were asked of the graph; needs a key',
});

export const cypher = z
  .string()
  .optional()
  .describe('With `cypher=on`: the statements that were asked of the graph, with their parameters, for Neo4j Browser');
