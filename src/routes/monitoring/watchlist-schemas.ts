import { z } from 'zod';
import { CHAINS } from '../../domain/chain.ts';
import { address, CategorySchema, DirectionSchema, label, timestamp } from '../../domain/fields.ts';
import { entityFields, FrontierSchema, HopSchema, reasons } from '../../domain/tracing/answers.ts';
import { DISCOVERY_STATUSES, LiveSchema } from '../../domain/watch.ts';
import { RiskLevelSchema, riskScore } from '../../risk/fields.ts';
import { limit, offset, total } from '../fields.ts';
import { uuid } from '../schemas.ts';

export const monitorType = z.enum(['address']).describe('What is watched');

export const movements = z.union([
  z.enum(['all', 'out', 'none']),
  z.strictObject({ above: z.number().min(0).max(1e15).describe('US dollars') }),
]);

export const ItemParams = z.object({ item_id: uuid.describe('Id of the watched address') });

export const WatchlistItemSchema = z
  .object({
    id: z.guid().describe('Id of the item'),
    token_address: address.describe('The watched address'),
    chain: z.enum(CHAINS),
    label: z.string().describe('Your own name for it; empty without one'),
    monitor_type: monitorType,
    follow_mode_enabled: z.boolean().describe('Whether its money is followed after each scan'),
    follow_depth: z.int().describe('Hops that are followed'),
    last_risk_level: RiskLevelSchema.nullable().describe(
      'Level of the last scan, raised where labels or rules of now make it higher; null before the first',
    ),
    last_scanned_at: timestamp.nullable().describe('When it was last scanned; null before the first scan'),
    labels_changed_since: timestamp.optional().meta({
      description:
        'Time of the last scan, where labels or rules changed since and it was not scored again: the level is never LOW then. Else left out',
    }),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'Since when its scans fail; the level is that of the scan before' }),
    live: LiveSchema,
    movements: movements.describe('Which of its movements are alerted while it is live'),
  })
  .meta({ id: 'WatchlistItem', description: 'A watched address' });

export const WatchlistSchema = z
  .object({
    items: z.array(WatchlistItemSchema).describe('In the order in which they were added'),
    limit,
    offset,
    total,
  })
  .meta({ id: 'Watchlist' });

export const DiscoverySchema = z
  .object({
    id: z.guid().describe('Id of the discovery'),
    item_id: z.guid().describe('The watched address whose money led there'),
    address,
    chain: z.enum(CHAINS),
    hop: z.int().describe('Transfers between the watched address and this one'),
    direction: DirectionSchema,
    category: CategorySchema,
    label,
    ...entityFields,
    risk_level: RiskLevelSchema.describe('By its label, else by your last scan of it'),
    risk_score: riskScore,
    usd: z.number().meta({ description: 'The smallest sum on the way: no more can have come along it' }),
    path: z.array(HopSchema).meta({ description: 'The largest transfer of each pair on the way' }),
    status: z.enum(DISCOVERY_STATUSES).describe('`promoted`: watched too; `dismissed`: hidden for good'),
    discovered_at: timestamp.describe('When it was found'),
  })
  .meta({ id: 'Discovery', description: 'An address that the money of a watched address reached' });

const FollowCoverageSchema = z
  .object({
    frontier: FrontierSchema,
    frontier_count: z.int().describe('How many crossings there are; the largest are shown'),
    reasons: reasons.describe('Why crossings are not followed; `hub_not_expanded`: an address had more than are read'),
  })
  .meta({ id: 'FollowCoverage', description: 'Crossings of bridges at which the last walk of Follow Mode ended' });

export const DiscoveryListSchema = z
  .object({
    discoveries: z.array(DiscoverySchema).describe('Newest first'),
    coverage: FollowCoverageSchema.nullable().describe('Where the last walk ended at bridges; null before the first'),
  })
  .meta({ id: 'DiscoveryList' });
