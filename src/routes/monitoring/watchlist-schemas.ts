import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { CATEGORIES } from '../../domain/label.ts';
import { DISCOVERY_STATUSES, FOLLOW_STATES } from '../../domain/watch.ts';
import { Detection, RiskLevel } from '../scans/scan-schemas.ts';
import { longText, timestamp, uuid, wholeNumber } from '../schemas.ts';
import { Hop } from '../tracing/investigation-schemas.ts';

const LABEL_MAX = 200;

export const WatchlistQuery = z.object({
  limit: wholeNumber({ min: 1, max: 100, fallback: 50 }),
  offset: wholeNumber({ min: 0, fallback: 0 }),
});

export const NewItem = z.object({
  address: z.string(),
  chain: z.string().nullish(),
  label: longText(LABEL_MAX).nullish(),
  monitor_type: z.enum(['address']).optional(),
  follow_mode_enabled: z.boolean().optional(),
  follow_depth: z.int().min(1).optional(),
});

export const ItemParams = z.object({ item_id: uuid });
export const DiscoveryParams = z.object({ discovery_id: uuid });
export const FollowChange = z.object({ enabled: z.boolean(), depth: z.int().min(1).optional() });
export const DiscoveryQuery = z.object({
  status: z
    .string()
    .max(20)
    .default('active')
    .meta({ description: DISCOVERY_STATUSES.join(', ') }),
});

export const WatchlistItem = z
  .object({
    id: z.guid(),
    token_address: z.string().meta({ description: 'The watched address' }),
    chain: z.enum(CHAINS),
    label: z.string(),
    monitor_type: z.enum(['address']),
    follow_mode_enabled: z.boolean(),
    follow_depth: z.int(),
    last_risk_level: RiskLevel.nullable(),
    last_scanned_at: timestamp.nullable(),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'Since when its scans fail; the level is that of the scan before' }),
  })
  .meta({ id: 'WatchlistItem' });

export const Watchlist = z
  .object({ items: z.array(WatchlistItem), limit: z.int(), offset: z.int(), total: z.int() })
  .meta({ id: 'Watchlist' });

export const WatchlistAdded = z
  .object({
    success: z.literal(true),
    item: WatchlistItem,
    initial_scan: z.object({
      status: z.enum(['pending', 'completed']),
      risk_level: RiskLevel,
      risk_score: z.int(),
      detections: z.array(Detection),
    }),
  })
  .meta({ id: 'WatchlistAdded' });

export const Rescanned = z
  .object({ success: z.literal(true), follow_mode: z.enum(FOLLOW_STATES).nullable() })
  .meta({ id: 'WatchlistRescanned', description: '`follow_mode` is null where Follow Mode is off' });

export const Discovery = z
  .object({
    id: z.guid(),
    item_id: z.guid(),
    address: z.string(),
    chain: z.enum(CHAINS),
    hop: z.int(),
    direction: z.enum(['received', 'sent']),
    category: z.enum(CATEGORIES),
    label: z.string().nullable(),
    risk_level: RiskLevel,
    risk_score: z.int(),
    usd: z.number().meta({ description: 'The smallest sum on the way: no more can have come along it' }),
    path: z.array(Hop).meta({ description: 'The largest transfer of each pair on the way' }),
    status: z.enum(DISCOVERY_STATUSES),
    discovered_at: timestamp,
  })
  .meta({ id: 'Discovery' });
