import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Chain } from '../../domain/chain.ts';
import { AppError, GraphError, NotFoundError, PipelineError, SourceError, UnavailableError } from '../../errors.ts';

/** Counters of one process about its own work, beside what HTTP counts. Label values stay few: no address, no tenant. */
export interface Metrics {
  registry: Registry;
  /** Counts a scan when it ends; `cached` says whether its answer came from an earlier read. */
  countScan<T extends { cached: boolean }>(chain: Chain, scan: Promise<T>): Promise<T>;
  /** Times one call of a chain source and counts its failure. */
  /** Counts one read from a source that took so long, and whether the source failed. */
  countRead(chain: Chain, seconds: number, hasFailed: boolean): void;
  /** Times one question to the graph. */
  timeQuestion<T>(question: Promise<T>): Promise<T>;
}

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 240];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const scans = new Counter({
    name: 'scans_total',
    help: 'Scans that ended',
    labelNames: ['chain', 'outcome', 'cached'] as const,
    registers,
  });
  const sources = new Histogram({
    name: 'source_duration_seconds',
    help: 'Time of one read from a chain source, all its pages',
    labelNames: ['chain'] as const,
    buckets: SECONDS,
    registers,
  });
  const sourceErrors = new Counter({
    name: 'source_errors_total',
    help: 'Reads from a chain source that failed',
    labelNames: ['chain'] as const,
    registers,
  });
  const questions = new Histogram({
    name: 'graph_question_duration_seconds',
    help: 'Time of one question to the graph, its wait for room included',
    labelNames: ['outcome'] as const,
    buckets: SECONDS,
    registers,
  });

  return {
    registry,
    countScan: async (chain, scan) => {
      try {
        const answer = await scan;
        scans.inc({ chain, outcome: 'completed', cached: String(answer.cached) });
        return answer;
      } catch (error) {
        scans.inc({ chain, outcome: outcomeOf(error), cached: 'false' });
        throw error;
      }
    },
    countRead: (chain, seconds, hasFailed) => {
      sources.observe({ chain }, seconds);
      if (hasFailed) sourceErrors.inc({ chain });
    },
    timeQuestion: async (question) => {
      const end = questions.startTimer();
      try {
        const answer = await question;
        end({ outcome: 'answered' });
        return answer;
      } catch (error) {
        end({ outcome: error instanceof UnavailableError ? 'refused' : outcomeOf(error) });
        throw error;
      }
    },
  };
}

/** A gauge that is read when the metrics are: one value for each set of labels. */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  read: () => Promise<[labels: Record<string, string>, value: number][]>,
): void {
  const collect = async function (this: Gauge) {
    const values = await read();
    this.reset();
    for (const [labels, value] of values) this.set(labels, value);
  };
  new Gauge({ name, help, labelNames, registers: [registry], collect });
}

/** A gauge of one number that the process knows at any time. */
function addCountGauge(registry: Registry, name: string, help: string, count: () => number): void {
  addGauge(registry, name, help, [], async () => [[{}, count()]]);
}

export function addQuestionGauges(registry: Registry, questions: { running: number; waiting: number }): void {
  addCountGauge(registry, 'graph_questions_running', 'Questions that search the graph now', () => questions.running);
  addCountGauge(registry, 'graph_questions_waiting', 'Questions that wait for room', () => questions.waiting);
}

function outcomeOf(error: unknown): string {
  if (error instanceof SourceError) return 'source_error';
  if (error instanceof GraphError) return 'graph_error';
  if (error instanceof UnavailableError) return 'unavailable';
  if (error instanceof PipelineError) return 'deadline_or_no_source';
  if (error instanceof NotFoundError) return 'not_found';
  return error instanceof AppError ? 'refused' : 'failed';
}

export interface HttpMetrics {
  /** Asked when the metrics are read, not at each request. */
  watchRequests: (counts: { inFlight: () => number; running: () => number }) => void;
  /** `route` is the pattern, never the path: label values must stay few. */
  observe: (request: { method: string; route: string; status: number; seconds: number }) => void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 240];

/** Returns what one app counts of its requests, with what Node says of the process. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({ name: 'http_requests_total', help: 'Answered requests', labelNames, registers });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer',
    labelNames: ['method', 'route'] as const,
    buckets: REQUEST_SECONDS,
    registers,
  });
  return {
    watchRequests: ({ inFlight, running }) => {
      addCountGauge(registry, 'http_requests_in_flight', 'Requests not yet answered', inFlight);
      addCountGauge(registry, 'http_requests_running', 'Of these, those whose body has arrived', running);
    },
    observe: ({ method, route, status, seconds }) => {
      const known = METHODS.has(method) ? method : 'OTHER';
      requests.inc({ method: known, route, status });
      durations.observe({ method: known, route }, seconds);
    },
  };
}
