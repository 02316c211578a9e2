import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { ClaimedLabelSchema } from '../../domain/claimed-label.ts';
import { address, CategorySchema } from '../../domain/fields.ts';
import { hasIndexedWord } from '../../domain/text/search-words.ts';
import { tenantOf } from '../../http/auth.ts';
import type { App } from '../../http/typed-app.ts';
import { chainsOf } from '../../labels/label-store.ts';
import { searchOwnLabels } from '../../questions/account/own-labels.ts';
import { pageLimit } from '../fields.ts';
import { shortText } from '../schemas.ts';

const QUERY_LENGTH_MAX = 200;

export const LabelSearchSchema = z
  .object({
    query: z.string().describe('The words that were looked for'),
    results: z
      .array(
        z.object({
          address,
          chains: z
            .array(z.enum(CHAINS))
            .describe('Where the label holds; that of an EVM address may hold on all EVM chains'),
          label: z.string().describe('Name on the list'),
          category: CategorySchema,
          entity: z.string().nullable().describe('Owner, as the list names it'),
          source: z.string().describe('List of the label; `own:…` for one of your account'),
          own: ClaimedLabelSchema.optional().describe('Of a label of your account; left out for others'),
        }),
      )
      .describe('Each address once, closest names first; before them labels of your account, newest first'),
    truncated: z.boolean().describe('There may be more: name them more exactly'),
  })
  .meta({ id: 'LabelSearch' });

/** Addresses by the names that lists give them. */
export async function labelRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/graph/labels',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'searchLabels',
        tags: ['Investigation'],
        summary: 'Labelled addresses by name, entity or list',
        description:
          'Every word of `q` has to occur, anywhere and in any case; one of them has three characters or more. Labels in ' +
          'force alone. Costs no scan.',
        querystring: z.object({
          q: shortText(QUERY_LENGTH_MAX)
            .refine(hasIndexedWord, 'String should have a word of at least 3 characters')
            .describe('Words to look for'),
          limit: pageLimit({ max: 100, fallback: 20 }),
        }),
        response: { 200: LabelSearchSchema },
      },
    },
    async (request) => {
      const { q, limit } = request.query;
      const [own, { found, truncated }] = await Promise.all([
        searchOwnLabels(ctx, tenantOf(request).accountId, q, limit),
        ctx.labels.search(q, limit),
      ]);
      const results = found.map(({ chain, address, label, category, entity, source }) => {
        return { address, chains: [...chainsOf(chain)], label, category, entity, source };
      });
      const all = [...own, ...results];
      return { query: q, results: all.slice(0, limit), truncated: truncated || all.length > limit };
    },
  );
}
