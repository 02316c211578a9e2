import { z } from 'zod';
import { termsOf } from '../../../graph-loaders/list-terms.ts';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { iso, MINUTE_MS } from '../../domain/time.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { type CheckedSource, checkSources, configuredSources } from '../../questions/sources/check-sources.ts';
import { describeKeptLists } from '../../questions/sources/kept-lists.ts';
import { LabelListSchema } from '../scans/scan-metadata.ts';
import { timestamp } from '../schemas.ts';

const configured = {
  chain: z.enum(CHAINS),
  setting: z.string().describe('The setting that names it'),
  host: z.string(),
  requests_per_second: z.number().nullable().describe('As set, else as published; null where neither is known'),
};
const UsedSourceSchema = z
  .object({
    ...configured,
    last_success_at: timestamp.nullable().describe('When a source of its chain last answered this process'),
    last_failure_at: timestamp.nullable().describe('When one last failed'),
    last_problem: z.string().nullable().describe('What was wrong then'),
  })
  .meta({ id: 'ConfiguredSource', description: 'A configured source of a chain' });
const CheckedSourceSchema = z
  .object({
    ...configured,
    state: z.enum(['ok', 'behind', 'failed']).describe('`behind`: its newest block is older than three hours'),
    problem: z.string().nullable().describe('What is wrong, in plain words'),
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
    place: z.string().describe('Where it is fetched from, without query'),
    every_hours: z.number(),
    state: z
      .enum(['new', 'current', 'waiting', 'failed'])
      .describe('`waiting`: the newer list lost more than a tenth, and the operator decides'),
    problem: z.string().nullable().describe('What is wrong, or to decide'),
    checked_at: timestamp.nullable().describe('When it was last found to be current'),
    loaded_at: timestamp.nullable().describe('When it last gave rows'),
    next_at: timestamp.describe('When it is fetched next'),
    licence: z.string().nullable(),
  })
  .meta({ id: 'KeptList', description: 'A list that the service fetches by itself' });
const LoadedListSchema = LabelListSchema.extend({ licence: z.string().nullable() }).meta({ id: 'LoadedList' });
const SourcesSchema = z
  .object({
    sources: z.array(UsedSourceSchema),
    lists: z.array(KeptListSchema),
    loaded_lists: z.array(LoadedListSchema).describe('Every list that labels come from'),
  })
  .meta({ id: 'Sources' });
const SourceCheckSchema = z
  .object({ checked_at: timestamp, sources: z.array(CheckedSourceSchema) })
  .meta({ id: 'SourceCheck' });

/** A check asks every source some questions: it is shared for so long. */
const SHARED_MS = MINUTE_MS;

/** The sources of data: what is configured, and if it answers. */
export async function sourceRoutes(api: App, ctx: Context): Promise<void> {
  let last: { at: number; sources: Promise<CheckedSource[]> } | null = null;

  api.get(
    '/sources',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'getSources',
        tags: ['Service'],
        summary: 'The configured sources of data, and the lists',
        description: 'Asks none of them. Of chain sources hosts are named, keys and paths never.',
        response: { 200: SourcesSchema, ...refusals(500) },
      },
    },
    async () => {
      const [sources, lists, loaded] = await Promise.all([
        configuredSources(ctx),
        describeKeptLists(ctx.records),
        ctx.labels.lists(),
      ]);
      return { sources, lists: lists.map(withLicence), loaded_lists: loaded.map(withLicence) };
    },
  );

  api.post(
    '/sources/check',
    {
      config: { access: 'key', rights: ['admin'] },
      schema: {
        operationId: 'checkSources',
        tags: ['Service'],
        summary: 'Ask each configured source of a chain for its newest block',
        description: 'Says what it lacks and what is wrong. Answers within a minute share one check.',
        response: { 200: SourceCheckSchema, ...refusals(500) },
      },
    },
    async () => {
      if (last === null || Math.abs(ctx.now() - last.at) >= SHARED_MS) {
        last = { at: ctx.now(), sources: checkSources(ctx) };
      }
      const { at, sources } = last;
      return { checked_at: iso(at), sources: await sources };
    },
  );
}

function withLicence<List extends { source: string }>(list: List): List & { licence: string | null } {
  return { ...list, licence: termsOf(list.source)?.licence ?? null };
}
