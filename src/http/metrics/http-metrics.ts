import { Counter, collectDefaultMetrics, Histogram, type Registry } from 'prom-client';
import { addCountGauge } from './metrics.ts';

export interface HttpMetrics {
  /** Asked when the metrics are read, not at each request. */
  watchRequests: (counts: { inFlight: () => number; running: () => number }) => void;
  /** `route` is the pattern, never the path: label values must stay few. */
  observe: (request: { method: string; route: string; status: number; seconds: number }) => void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 240];

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
    buckets: SECONDS,
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
