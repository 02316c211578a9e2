import { z } from 'zod';
import type { Context } from '../../context.ts';
import { FOLLOW_STATES } from '../../domain/watch.ts';
import { ConflictError, UpstreamError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import {
  listWatchlist,
  setFollowMode,
  setLiveWatch,
  unwatchAddress,
  watchAddress,
} from '../../questions/monitoring/manage-watchlist.ts';
import { rescanNow } from '../../questions/monitoring/rescan-now.ts';
import { watchBoard, watchCase } from '../../questions/monitoring/watch-subjects.ts';
import { parseAddress } from '../../questions/parse-address.ts';
import { RiskLevelSchema, riskScore } from '../../risk/fields.ts';
import { BoardParams } from '../cases/board-schemas.ts';
import { deleted, givenAddress, pageLimit, pageOffset, success } from '../fields.ts';
import { chainText, detectionList } from '../scans/scan-schemas.ts';
import { CaseParams, longText } from '../schemas.ts';
import { ItemParams, monitorType, movements, WatchlistItemSchema, WatchlistSchema } from './watchlist-schemas.ts';

const LABEL_MAX = 200;
const WatchlistQuery = z.object({
  limit: pageLimit({ max: 100, fallback: 50 }),
  offset: pageOffset(),
});

const NewItem = z.object({
  address: givenAddress,
  chain: chainText.nullish(),
  label: longText(LABEL_MAX).nullish().describe('Your own name for it; left out: empty'),
  monitor_type: monitorType.optional(),
  follow_mode_enabled: z
    .boolean()
    .optional()
    .describe('Follow its money from the first scan on (Pro); left out: false'),
  follow_depth: z.int().min(1).optional().describe('Hops to follow; bounded by the plan; left out: 1'),
  live: z.boolean().optional().describe('Listen to it (Business); left out: true where the plan has room'),
  movements: movements.optional().describe('Which of its movements are alerted while it is live; left out: `out`'),
});

const FollowChange = z.object({
  enabled: z.boolean().describe('On or off'),
  depth: z.int().min(1).optional().describe('Hops to follow, cut to the most that the plan has; left out: as it is'),
});

const LiveChange = z.object({
  live: z.boolean().optional().describe('Listen to it or not; left out: as it is'),
  movements: movements
    .optional()
    .describe(
      'Movements that are alerted: `out` what leaves, `all` both directions, `{"above": 1000}` both from so many dollars ' +
        'on and what leaves without a price; never dust under a dollar. Left out: as it is',
    ),
});

const InitialScanSchema = z
  .object({
    status: z.enum(['pending', 'completed']).describe('`completed` where the address was watched before'),
    risk_level: RiskLevelSchema.describe('`UNKNOWN` while pending'),
    risk_score: riskScore.describe('0 to 100; 0 while pending'),
    detections: detectionList,
  })
  .meta({ id: 'InitialScan', description: 'The last scan of the item; the first one runs in the background' });

const WatchlistAddedSchema = z
  .object({
    success,
    item: WatchlistItemSchema,
    initial_scan: InitialScanSchema,
  })
  .meta({ id: 'WatchlistAdded' });

const RescannedSchema = z
  .object({
    success,
    follow_mode: z.enum(FOLLOW_STATES).nullable().describe('What became of Follow Mode; null where it is off'),
  })
  .meta({ id: 'WatchlistRescanned' });

const SubjectsWatchedSchema = z
  .object({
    success,
    added: z.int().describe('Addresses that are watched from now on'),
    already_watched: z.int().describe('Those that were before; they stay as they are'),
    live: z.int().describe('Of both, those that are listened to: as many as the plan has room for'),
  })
  .meta({ id: 'SubjectsWatched', description: 'What became of the subjects of a case or a board' });

const tags = ['Watchlist'];
const STAYS = 'What is watched already stays as it is.';

export async function watchlistRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/watchlist',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listWatchlist',
        summary: 'Your watched addresses',
        tags,
        querystring: WatchlistQuery,
        response: { 200: WatchlistSchema },
      },
    },
    async (request) => listWatchlist(ctx, tenantOf(request), request.query),
  );

  app.post(
    '/watchlist',
    {
      config: {
        access: 'key',
        rights: ['monitor'],
        idempotent: true,
      },
      schema: {
        operationId: 'watchAddress',
        summary: 'Watch an address',
        description:
          'It is scanned at once in the background, then at the interval of the plan, at no cost. Changes are sent to webhooks.',
        tags,
        body: NewItem,
        response: { 200: WatchlistAddedSchema, ...refusals(400, 403) },
      },
    },
    async (request) => {
      const { label, follow_mode_enabled = false, follow_depth = 1, live, movements, ...named } = request.body;
      const { chain, address } = parseAddress(named.address, named.chain);
      const watch = { chain, address, label: label ?? '', follow_mode_enabled, follow_depth, live, movements };
      return watchAddress(ctx, tenantOf(request), watch);
    },
  );

  app.patch(
    '/watchlist/:item_id',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'setLiveWatch',
        summary: 'Listen to a watched address, or choose its alerts',
        description:
          'A movement of a live address causes its scan within seconds, and a `watchlist.alert`. Every plan may switch it off.',
        tags,
        params: ItemParams,
        body: LiveChange,
        response: { 200: WatchlistItemSchema, ...refusals(400, 403, 404) },
      },
    },
    async (request) => setLiveWatch(ctx, tenantOf(request), request.params.item_id, request.body),
  );

  app.delete(
    '/watchlist/:item_id',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'unwatchAddress',
        summary: 'Stop watching an address',
        tags,
        params: ItemParams,
        response: {
          200: z.object({ deleted, id: z.guid().describe('The item') }).meta({ id: 'WatchlistDeleted' }),
          ...refusals(404),
        },
      },
    },
    async (request) => {
      const { item_id: id } = request.params;
      await unwatchAddress(ctx, tenantOf(request), id);
      return { deleted: true as const, id };
    },
  );

  app.post(
    '/watchlist/:item_id/rescan',
    {
      config: { turn: 'waits', access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'rescanWatchedAddress',
        summary: 'Scan a watched address now',
        description:
          'At no cost, up to 24 times a day. Fires the events of what changed. Waits for a scan of it that is running already.',
        tags,
        params: ItemParams,
        response: {
          200: RescannedSchema,
          ...refusals(
            404,
            new ConflictError('A scan of this address is running'),
            new UpstreamError('Rescan failed: ethereum data source unavailable'),
          ),
        },
      },
    },
    async (request) => ({
      success: true as const,
      ...(await rescanNow(ctx, tenantOf(request), request.params.item_id)),
    }),
  );

  app.patch(
    '/watchlist/:item_id/follow',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'setFollowMode',
        summary: 'Switch Follow Mode on or off',
        description:
          'It follows the money of a watched address through the graph, at most as many hops as the plan has. Every plan may ' +
          'switch it off.',
        tags,
        params: ItemParams,
        body: FollowChange,
        response: { 200: WatchlistItemSchema, ...refusals(403, 404) },
      },
    },
    async (request) => setFollowMode(ctx, tenantOf(request), request.params.item_id, request.body),
  );

  app.post(
    '/cases/:case_id/watch',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'watchCase',
        summary: 'Watch what moves at the subjects of a case',
        description: `All of them, under the name of the case, or none where the plan has no room. ${STAYS}`,
        tags,
        params: CaseParams,
        response: { 200: SubjectsWatchedSchema, ...refusals(400, 403, 404) },
      },
    },
    async (request) => {
      const watched = await watchCase(ctx, tenantOf(request), request.params.case_id);
      return { success: true as const, ...watched };
    },
  );

  app.post(
    '/boards/:board_id/watch',
    {
      config: { access: 'key', rights: ['monitor'] },
      schema: {
        operationId: 'watchBoard',
        summary: 'Watch what moves at the subjects of a board',
        description:
          'The address where it began, that whose money it follows, and those with a note or a colour of yours, under the name ' +
          `of the board; none where the plan has no room. ${STAYS}`,
        tags,
        params: BoardParams,
        response: { 200: SubjectsWatchedSchema, ...refusals(400, 403, 404) },
      },
    },
    async (request) => {
      const watched = await watchBoard(ctx, tenantOf(request), request.params.board_id);
      return { success: true as const, ...watched };
    },
  );
}
