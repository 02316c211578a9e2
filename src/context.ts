import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { openChainSources } from './chains/all/open-sources.ts';
import { type Bridges, openBridges, openRegistry } from './chains/bridges/bridges.ts';
import type { Listener } from './chains/live/port.ts';
import type { ChainSource } from './chains/port.ts';
import type { Config } from './config.ts';
import { GRAPH_FILE, openDataDir, RECORDS_FILE, SECRET_KEY_FILE } from './data-folder/data-dir.ts';
import { openSecretBox, type SecretBox } from './data-folder/secret-box.ts';
import type { Chain } from './domain/chain.ts';
import { ClosingError } from './errors.ts';
import type { Mail } from './events/mail/port.ts';
import { openPdfSigner } from './exports/sign-pdf.ts';
import { within } from './fairness/deadline.ts';
import { openMemoryLimits } from './fairness/limits/memory.ts';
import type { Limits } from './fairness/limits/port.ts';
import { countSlots, openScanSlots, type ScanSlots, type SlotCounts } from './fairness/scan-slots.ts';
import { openGrafeo } from './graph/grafeo/grafeo.ts';
import { type GraphQuestions, openGraphQuestions } from './graph/graph-questions.ts';
import type { Graph } from './graph/port.ts';
import { createMetrics, type Metrics } from './http/metrics/metrics.ts';
import type { QueueParts } from './jobs/attempts.ts';
import { createInFlight, type InFlight } from './jobs/in-flight.ts';
import type { JobQueue } from './jobs/port.ts';
import { openRecordQueue } from './jobs/record-queue.ts';
import { type LabelStore, openLabelStore } from './labels/label-store.ts';
import { createRareWarnings, openLog } from './log.ts';
import { reachStore, refuseMissingGraph, refuseOldGraph } from './operator/store-choice.ts';
import { createGuard, type Guard } from './outbound/guard.ts';
import type { Provider } from './outbound/openid.ts';
import type { OutboundUse } from './outbound/use.ts';
import type { Prices } from './prices/port.ts';
import { openPrices } from './prices/price-store.ts';
import { type Activity, openActivity } from './questions/activity.ts';
import { type KeyCache, openKeyCache } from './records/accounts/key-cache.ts';
import { findKeyByHash } from './records/accounts/keys.ts';
import { openRecords, type Records } from './records/database/database.ts';
import { refuseDamagedSqlite } from './records/database/sqlite-check.ts';
import { openReadCache, type ReadCache } from './records/scans/read-cache.ts';
import type { ModelSettings } from './summary/model.ts';
import type { Summaries } from './summary/port.ts';
import { openSummaries } from './summary/summaries.ts';

/** Serves questions that read or write the records. */
export interface RecordsContext {
  records: Records;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Serves questions that read the graph alone. */
export interface GraphContext {
  graph: Graph;
}

/** Serves questions that look labels up. */
export interface LabelsContext {
  labels: LabelStore;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Serves questions that ask the sources of chains. */
export interface SourceContext {
  /** Null where no source is configured for the chain. */
  chainSource: (chain: Chain) => Promise<ChainSource | null>;
}

/** Serves questions that keep what sources reported of histories. */
export interface HistoryContext extends GraphContext {
  /** Readings of chains that all accounts share. */
  reads: ReadCache;
}

/** The stores and services of one process: wired by hand in openContext, closed together by `close`. */
export interface Context extends RecordsContext, HistoryContext, LabelsContext, SourceContext {
  config: Config;
  log: Logger;
  /** For what may happen to each of many requests: one line a minute. */
  warnRarely: (err: unknown, text: string) => void;
  /** Where the embedded stores lie; null in memory. */
  dataDir: string | null;
  metrics: Metrics;
  /** For questions that search the graph while a caller waits. */
  graphQuestions: GraphQuestions;
  /** Accounts share them: each scan reads and scores in one. */
  scanSlots: ScanSlots;
  /** Aborted while the process leaves: readiness sends its traffic elsewhere. */
  leaving: AbortController;
  /** Ends the scans of requests; `close` aborts it. */
  ending: AbortController;
  prices: Prices;
  limits: Limits;
  keyCache: KeyCache;
  inFlight: InFlight;
  /** The scans of watched addresses that run in this process, by item; false where the process ended one early. */
  watchScans: Map<string, Promise<boolean>>;
  jobs: JobQueue;
  summaries: Summaries;
  /** Null without SMTP_URL. */
  mail: Mail | null;
  /** Where people sign in; null without OIDC_ISSUER. */
  provider: Provider | null;
  /** Signs PDFs that leave; null without SIGNING_P12. */
  signPdf: Awaited<ReturnType<typeof openPdfSigner>>;
  /** Encrypts webhook secrets in the records. */
  secrets: SecretBox;
  /** For requests to webhook endpoints. */
  webhookGuard: Guard;
  /** A new listener to the chain; null where no source can serve for it. */
  openListener: (chain: Chain, options?: { everyMs?: number }) => Promise<Listener | null>;
  /** How the sources of each chain that was asked answered this process. */
  sourceUses: ReadonlyMap<Chain, OutboundUse>;
  /** On which chains an address is in use. */
  activity: Activity;
  /** Messages of bridges, and their other sides. */
  bridges: Bridges;
  close: () => Promise<void>;
}

/** How the stores are opened, and what tests replace. */
export interface ContextOptions {
  /** If the log of the graph is damaged, opens the graph with the commits before the damage. */
  salvage?: boolean;
  /** Starts with an empty graph even if the records hold scans. */
  newGraph?: boolean;
  /** Opens also a graph of an earlier version, which nothing but a rebuild may read. */
  oldGraph?: boolean;
  now?: () => number;
  log?: Logger;
  /** Stores without files, for tests. */
  inMemory?: boolean;
  /** Scans at once. Left out: follows the memory of the process. */
  scanSlots?: SlotCounts;
}

const FAILED_CLOSE_MS = 2_000;

/** Opens the stores that the settings choose. Throws with the reason when one cannot be opened, and leaves none open. */
export async function openContext(config: Config, options: ContextOptions = {}): Promise<Context> {
  const opened: Closable[] = [];
  const close = async () => {
    for (const one of opened.toReversed()) await one.close();
  };
  try {
    return { ...(await openStores(config, options, (one) => opened.push(one))), close };
  } catch (error) {
    await closeAfterFailure(close());
    throw error;
  }
}

/** A store that does not answer must not keep what went wrong from being said. */
export async function closeAfterFailure(closing: Promise<void>): Promise<void> {
  await within(FAILED_CLOSE_MS, closing, () => new Error('a store did not close')).catch(() => undefined);
}

interface Closable {
  close(): unknown;
}

/** Names to `opened` what must be closed, in the order of opening. */
async function openStores(
  config: Config,
  options: ContextOptions,
  opened: (one: Closable) => void,
): Promise<Omit<Context, 'close'>> {
  const now = options.now ?? Date.now;
  const log = options.log ?? openLog(config.LOG_LEVEL);
  if (!options.inMemory) for (const line of openDataDir(config.DATA_DIR)) log.warn(line);

  const signPdf = await openPdfSigner(config);
  const metrics = createMetrics();
  const records = await reachStore('DATABASE_URL', openRecordStore(config, options));
  // The engine watches collections of memory for the registry until the process ends, and so holds what the metrics read.
  opened({ close: () => metrics.registry.clear() });
  opened({ close: () => records.destroy() });
  const graph = await openGraph(config, records, options);
  opened(graph);
  if (config.NEO4J_URI) await reachStore('NEO4J_URI', graph.ping());
  if (!options.oldGraph) await refuseOldGraph(graph);
  const limits = config.REDIS_URL
    ? (await import('./fairness/limits/redis.ts')).openRedisLimits(config.REDIS_URL)
    : openMemoryLimits(now);
  opened(limits);
  if (config.REDIS_URL) await reachStore('REDIS_URL', limits.take({ name: 'readiness', limit: 1 }));
  const mail = config.SMTP_URL ? (await import('./events/mail/smtp.ts')).openSmtp(config.SMTP_URL) : null;
  if (mail) opened(mail);
  const jobs = await openJobs(config, { records, now, leaseMs: config.JOB_LEASE_MS, log });
  opened(jobs);
  const { chainSource, uses, openListener } = openChainSources(config, { metrics, limits, now });
  const scanSlots = openScanSlots(options.scanSlots ?? countSlots());
  opened(scanSlots);
  const ending = new AbortController();
  // Each scan that runs listens.
  setMaxListeners(0, ending.signal);
  opened({ close: () => ending.abort(new ClosingError()) });
  return {
    config,
    log,
    warnRarely: createRareWarnings(log, now),
    now,
    records,
    graph,
    dataDir: options.inMemory ? null : config.DATA_DIR,
    metrics,
    graphQuestions: openGraphQuestions(graph, { observe: metrics.timeQuestion }),
    scanSlots,
    leaving: new AbortController(),
    ending,
    labels: openLabelStore(records, now),
    reads: openReadCache(records),
    prices: openPrices(records, { apiUrl: config.PRICE_API_URL, apiStyle: config.PRICE_API_STYLE, log }),
    limits,
    keyCache: openKeyCache((hash) => findKeyByHash(records, hash), { now }),
    inFlight: createInFlight(),
    watchScans: new Map(),
    jobs,
    summaries: openSummaries(summaryModel(config), log),
    mail,
    signPdf,
    provider: config.OIDC_ISSUER ? (await import('./outbound/openid.ts')).openProvider(config) : null,
    secrets: openSecretBox(
      config.SECRET_KEY,
      options.inMemory ? null : join(config.DATA_DIR, SECRET_KEY_FILE),
      config.SECRET_KEY_PREVIOUS,
    ),
    webhookGuard: createGuard({ allowCidrs: config.WEBHOOK_ALLOW_CIDRS, allowHttp: config.WEBHOOK_ALLOW_HTTP }),
    chainSource,
    openListener,
    sourceUses: uses,
    activity: openActivity({ graph, chainSource }),
    bridges: openBridges({ chainSource, registry: openRegistry(records), now }),
  };
}

async function openRecordStore(config: Config, options: ContextOptions): Promise<Records> {
  const path = options.inMemory ? null : join(config.DATA_DIR, RECORDS_FILE);
  if (path !== null && !config.DATABASE_URL) await refuseDamagedSqlite(path);
  return openRecords({ databaseUrl: config.DATABASE_URL, path });
}

async function openGraph(config: Config, records: Records, options: ContextOptions): Promise<Graph> {
  if (!config.NEO4J_URI) {
    const path = options.inMemory ? null : join(config.DATA_DIR, GRAPH_FILE);
    if (path !== null && !options.newGraph) await refuseMissingGraph(path, records);
    return openGrafeo({ path, salvage: options.salvage });
  }
  const { openNeo4j } = await import('./graph/neo4j/neo4j.ts');
  const { NEO4J_URI: uri, NEO4J_USER: user, NEO4J_PASSWORD: password, NEO4J_DATABASE: database } = config;
  return reachStore('NEO4J_URI', openNeo4j({ uri, user, password, database }));
}

async function openJobs(config: Config, parts: QueueParts): Promise<JobQueue> {
  if (!config.REDIS_URL) return openRecordQueue(parts);
  return (await import('./jobs/bullmq.ts')).openBullQueue(config.REDIS_URL, parts);
}

function summaryModel({ SUMMARY_API_URL, SUMMARY_API_KEY, SUMMARY_MODEL }: Config): ModelSettings | null {
  return SUMMARY_API_URL ? { apiUrl: SUMMARY_API_URL, apiKey: SUMMARY_API_KEY, model: SUMMARY_MODEL } : null;
}
