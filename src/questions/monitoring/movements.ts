import type { ChainSource } from '../../chains/port.ts';
import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from '../../domain/time.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import type { WatchedMovements } from '../../domain/watch.ts';
import { SourceError } from '../../errors.ts';
import type { AlertedMovement, NewAlert } from '../../events/payloads.ts';
import { newestTransfers, TRANSFERS_MAX } from '../../graph/queries/read-history.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import type { Records } from '../../records/database/database.ts';
import type { MovementRow, WatchlistRow } from '../../records/database/tables/monitoring.ts';
import {
  confirmTouches,
  endWhereBusy,
  followTouchedAt,
  listenedItems,
  TOUCH_KEPT_MS,
  touchesOf,
} from '../../records/monitoring/live.ts';
import { keepMovement, MOVEMENT_DAYS, movementsOf } from '../../records/monitoring/movements.ts';
import { DUST_BELOW_USD } from '../../risk/rules.ts';
import { entityFields, holdersBeside } from '../../tracing/read/by-entity.ts';
import { alertOfItem } from './alerts.ts';

/** Movements of one scan that get an alert each; the last one counts the others. */
const ALERTS_MAX = 20;
/** Transactions of one scan that are asked for by name. */
const LOOKED_UP_MAX = 20;
const NEWEST = [200, 2_000, TRANSFERS_MAX];
/** A source that lacks what was heard is asked again for so long. */
const LATE_MS = 5 * MINUTE_MS;

/** A movement that is new, or in another stage than before. */
interface NewMovement extends Pick<MovementRow, 'stage' | 'transfer_id' | 'tx_hash'> {
  at: number;
  /** Null where its alert was not wanted. */
  alert: AlertedMovement | null;
  /** True where it counts for how busy the address is. */
  counts: boolean;
}

export interface FoundMovements {
  movements: NewMovement[];
  /** Transactions in doubt that the source was asked for. */
  confirmed: string[];
  /** The source lacks something that was heard a moment ago. */
  isLate: boolean;
  wasTouched: boolean;
}

const NONE: FoundMovements = { movements: [], confirmed: [], isLate: false, wasTouched: false };

/**
 * Returns what moved at a live address since it is live, after a scan has read it: from the graph, and from the transactions that
 * were heard and that no list has yet. A listener decides nothing: what the source does not state did not move.
 */
export async function findMovements(
  ctx: Context,
  payer: Payer,
  item: WatchlistRow,
  { owner, signal }: { owner: string; signal: AbortSignal },
): Promise<FoundMovements> {
  if (item.live === 0 || item.live_since === null) return NONE;
  if (!(await listenedItems(ctx.records, item.account_id)).has(item.id)) return NONE;
  const { chain, address } = item;
  const now = ctx.now();
  const since = Math.max(item.live_since, now - MOVEMENT_DAYS * DAY_MS);
  const known = await movementsOf(ctx.records, item.id, since);
  const heard = await touchesOf(ctx.records, { chain, address, since: now - TOUCH_KEPT_MS, limit: 200 });
  const listed = await transfersSince(ctx, item, owner, since);
  const listedHashes = new Set(listed.map(({ txHash }) => txHash));
  const doubted = new Set(heard.filter((touch) => touch.doubted === 1).map(({ tx_hash }) => tx_hash));
  const unsure = [...known.values()].filter(
    ({ tx_hash, stage, at }) =>
      stage !== 'reorganised' && !listedHashes.has(tx_hash) && (stage === 'unconfirmed' || at >= now - HOUR_MS),
  );
  const unlisted = heard.filter(({ tx_hash }) => tx_hash !== '' && !listedHashes.has(tx_hash));
  const asked = new Set([
    ...doubted,
    ...unlisted.map(({ tx_hash }) => tx_hash),
    ...unsure.map(({ tx_hash }) => tx_hash),
  ]);
  const source = await ctx.chainSource(chain);
  const stated = source
    ? await lookUp(source, [...asked].slice(0, LOOKED_UP_MAX), payer, signal)
    : new Map<string, Stated | null>();
  const gone = new Set([...stated].flatMap(([hash, state]) => (state === null ? hash : [])));
  const moved = listed.filter(({ txHash }) => !gone.has(txHash)).map((transfer) => ({ transfer, isConfirmed: true }));
  for (const state of stated.values()) {
    if (state === null) continue;
    const own = state.transfers.filter((one) => isOf(one, owner) && one.at >= since && !listedHashes.has(one.txHash));
    for (const transfer of own) moved.push({ transfer, isConfirmed: state.isConfirmed });
  }
  const changed = moved.filter(({ transfer, isConfirmed }) => {
    const stage = known.get(transfer.id)?.stage;
    return isConfirmed ? stage !== 'confirmed' : stage === undefined || stage === 'reorganised';
  });
  await ctx.prices.price(
    changed.map(({ transfer }) => transfer),
    signal,
  );
  const partyOf = await partiesOf(ctx, item, owner, changed);
  const movements = changed.map(({ transfer, isConfirmed }): NewMovement => {
    const { id: transfer_id, txHash: tx_hash, at } = transfer;
    const alert = isWanted(transfer, owner, JSON.parse(item.movements) as WatchedMovements)
      ? describe(transfer, { item, owner, isConfirmed, counterparty: partyOf(transfer) })
      : null;
    const stage = isConfirmed ? 'confirmed' : 'unconfirmed';
    return { transfer_id, tx_hash, at, stage, alert, counts: countsAsBusy(transfer, owner) };
  });
  for (const { transfer_id, tx_hash, at, stage, alert } of known.values()) {
    if (stage === 'reorganised' || !gone.has(tx_hash)) continue;
    const before = alert === null ? null : (JSON.parse(alert) as AlertedMovement);
    movements.push({
      transfer_id,
      tx_hash,
      at,
      stage: 'reorganised',
      alert: before && { ...before, confirmed: false },
      counts: false,
    });
  }
  const seenAt = item.last_scanned_at ?? 0;
  const followedAt = await followTouchedAt(ctx.records, item.id);
  const isYoung = ({ heard_at }: { heard_at: number }) => heard_at >= now - LATE_MS;
  return {
    movements,
    confirmed: [...doubted].filter((hash) => stated.has(hash)),
    isLate: unlisted.some((touch) => isYoung(touch) && isListable(source, stated.get(touch.tx_hash), owner)),
    wasTouched: (followedAt ?? -1) >= seenAt || heard.some(({ heard_at }) => heard_at >= seenAt),
  };
}

/** Keeps the movements and alerts of those that are new to the records, in the transaction that keeps the scan. */
export async function keepMovements(
  ctx: Context,
  records: Records,
  item: WatchlistRow,
  { movements, confirmed }: FoundMovements,
  seen: Pick<NewAlert, 'holder' | 'risk_level' | 'risk_score'>,
): Promise<void> {
  await confirmTouches(records, item, confirmed);
  const alerted: NewMovement[] = [];
  for (const movement of movements.toSorted(byValue)) {
    const { at: movedAt, alert, counts, ...named } = movement;
    const shown = alert && JSON.stringify(alert);
    const row = { item_id: item.id, ...named, at: movedAt, alert: shown, counts: counts ? 1 : 0 };
    if ((await keepMovement(records, row)) && alert) alerted.push(movement);
  }
  await endWhereBusy(records, item, ctx.now());
  const shown = alerted.slice(0, ALERTS_MAX);
  for (const [place, { stage, alert }] of shown.entries()) {
    const more = place === shown.length - 1 ? alerted.length - shown.length : 0;
    await alertOfItem(ctx, records, item, {
      reason: stage === 'reorganised' ? 'reorganised' : 'movement',
      ...seen,
      movement: alert!,
      ...(more > 0 ? { more_movements: more } : {}),
      cause: 'transfers',
    });
  }
}

async function transfersSince(
  ctx: Context,
  { chain }: WatchlistRow,
  owner: string,
  since: number,
): Promise<Transfer[]> {
  for (const limit of NEWEST) {
    const newest = await newestTransfers(ctx.graph, chain, owner, limit);
    if (newest.length === limit && newest.at(-1)!.at >= since && limit < TRANSFERS_MAX) continue;
    return newest.filter((transfer) => transfer.at >= since && isOf(transfer, owner));
  }
  return [];
}

interface Stated {
  isConfirmed: boolean;
  transfers: Transfer[];
}

/** Asks the source for transactions; null where it knows none that moved something. One that fails says nothing. */
async function lookUp(
  source: ChainSource,
  hashes: readonly string[],
  { accountId: account }: Payer,
  signal: AbortSignal,
): Promise<Map<string, Stated | null>> {
  const stated = new Map<string, Stated | null>();
  for (const hash of hashes) {
    try {
      const found = await source.transaction(hash, { account, signal, isJob: true });
      const isGone = found === null || found.status === 'failed';
      stated.set(hash, isGone ? null : { isConfirmed: found.status === 'success', transfers: found.transfers });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
    }
  }
  return stated;
}

/** True where the lists of the source will have it: nothing is expected of lists that it does not offer. */
function isListable(source: ChainSource | null, stated: Stated | null | undefined, owner: string): boolean {
  if (!stated) return stated === undefined;
  const own = stated.transfers.filter((transfer) => isOf(transfer, owner));
  return stated.isConfirmed && own.some(({ kind }) => source!.lists.includes(listOf(kind)));
}

function listOf(kind: Transfer['kind']) {
  if (kind === 'native') return 'coin';
  return kind === 'internal' ? 'internal' : 'tokens';
}

/** False for what an address pays to itself: it moves nothing. */
function isOf(transfer: Transfer, owner: string): boolean {
  return movedValue(transfer) && transfer.from !== transfer.to && (transfer.from === owner || transfer.to === owner);
}

/**
 * Dust is alerted in neither direction. Of what has no price only what leaves counts, above any bound too: worthless tokens
 * are sent to everyone, and stolen ones may have no price.
 */
function isWanted({ from, usd }: Transfer, owner: string, wanted: WatchedMovements): boolean {
  if (wanted === 'none' || (usd !== null && usd < DUST_BELOW_USD)) return false;
  const leaves = from === owner;
  if (wanted === 'out' || wanted === 'all') return leaves || wanted === 'all';
  return usd === null ? leaves : usd >= wanted.above;
}

/**
 * Counts what the address signed, and else a dollar and more of coin or of a token with a price: anyone can send it any number of
 * worthless tokens.
 */
function countsAsBusy({ txSender, token, usd }: Transfer, owner: string): boolean {
  if (txSender === owner) return true;
  return usd === null ? token === null : usd >= DUST_BELOW_USD;
}

async function partiesOf(
  ctx: Context,
  { chain }: WatchlistRow,
  owner: string,
  moved: readonly { transfer: Transfer }[],
): Promise<(transfer: Transfer) => AlertedMovement['counterparty']> {
  const parties = [...new Set(moved.map(({ transfer }) => otherEnd(transfer, owner)))];
  const keyOf = (address: string) => addressKey(chain, address);
  const [labels, holders] = await Promise.all([
    ctx.labels.find(chain, parties),
    holdersBeside(ctx.graph, parties.map(keyOf)),
  ]);
  return (transfer) => {
    const address = otherEnd(transfer, owner);
    const [best] = labels.get(address) ?? [];
    const { label = null, category = null } = best ?? {};
    return { address, label, category, ...entityFields(holders.get(keyOf(address))) };
  };
}

function otherEnd({ from, to }: Transfer, owner: string): string {
  return from === owner ? to : from;
}

function describe(
  transfer: Transfer,
  {
    item,
    owner,
    isConfirmed,
    counterparty,
  }: { item: WatchlistRow; owner: string; isConfirmed: boolean; counterparty: AlertedMovement['counterparty'] },
): AlertedMovement {
  const { from, asset, token, amount, usd, txHash, block, at } = transfer;
  return {
    direction: from === owner ? 'sent' : 'received',
    asset,
    token,
    amount,
    usd,
    counterparty,
    tx_hash: txHash,
    block: isConfirmed ? block : null,
    at: iso(at),
    confirmed: isConfirmed,
    watched_as: item.label,
  };
}

/** The largest first; what has no price last. */
function byValue(a: NewMovement, b: NewMovement): number {
  return (b.alert?.usd ?? -1) - (a.alert?.usd ?? -1) || a.at - b.at;
}
