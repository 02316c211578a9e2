import { MINUTE_MS } from '../src/domain/time.ts';
import { InvalidInputError } from '../src/errors.ts';
import type { Endings } from '../src/labels/put-labels.ts';
import { shownPlace } from '../src/outbound/places.ts';
import { savePrices } from '../src/prices/price-store.ts';
import { refuseJumps } from '../src/prices/refuse-jumps.ts';
import { type AuditEntry, insertAudit, OPERATOR } from '../src/records/audit/audit-log.ts';
import type { BridgeContractRow } from '../src/records/database/tables/bridges.ts';
import type { DailyPrice } from '../src/records/database/tables/prices.ts';
import {
  endUnfinished,
  noteUnfinished,
  touchUnfinished,
  withdrawReplaced,
} from '../src/records/lists/unfinished-loads.ts';
import {
  beginDomainLoad,
  countLoneDomains,
  endLoneDomains,
  saveLoneDomains,
} from '../src/records/scamdb/lone-domains.ts';
import { replaceBridgeContracts } from '../src/records/scans/match-decisions.ts';
import { isWholeList, loadLabels } from './labels/load-labels.ts';
import { loadSigned } from './labels/signed.ts';
import type { LoadRequest } from './load-request.ts';
import { inBatches } from './reading/batches.ts';
import { findInput, keepDownload } from './reading/input.ts';
import type { BridgeLoader, DomainLoader, ListedDomain, Loader, PriceLoader, Stores, Work } from './reading/loader.ts';
import type { AskedTable } from './reading/table-format.ts';
import { type LoadReport, newTally, reportOf } from './reading/tally.ts';
import { WrongFormatError } from './reading/wrong-format.ts';
import { PUBLISHED_LISTS, SOURCE_NAMES, SOURCES } from './sources.ts';
import { tableOfMap } from './transfers/column-map.ts';
import { loadTransfers } from './transfers/load-transfers.ts';
import { inputRefused, readThrough, refusingNothing } from './usable-rows.ts';

export interface LoadOptions {
  signal?: AbortSignal;
  /** Rows read so far. */
  onProgress?: (rows: number) => void;
  /** True when no other process uses these stores meanwhile: the load then uses larger batches. */
  isAlone?: boolean;
  /** The person who loads, for the audit log; default: the operator. */
  by?: string;
}

const PRICE_BATCH = 500;
const BRIDGE_CONTRACTS_MAX = 10_000;

/**
 * Reads a source's file and stores its rows; rows that cannot be read are reported and skipped. Repeating a load changes
 * nothing. Throws InvalidInputError for an unknown source or an unreadable file; no label is ended then.
 */
export async function load(request: LoadRequest, stores: Stores, options: LoadOptions = {}): Promise<LoadReport> {
  const note = (entry: Pick<AuditEntry, 'action' | 'detail' | 'outcome'>) =>
    insertAudit(stores.records, { ...OPERATOR, name: options.by, subject: request.source, ...entry }, stores.now());
  const { input, keptAt = input, endings } = request;
  const decision = endings === 'end' ? ' --replace' : endings === 'keep' ? ' --keep' : '';
  await note({ action: 'load_started', detail: shownPlace(keptAt) + decision });
  try {
    const report = await loadRows(request, stores, options);
    const { read, loaded, skipped } = report;
    await note({ action: 'load_ended', detail: `${read} read, ${loaded} loaded, ${skipped} skipped` });
    return report;
  } catch (error) {
    // The reason counts more than this entry: the records may be what failed.
    await note({ action: 'load_ended', outcome: 'failed', detail: String(error) }).catch(() => {});
    throw error;
  }
}

async function loadRows(request: LoadRequest, stores: Stores, options: LoadOptions): Promise<LoadReport> {
  const name = SOURCE_NAMES.find((one) => one === request.source);
  if (!name) throw new InvalidInputError(`Unknown source: ${request.source}. One of ${SOURCE_NAMES.join(', ')}`);
  const loader = refusingNothing(await SOURCES[name].importLoader());
  const tally = newTally();
  const { startedAt = stores.now() } = request;
  const input = await keepDownload(await findInput(request.input, loader.accepts), options.signal);
  // Nobody looks at a list that the service fetches, and these sources have a standing of their own.
  const reserved = new Set(
    request.keptAt === undefined ? [] : [...PUBLISHED_LISTS.map(({ source }) => source), 'scamdb'],
  );
  for (const name of input.others) tally.notRead(name);
  const table = tableAsked(request, loader);
  const work: Work = { ...input, tally, reserved, table, now: startedAt, signal: options.signal };
  const onRows = () => options.onProgress?.(tally.read);
  const { asOf, endings = 'wait', whole } = request;
  if (asOf !== undefined && loader.kind !== 'labels')
    throw new InvalidInputError('--as-of is the day of a list of labels');
  if (whole && loader.kind !== 'transfers') throw new InvalidInputError('--whole is for files of transfers');
  const { isAlone = false } = options;
  const write = async () => {
    if (loader.kind === 'labels')
      await loadLabels(loader, work, stores, { endings, asOf, sources, startedAt: request.startedAt, isAlone, onRows });
    else if (loader.kind === 'transfers') await loadTransfers(loader, work, stores, { onRows, whole });
    else if (loader.kind === 'signed') await loadSigned(loader, work, stores, { startedAt: request.startedAt, onRows });
    else if (loader.kind === 'domains') await loadDomains(loader, work, stores, { endings, onRows });
    else if (loader.kind === 'bridges') await loadBridges(loader, work, stores, { endings, onRows });
    else await loadPrices(loader, work, stores, { endings, onRows });
  };
  let sources: ReadonlySet<string> = new Set();
  try {
    // All of it is read before the first row is written: a file that breaks off half-way writes nothing.
    sources = await readThrough(loader, { ...work, tally: newTally() });
    const spoken = spokenFor(loader, work, { sources, endings });
    await finishingLater({ ...request, startedAt }, spoken, stores, write);
  } catch (cause) {
    if (!(cause instanceof WrongFormatError)) throw cause;
    throw inputRefused(name, loader, cause);
  } finally {
    await input.discard();
  }
  return reportOf(request.source, tally);
}

/** Names the sources that a load speaks for, and says whether it replaces what older loads said of them. Transfers replace nothing. */
function spokenFor(
  loader: Loader,
  work: Work,
  { sources, endings }: { sources: ReadonlySet<string>; endings: Endings },
): SpokenFor {
  if (loader.kind === 'transfers' || loader.kind === 'signed') return { sources: [], isReplaced: false };
  if (loader.kind === 'prices' || loader.kind === 'bridges') return { sources: [loader.kind], isReplaced: true };
  if (loader.kind === 'domains') return { sources: [...sources], isReplaced: true };
  const named = new Set([...(loader.speaksFor?.(work) ?? []), ...sources]);
  return { sources: [...named], isReplaced: isWholeList(loader, work) || endings === 'end' };
}

/** Joins what the command says of a table with its mapping; the command goes before. */
function tableAsked({ source, table = {}, columns, whole }: LoadRequest, loader: Loader): AskedTable {
  const map = columns === undefined ? {} : tableOfMap(columns);
  const asked = { ...map, ...table };
  const asks: readonly string[] = loader.kind === 'transfers' ? loader.asks : [];
  const other = Object.keys(asked).find((name) => !asks.includes(name));
  if (other !== undefined) throw new InvalidInputError(`--${other} is for tables of transfers, not for ${source}`);
  return { ...asked, ...(whole && { isWhole: true }) };
}

async function loadBridges(
  loader: BridgeLoader,
  work: Work,
  stores: Stores,
  { endings, onRows }: { endings: Endings; onRows: () => void },
): Promise<void> {
  const rows: BridgeContractRow[] = [];
  for await (const row of loader.read(work)) {
    if (rows.length === BRIDGE_CONTRACTS_MAX) {
      throw new WrongFormatError(`more than ${BRIDGE_CONTRACTS_MAX} contracts`);
    }
    rows.push(row);
    onRows();
  }
  if (rows.length === 0 && endings !== 'end') {
    throw new InvalidInputError(
      'The file has no contracts. Load it with --replace to remove all that were loaded before.',
    );
  }
  await replaceBridgeContracts(stores.records, rows);
}

/** `--replace` takes prices that jump, too. */
async function loadPrices(
  loader: PriceLoader,
  work: Work,
  stores: Stores,
  { endings, onRows }: { endings: Endings; onRows: () => void },
): Promise<void> {
  for await (const rows of inBatches<DailyPrice>(loader.read(work), PRICE_BATCH)) {
    const { plausible, refused } =
      endings === 'end' ? { plausible: rows, refused: [] } : await refuseJumps(stores.records, rows);
    for (const { asset, date, usd } of refused) {
      work.tally.skip(
        0,
        `${asset} on ${date}: ${usd} is a thousand times more or less than around it (--replace takes it)`,
      );
    }
    await savePrices(stores.records, plausible);
    onRows();
    work.signal?.throwIfAborted();
  }
}

const BATCH = 1_000;

/** Stores the domains of lists, then ends what each list no longer holds, as with labels: not more than a tenth without a word. */
async function loadDomains(
  loader: DomainLoader,
  work: Work,
  { records, now }: Stores,
  { endings, onRows }: { endings: Endings; onRows: () => void },
): Promise<void> {
  const stamp = await beginDomainLoad(records, now());
  const before = new Map<string, number>();
  for await (const batch of inBatches<ListedDomain>(loader.read(work), BATCH)) {
    for (const { source } of batch)
      if (!before.has(source)) before.set(source, await countLoneDomains(records, source));
    await saveLoneDomains(records, batch, stamp);
    onRows();
    work.signal?.throwIfAborted();
  }
  for (const [source, held] of before) {
    const lost = await countLoneDomains(records, source, stamp);
    const isKept = lost > 0 && (endings === 'keep' || (endings === 'wait' && lost * 10 > held));
    const share = `${lost} of ${held} domains of ${source} are not in the newer list`;
    if (!isKept) await endLoneDomains(records, source, { stamp, now: now() });
    else if (endings === 'keep') work.tally.note(0, `${share} and are kept.`);
    else work.tally.wait(`${share}, more than a tenth: they wait for --replace, which ends them, or --keep.`);
  }
}

/** A load at work touches its entry so often. */
const TOUCH_MS = MINUTE_MS;
const CUT_OFF = '. A part of it is stored: the running service, or the next load, finishes it within minutes.';

/** The sources that a load speaks for. */
interface SpokenFor {
  sources: readonly string[];
  /** True where it replaces what older loads said of them: one that was cut off is not repeated then. */
  isReplaced: boolean;
}

/**
 * Does the writing of a load. Where it is cut off, by an error or with the process, an entry stays by which it is repeated: every
 * row of it can be written again. A kept list has none: it is fetched again by itself.
 */
async function finishingLater<T>(
  { keptAt, startedAt, ...request }: LoadRequest & { startedAt: number },
  { sources, isReplaced }: SpokenFor,
  { records, now }: Stores,
  write: () => Promise<T>,
): Promise<T> {
  const { source, input } = request;
  const newer = { source, input, started_at: startedAt, sources };
  const written = async () => {
    const done = await write();
    if (isReplaced) await withdrawReplaced(records, newer, now());
    return done;
  };
  if (keptAt !== undefined) return written();
  await noteUnfinished(records, {
    source,
    input,
    request: JSON.stringify(request),
    sources: JSON.stringify(sources),
    started_at: startedAt,
    touched_at: now(),
  });
  const touches = setInterval(() => void touchUnfinished(records, newer, now()).catch(() => {}), TOUCH_MS);
  touches.unref();
  try {
    const done = await written();
    await endUnfinished(records, newer);
    return done;
  } catch (error) {
    // What the file itself forbids is refused before a row is written, and would be again.
    if (error instanceof InvalidInputError) await endUnfinished(records, newer);
    else if (error instanceof Error) error.message += CUT_OFF;
    throw error;
  } finally {
    clearInterval(touches);
  }
}
