import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  registry: Registry;
  /** Asked when the metrics are read, not at each request. */
  watchInFlight: (count: () => number) => void;
  /** `route` is the pattern, never the path: label values must stay few. */
  observe: (request: { method: string; route: string; status: number; seconds: number }) => void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 240];

/** The metrics of one app, in a registry of its own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
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
    registry,
    watchInFlight: (count) => {
      const collect = function (this: Gauge) {
        this.set(count());
      };
      new Gauge({ name: 'http_requests_in_flight', help: 'Requests being answered', registers, collect });
    },
    observe: ({ method, route, status, seconds }) => {
      const known = METHODS.has(method) ? method : 'OTHER';
      requests.inc({ method: known, route, status });
      durations.observe({ method: known, route }, seconds);
    },
  };
}
