import { GraphTimeoutError } from '../errors.ts';
import { FairQueue, type QueuedCaller, type QueueLimits } from '../fairness/fair-queue.ts';
import { QUEUES } from '../fairness/queues.ts';
import type { Graph } from './port.ts';

/** Questions that search the graph while a caller waits. */
export interface GraphQuestions {
  /** Runs the question in a place, with a graph that ends its reads within the caller's time. Throws like FairQueue. */
  ask<T>(caller: QueuedCaller, question: (graph: Graph) => Promise<T>): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

/** Time of a caller without a key. */
const KEYLESS_MS = 3_000;

export interface GraphQuestionOptions {
  limits?: QueueLimits;
  /** Gets each question as it is asked, the wait for a place included. */
  observe?: <T>(question: Promise<T>) => Promise<T>;
}

export function openGraphQuestions(
  graph: Graph,
  { limits = QUEUES.graphQuestions, observe = (question) => question }: GraphQuestionOptions = {},
): GraphQuestions {
  const queue = new FairQueue(limits);
  return {
    get running() {
      return queue.running;
    },
    get waiting() {
      return queue.waiting;
    },
    ask: (caller, question) =>
      observe(queue.run(caller, (keep) => question(limited(graph, caller.keyless ? KEYLESS_MS : null, keep)))),
  };
}

/** Keeps the place for queries that run on in the engine after their time: the embedded one cannot end them. */
function limited(graph: Graph, budgetMs: number | null, keep: (ended: Promise<unknown>) => void): Graph {
  const deadline = budgetMs === null ? Number.POSITIVE_INFINITY : performance.now() + budgetMs;
  return {
    ...graph,
    read: async (statement, params, options) => {
      const leftMs = Math.min(options?.timeoutMs ?? Number.POSITIVE_INFINITY, deadline - performance.now());
      if (leftMs <= 0) throw new GraphTimeoutError();
      const timeoutMs = Number.isFinite(leftMs) ? Math.ceil(leftMs) : undefined;
      try {
        return await graph.read(statement, params, { ...options, timeoutMs });
      } catch (error) {
        if (error instanceof GraphTimeoutError && error.ended) keep(error.ended);
        throw error;
      }
    },
  };
}
