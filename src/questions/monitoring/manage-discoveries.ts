import type { Context, GraphContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { iso } from '../../domain/time.ts';
import type { Hop } from '../../domain/tracing/answers.ts';
import { InvalidInputError } from '../../errors.ts';
import { lockAccount, withinStorage } from '../../records/accounts/accounts.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { inTransaction } from '../../records/database/database.ts';
import type { DiscoveryRow } from '../../records/database/tables/monitoring.ts';
import { endDiscovery, findDiscovery, listDiscoveryRows } from '../../records/monitoring/discoveries.ts';
import { findItem } from '../../records/monitoring/watchlist.ts';
import { entityFields, holdersBeside } from '../../tracing/read/by-entity.ts';
import type { FollowCoverage } from './follow-money.ts';
import { addItem, asWatched, firstScanAt } from './manage-watchlist.ts';

/** Returns what Follow Mode found from an item, newest first, and where its last walk ended at bridges. Throws NotFoundError. */
export async function listDiscoveries(ctx: Context, { accountId }: Tenant, itemId: string, status: string) {
  const item = await findItem(ctx.records, accountId, itemId);
  const discoveries = await asDiscoveries(ctx, await listDiscoveryRows(ctx.records, item.id, status));
  const coverage = item.follow_coverage === null ? null : (JSON.parse(item.follow_coverage) as FollowCoverage);
  return { discoveries, coverage };
}

/** Throws NotFoundError, InvalidInputError unless it is active. */
export async function dismissDiscovery(ctx: Context, tenant: Tenant, id: string) {
  const row = await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, tenant.accountId);
    const found = await findDiscovery(records, tenant.accountId, id);
    if (!(await endDiscovery(records, id, 'dismissed'))) throw new InvalidInputError('Discovery cannot be dismissed');
    const subject = addressKey(found.chain, found.address);
    await insertAudit(records, { ...tenant, action: 'discovery_dismissed', subject }, ctx.now());
    return found;
  });
  return asDiscovery(ctx, { ...row, status: 'dismissed' });
}

/** Watches the discovered address. Throws NotFoundError, InvalidInputError unless it is active, PlanError. */
export async function promoteDiscovery(ctx: Context, tenant: Tenant, id: string) {
  const row = await findDiscovery(ctx.records, tenant.accountId, id);
  const times = { now: ctx.now(), nextScanAt: await firstScanAt(ctx, tenant) };
  const item = await withinStorage(ctx.records, tenant.accountId, async (records) => {
    const { chain, address, label } = row;
    const request = { chain, address, label: label ?? '', follow_mode_enabled: false, follow_depth: 1 };
    if (row.status !== 'active') throw cannotBePromoted();
    const added = await addItem(records, tenant, request, times);
    if (!(await endDiscovery(records, id, 'promoted'))) throw cannotBePromoted();
    return added;
  });
  const [watched] = await asWatched(ctx, tenant, [item]);
  return { item: watched!, discovery: await asDiscovery(ctx, { ...row, status: 'promoted' }) };
}

function cannotBePromoted(): InvalidInputError {
  return new InvalidInputError('Discovery cannot be promoted');
}

async function asDiscovery(ctx: GraphContext, row: DiscoveryRow) {
  return (await asDiscoveries(ctx, [row]))[0]!;
}

/** Returns discoveries as answers show them, each with its holder of now. */
async function asDiscoveries(ctx: GraphContext, rows: readonly DiscoveryRow[]) {
  const keyOf = ({ chain, address }: DiscoveryRow) => addressKey(chain, address);
  const holders = await holdersBeside(ctx.graph, rows.map(keyOf));
  return rows.map((found) => {
    const { account_id, path, discovered_at, listened, ...row } = found;
    const holder = entityFields(holders.get(keyOf(found)));
    return { ...row, ...holder, path: JSON.parse(path) as Hop[], discovered_at: iso(discovered_at) };
  });
}
