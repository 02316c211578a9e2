import { expressionBuilder, sql } from 'kysely';
import type { Chain, ChainAddress } from '../../domain/chain.ts';
import { slicesOf } from '../../domain/slices.ts';
import type { Counterparty, FlowSummary } from '../../domain/transfers/flow.ts';
import { isScanOnHold } from '../accounts/retention.ts';
import { type Records, readerOf, readInChunks } from '../database/database.ts';
import type { ListedSource, RecordedScan, ScanSource, ScanSummary } from '../database/tables/scans.ts';
import type { Tables } from '../database/tables/tables.ts';
import { jsonField } from '../dialect.ts';
import { unpackJson } from '../packed-json.ts';

/** A scan as it is recorded; without the optional fields it met no address that is kept, and repeats none. */
interface NewScan extends ScanSummary {
  result: string;
  met?: string | null;
  repeats?: number;
}

export async function insertScan(records: Records, scan: NewScan): Promise<void> {
  await records
    .insertInto('scans')
    .values({ met: null, touched: 0, repeats: 0, ...scan })
    .execute();
}

/** Keeps a scan that an event names, though it says what the one before said. */
export async function keepRepeat(records: Records, id: string): Promise<void> {
  await records.updateTable('scans').set({ repeats: 0 }).where('id', '=', id).where('repeats', '=', 1).execute();
}

/** True once a scan of any account was recorded. */
export async function hasScans(records: Records): Promise<boolean> {
  return (await records.selectFrom('scans').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The account's newest scan of the address. */
export function findLatestScan(
  records: Records,
  accountId: string,
  { chain, address }: ChainAddress,
): Promise<RecordedScan | undefined> {
  return records
    .selectFrom('scans')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns which of the addresses the account has ever scanned. */
export async function findScanned(
  records: Records,
  accountId: string,
  chain: Chain,
  addresses: readonly string[],
): Promise<string[]> {
  const rows = await readInChunks(addresses, (chunk) =>
    records
      .selectFrom('scans')
      .select('address')
      .distinct()
      .where('account_id', '=', accountId)
      .where('chain', '=', chain)
      .where('address', 'in', chunk)
      .execute(),
  );
  return rows.map(({ address }) => address);
}

/** Returns true where the account paid for a scan of the address after `since` (epoch ms). */
export async function hasPaidScan(
  records: Records,
  accountId: string,
  { chain, address, since }: { chain: Chain; address: string; since: number },
): Promise<boolean> {
  const paid = await records
    .selectFrom('scans')
    .select('id')
    .where('account_id', '=', accountId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('created_at', '>', since)
    .where('units', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return paid !== undefined;
}

/** Which of an account's scans to list; times are epoch ms, both inclusive. */
export interface ScanFilter {
  from: number;
  to?: number;
  chain?: Chain;
  address?: string;
  riskLevel?: RecordedScan['risk_level'];
  /** Left out: all but those of UNLISTED. */
  source?: ListedSource;
}

export interface ListedScan extends ScanSummary {
  source: ListedSource;
}

/** Rows of batches, rescans of watched addresses, scans of cases and transfers: they are read there. */
const UNLISTED: ScanSource[] = ['batch', 'watchlist', 'case', 'transfer'];

/** One page of the account's scans that match, newest first, and how many match. */
export async function listRecordedScans(
  records: Records,
  accountId: string,
  filter: ScanFilter,
  page: { limit: number; offset: number },
): Promise<{ scans: ListedScan[]; total: number }> {
  const mine = matchingScans(records, accountId, filter);
  const scans = await newestFirst(mine).limit(page.limit).offset(page.offset).execute();
  const { total } = await mine.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { scans, total: Number(total) };
}

/** All scans of the account that match, newest first, some at a time. */
export async function* readRecordedScans(
  records: Records,
  accountId: string,
  filter: ScanFilter,
  limit: number,
): AsyncGenerator<ListedScan[]> {
  let last: ListedScan | undefined;
  for (;;) {
    let next = newestFirst(matchingScans(records, accountId, filter)).limit(limit);
    if (last !== undefined) {
      const { created_at, id } = last;
      const isLater = expressionBuilder<Tables, 'scans'>();
      next = next.where(
        isLater.or([
          isLater('created_at', '<', created_at),
          isLater.and([isLater('created_at', '=', created_at), isLater('id', '<', id)]),
        ]),
      );
    }
    const scans = await next.execute();
    if (scans.length > 0) yield scans;
    if (scans.length < limit) return;
    last = scans.at(-1);
  }
}

function matchingScans(
  records: Records,
  accountId: string,
  { from, to, chain, address, riskLevel, source }: ScanFilter,
) {
  return records
    .selectFrom('scans')
    .where('account_id', '=', accountId)
    .$if(source === undefined, (scans) => scans.where('source', 'not in', UNLISTED))
    .$if(source !== undefined, (scans) => scans.where('source', '=', source!))
    .where('created_at', '>=', from)
    .$if(to !== undefined, (scans) => scans.where('created_at', '<=', to!))
    .$if(chain !== undefined, (scans) => scans.where('chain', '=', chain!))
    .$if(address !== undefined, (scans) => scans.where('address', '=', address!))
    .$if(riskLevel !== undefined, (scans) => scans.where('risk_level', '=', riskLevel!));
}

function newestFirst(scans: ReturnType<typeof matchingScans>) {
  return scans
    .select(['id', 'account_id', 'chain', 'address', 'source', 'lang', 'risk_level', 'risk_score'])
    .select(['detection_count', 'rule_set_version', 'created_at', 'units'])
    .$narrowType<{ source: ListedSource }>()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
}

/** The recorded results of some of the account's scans, by id. */
export async function findScanResults(
  records: Records,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await records
    .selectFrom('scans')
    .select(['id', 'result'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.result]));
}

/** One field of the results of some of the account's scans, as JSON by id; the rest of a result is never read. */
export async function findScanFields(
  records: Records,
  accountId: string,
  ids: readonly string[],
  path: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await records
    .selectFrom('scans')
    .select('id')
    .select(jsonField(records, 'result', path).as('field'))
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.field]));
}

/** These scans, some at a time. */
export async function* findScans(records: Records, ids: readonly string[]): AsyncGenerator<RecordedScan> {
  for (const some of slicesOf(ids, SCANS_AT_ONCE)) {
    yield* await records.selectFrom('scans').selectAll().where('id', 'in', some).execute();
  }
}

const SCANS_AT_ONCE = 20;

export function findScan(
  records: Records,
  accountId: string,
  id: string,
  since: number,
): Promise<RecordedScan | undefined> {
  return records
    .selectFrom('scans')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .executeTakeFirst();
}

/** Recorded scans of an account from one source since a moment (epoch ms). */
export async function countScansSince(
  records: Records,
  { accountId, source, since }: { accountId: string; source: ScanSource; since: number },
): Promise<number> {
  const { count } = await records
    .selectFrom('scans')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .where('source', '=', source)
    .where('touched', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Which recorded scans to delete: all before a moment (epoch ms), of every source. */
export interface DeletedScans {
  before: number;
  chain?: Chain;
  address?: string;
}

/**
 * Deletes the account's oldest scans that match, but for addresses of cases on hold. Returns the address of each, and how
 * many others are left.
 */
export async function deleteOldestScans(
  records: Records,
  accountId: string,
  { before, chain, address }: DeletedScans,
  limit: number,
): Promise<{ deleted: ChainAddress[]; left: number }> {
  const matching = records
    .selectFrom('scans')
    .where('account_id', '=', accountId)
    .where('created_at', '<', before)
    .$if(chain !== undefined, (scans) => scans.where('chain', '=', chain!))
    .$if(address !== undefined, (scans) => scans.where('address', '=', address!))
    .where(sql<boolean>`not ${isScanOnHold}`);
  const oldest = matching.select('id').orderBy('created_at').orderBy('id').limit(limit);
  const deleted = await records.deleteFrom('scans').where('id', 'in', oldest).returning(['chain', 'address']).execute();
  const { left } = await matching.select((eb) => eb.fn.countAll<number>().as('left')).executeTakeFirstOrThrow();
  return { deleted, left: Number(left) };
}

/** Recorded scans of an account in a span (epoch ms, both inclusive). */
export async function countScansBetween(
  records: Records,
  accountId: string,
  { from, to }: { from: number; to: number },
): Promise<number> {
  const { count } = await records
    .selectFrom('scans')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The next recorded scans of an account in a span, of every source, oldest first, behind one that was read. */
export function scansAfter(
  records: Records,
  accountId: string,
  { from, to, after, limit }: { from: number; to: number; after: { at: number; id: string } | null; limit: number },
) {
  return readerOf(records)
    .selectFrom('scans')
    .select(['id', 'source', 'result', 'created_at'])
    .where('account_id', '=', accountId)
    .where('created_at', '>=', after?.at ?? from)
    .where('created_at', '<=', to)
    .$if(after !== null, (scans) =>
      scans.where((e) => e.or([e('created_at', '>', after!.at), e('id', '>', after!.id)])),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** A scan that met more addresses keeps none of them: a change of any label may then concern it. */
const ADDRESSES_MAX = 5_000;
/** Bytes of a hash: two in a hundred million addresses are mistaken for one that the largest scan met. */
const BYTES = 6;

/** Packs the addresses that a scan met, as short hashes; null for too many. */
export function packMet(addresses: ReadonlySet<string>): string | null {
  if (addresses.size > ADDRESSES_MAX) return null;
  const packed = Buffer.alloc(addresses.size * BYTES);
  let at = 0;
  for (const address of addresses) {
    packed.writeUIntBE(hashOf(address), at, BYTES);
    at += BYTES;
  }
  return packed.toString('base64');
}

/** Unpacks them, as `hashOf` gives each. */
export function unpackMet(packed: string): ReadonlySet<number> {
  const bytes = Buffer.from(packed, 'base64');
  const hashes = new Set<number>();
  for (let at = 0; at + BYTES <= bytes.length; at += BYTES) hashes.add(bytes.readUIntBE(at, BYTES));
  return hashes;
}

/** Hashes an address to 48 bits: two runs of FNV-1a from different beginnings. Chosen addresses that collide only cost a doubt. */
export function hashOf(address: string): number {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < address.length; i++) {
    const code = address.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ (code + i), 0x85ebca6b);
  }
  return (high >>> 0) * 0x1_0000 + ((low >>> 8) & 0xffff);
}

/** Keeps all counterparties of a recorded scan, packed by `packJson`, in the transaction that records it. */
export async function insertCounterparties(
  records: Records,
  scanId: string,
  { packed, moved }: { packed: string; moved: FlowSummary['moved'] },
): Promise<void> {
  const sums = { moved_usd: moved.usd, labelled_usd: moved.labelledUsd };
  await records
    .insertInto('scan_counterparties')
    .values({ scan_id: scanId, counterparties: packed, ...sums })
    .execute();
}

/** Sums by chain what the scans of an account since then (epoch ms) saw move, and what of it with labelled counterparties. */
export async function sumMoved(
  records: Records,
  accountId: string,
  since: number,
): Promise<Map<Chain, FlowSummary['moved']>> {
  const rows = await records
    .selectFrom('scans')
    .innerJoin('scan_counterparties', 'scan_id', 'id')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .groupBy('chain')
    .select(({ fn }) => ['chain', fn.sum('moved_usd').as('usd'), fn.sum('labelled_usd').as('labelled')])
    .execute();
  return new Map(rows.map(({ chain, usd, labelled }) => [chain, { usd: Number(usd), labelledUsd: Number(labelled) }]));
}

/** The counterparties of a recorded scan; undefined for a scan that was recorded without them. */
export async function findCounterparties(records: Records, scanId: string): Promise<Counterparty[] | undefined> {
  const row = await records
    .selectFrom('scan_counterparties')
    .select('counterparties')
    .where('scan_id', '=', scanId)
    .executeTakeFirst();
  return row && unpackJson<Counterparty[]>(row.counterparties);
}
