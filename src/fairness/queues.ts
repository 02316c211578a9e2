import type { QueueLimits } from './fair-queue.ts';

const UNBOUNDED_WAIT = {
  waitingMax: Number.POSITIVE_INFINITY,
  waitingPerAccount: Number.POSITIVE_INFINITY,
  refusal: '',
  retryAfterS: 1,
};

/** Requests by what they hold up, each kind with places of its own; the plan says how many an account has at once. */
const REQUESTS = {
  perAccount: 4,
  waitingMax: 1_000,
  waitingPerAccount: 300,
  refusal: 'Too many requests at once',
  retryAfterS: 1,
  isPaced: true,
} as const;

export const REQUEST_QUEUES = {
  /** Made by this process from its records. */
  answers: { ...REQUESTS, atOnce: 32 },
  /** Wait for sources of chains, the graph or a drawing, which have queues of their own. */
  waits: { ...REQUESTS, atOnce: 256 },
  presign: { ...REQUESTS, atOnce: 32 },
  /** Their tools are requests too, each with a place of its kind. */
  mcp: { ...REQUESTS, atOnce: 256 },
} as const satisfies Record<string, QueueLimits>;

/** Places that accounts share in one process beside those of requests, and how many of them one may have. */
export const QUEUES = {
  /** Searches of the graph while a caller waits: scans and checks before signing keep their pace beside them. */
  graphQuestions: {
    atOnce: 8,
    perAccount: 4,
    waitingMax: 200,
    waitingPerAccount: 50,
    waitMs: 2_000,
    refusal: 'Too many graph questions at once',
    retryAfterS: 2,
  },
  /** Drawing takes a core: one report at a time. */
  reports: {
    atOnce: 1,
    perAccount: 1,
    waitingMax: 200,
    waitingPerAccount: 3,
    refusal: 'Too many reports at once',
    retryAfterS: 5,
  },
  /** Callers' own statements in the server of the graph, each in a process of its own here. */
  ownStatements: {
    atOnce: 2,
    perAccount: 1,
    waitingMax: 50,
    waitingPerAccount: 2,
    waitMs: 10_000,
    refusal: 'One statement of an account runs at a time',
    retryAfterS: 5,
  },
  /** Attempts to deliver events, which wait in the records. */
  deliveries: { ...UNBOUNDED_WAIT, atOnce: 128, perAccount: 4 },
  /** The same to recipients whose last attempt failed. */
  failingDeliveries: { ...UNBOUNDED_WAIT, atOnce: 8, perAccount: 1 },
  /** Requests under way to one chain source for first reads, whose callers wait as long as they like. */
  sourceRequests: { ...UNBOUNDED_WAIT, atOnce: 64, perAccount: 32 },
  /** The same for first reads of jobs: half as many. */
  jobRequests: { ...UNBOUNDED_WAIT, atOnce: 32, perAccount: 16 },
  /** The same for expansion. */
  backgroundRequests: { ...UNBOUNDED_WAIT, atOnce: 32, perAccount: 16 },
  /** Waits for the next turn at a source of a known rate. */
  sourceTurn: { ...UNBOUNDED_WAIT, atOnce: 1, perAccount: 1 },
} as const satisfies Record<string, QueueLimits>;
