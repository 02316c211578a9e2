import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { timestamp } from '../../domain/fields.ts';
import { LIST_GAPS } from '../../domain/label.ts';
import { LabelListSchema } from '../../labels/label-lists.ts';
import { OUTBOUND_PROBLEMS } from '../../outbound/use.ts';

const ProblemSchema = z.enum(OUTBOUND_PROBLEMS).meta({
  id: 'SourceProblem',
  description:
    '`no_answer`: no connection, or no answer in time; `server_error`: HTTP 5xx; `other_network`: it serves another chain; ' +
    '`unusable_answer`: it answers something else than its kind of source does. The log of the service says more.',
});

const publicHost = z.string().nullable().describe("Host of a public service; null for one of the operator's own");
const configured = {
  chain: z.enum(CHAINS),
  setting: z.string().describe('The setting that names it'),
  host: publicHost,
  requests_per_second: z.number().nullable().describe('As set, else as published; null where neither is known'),
};
const UsedSourceSchema = z
  .object({
    ...configured,
    last_success_at: timestamp.nullable().describe('When a source of its chain last answered this process'),
    last_failure_at: timestamp.nullable().describe('When one last failed'),
    last_problem: ProblemSchema.nullable().describe('What was wrong then'),
  })
  .meta({ id: 'ConfiguredSource', description: 'A configured source of a chain' });
const CheckedSourceSchema = z
  .object({
    ...configured,
    state: z.enum(['ok', 'behind', 'failed']).describe('`behind`: its newest block is older than three hours'),
    problem: ProblemSchema.nullable().describe('What failed; null otherwise'),
    height: z.int().nullable().describe('Of its newest block'),
    height_at: timestamp.nullable().describe('Time of that block'),
    chain_id: z.int().nullable().describe('Of EVM chains, where the source states it'),
    lacks: z
      .array(z.enum(['traces', 'archive', 'batches', 'internal_lists', 'nft_lists', 'account_lists']))
      .describe('What others of its kind offer'),
    took_ms: z.int().describe('Time of the whole check'),
    stated_limit: z.string().nullable().describe('Limit that its headers state'),
    refused_at: timestamp.nullable().describe('When it last refused a request for its rate'),
  })
  .meta({ id: 'CheckedSource', description: 'A source after it was asked for its newest block' });

const KeptListSchema = z
  .object({
    source: z.string().describe('As in `traceflow load`'),
    place: publicHost,
    every_hours: z.number().describe('Time between two fetches'),
    state: z
      .enum(['new', 'current', 'waiting', 'failed'])
      .describe('`waiting`: the newer list lost more than a tenth, and the operator decides'),
    checked_at: timestamp.nullable().describe('When it was last asked for, also in vain'),
    loaded_at: timestamp.nullable().describe('When it last gave rows, or was found unchanged'),
    next_at: timestamp.describe('When it is fetched next'),
    licence: z.string().nullable().describe('Licence of its publisher; null for lists of your own'),
  })
  .meta({ id: 'KeptList', description: 'A list that the service fetches by itself' });
const LoadedListSchema = LabelListSchema.extend({
  licence: z.string().nullable().describe('Licence of its publisher; null for lists of your own'),
}).meta({ id: 'LoadedList' });
const PricesSchema = z
  .object({
    api: z
      .object({
        style: z.enum(['coingecko', 'defillama']).describe('Kind of API'),
        host: publicHost,
        last_success_at: timestamp.nullable().describe('When it last answered this process'),
        last_failure_at: timestamp.nullable().describe('When it last failed'),
        last_problem: ProblemSchema.nullable().describe('What was wrong then'),
      })
      .nullable()
      .describe('Null where prices are loaded only'),
    held: z
      .array(
        z.object({
          source: z.string().describe('`file`, or the kind of API'),
          days: z.int().describe('Prices, one for an asset and day'),
          newest: z.iso.date().describe('Newest day'),
        }),
      )
      .describe('By where they came from; `file`: loaded'),
    refused: z
      .array(
        z.object({
          date: z.iso.date().describe('Day'),
          asset: z.string().describe('What it was a price of'),
          usd: z.number().describe('The refused price'),
        }),
      )
      .describe('Prices of the API that jumped a thousandfold'),
  })
  .meta({ id: 'PriceSources', description: 'Where daily prices come from' });
export const SourcesSchema = z
  .object({
    sources: z.array(UsedSourceSchema).describe('In the order of chains'),
    lists: z.array(KeptListSchema).describe('Lists that the service fetches by itself'),
    loaded_lists: z.array(LoadedListSchema).describe('Every list that labels come from'),
    list_gap: z
      .enum(LIST_GAPS)
      .nullable()
      .describe('Why scans cannot be LOW: no list of sanctions is loaded, or one is older than twice its interval'),
    labels_by_chain: z
      .array(
        z.object({
          chain: z.enum(CHAINS),
          labels: z.int().describe('Labels in force that hold on it'),
          labelled_share: z
            .number()
            .nullable()
            .describe(
              'Of what your scans of the last 30 days saw move there, in US dollars, the part whose counterparties bore a label; null before any',
            ),
        }),
      )
      .describe('How many labels know each chain; those of all EVM chains count on each of them'),
    prices: PricesSchema,
  })
  .meta({ id: 'Sources' });
export const SourceCheckSchema = z
  .object({
    checked_at: timestamp.describe('When the sources were asked'),
    sources: z.array(CheckedSourceSchema).describe('In the order of chains'),
  })
  .meta({ id: 'SourceCheck' });
