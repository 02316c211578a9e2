import { z } from 'zod';
import type { Context } from '../../context.ts';
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
import { BoardParams } from '../boards/board-schemas.ts';
import { deleted } from '../fields.ts';
import { CaseParams } from '../schemas.ts';
import {
  FollowChange,
  ItemParams,
  LiveChange,
  NewItem,
  RescannedSchema,
  SubjectsWatchedSchema,
  WatchlistAddedSchema,
  WatchlistItemSchema,
  WatchlistQuery,
  WatchlistSchema,
} from './watchlist-schemas.ts';

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
