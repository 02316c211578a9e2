import { GraphTimeoutError, OverloadError } from '../errors.ts';
import type { Graph } from './port.ts';

/** Who asks: an account, or without a key the block of IP addresses. */
export interface Asker {
  id: string;
  keyless: boolean;
}

/** Bounds how many questions search the graph at the same time, so that scans and checks before signing keep their pace. */
export interface QuestionGate {
  /**
   * Runs the question once there is room, with a graph that ends its reads within the asker's time. Throws
   * OverloadError after two seconds without room.
   */
  ask<T>(asker: Asker, question: (graph: Graph) => Promise<T>): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

export interface GateBounds {
  overall: number;
  /** Without a key, over all addresses: the rest is left to accounts. */
  keyless: number;
  perAccount: number;
  perAddress: number;
}

const BOUNDS: GateBounds = { overall: 8, keyless: 4, perAccount: 4, perAddress: 2 };
const WAITING_MAX = 200;
const WAIT_MS = 2_000;
const RETRY_AFTER_S = 2;
const KEYLESS_MS = 3_000;

export interface GateOptions {
  bounds?: GateBounds;
  waitMs?: number;
  /** Gets each question as it is asked, the wait for room included. */
  observe?: <T>(question: Promise<T>) => Promise<T>;
}

export function openQuestionGate(
  graph: Graph,
  { bounds = BOUNDS, waitMs = WAIT_MS, observe = (question) => question }: GateOptions = {},
): QuestionGate {
  const running = new Map<string, number>();
  const waiting = new Set<{ asker: Asker; enter: () => void }>();
  let all = 0;
  let keyless = 0;

  const hasRoom = (asker: Asker) =>
    all < bounds.overall &&
    (running.get(asker.id) ?? 0) < (asker.keyless ? bounds.perAddress : bounds.perAccount) &&
    (!asker.keyless || keyless < bounds.keyless);

  const count = ({ id, keyless: isKeyless }: Asker, change: 1 | -1) => {
    const own = (running.get(id) ?? 0) + change;
    if (own === 0) running.delete(id);
    else running.set(id, own);
    all += change;
    if (isKeyless) keyless += change;
  };

  const leave = (asker: Asker) => {
    count(asker, -1);
    for (const next of waiting) if (hasRoom(next.asker)) next.enter();
  };

  const enter = (asker: Asker) =>
    new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new OverloadError('Too many graph questions at once', RETRY_AFTER_S));
      const admit = () => {
        count(asker, 1);
        resolve();
      };
      if (hasRoom(asker)) return admit();
      if (waiting.size >= WAITING_MAX) return refuse();
      const entry = {
        asker,
        enter: () => {
          clearTimeout(timer);
          waiting.delete(entry);
          admit();
        },
      };
      const timer = setTimeout(() => {
        waiting.delete(entry);
        refuse();
      }, waitMs);
      waiting.add(entry);
    });

  const answer = async <T>(asker: Asker, question: (graph: Graph) => Promise<T>): Promise<T> => {
    await enter(asker);
    const unfinished: Promise<unknown>[] = [];
    try {
      return await question(limited(graph, asker, unfinished));
    } finally {
      // The embedded engine cannot end a query: one that nobody waits for any more still counts until it has ended.
      if (unfinished.length === 0) leave(asker);
      else void Promise.allSettled(unfinished).then(() => leave(asker));
    }
  };

  return {
    get running() {
      return all;
    },
    get waiting() {
      return waiting.size;
    },
    ask: (asker, question) => observe(answer(asker, question)),
  };
}

/** Collects the queries that run on in the engine after their time. */
function limited(graph: Graph, asker: Asker, unfinished: Promise<unknown>[]): Graph {
  const deadline = asker.keyless ? performance.now() + KEYLESS_MS : Number.POSITIVE_INFINITY;
  return {
    ...graph,
    read: async (statement, params, options) => {
      const leftMs = Math.min(options?.timeoutMs ?? Number.POSITIVE_INFINITY, deadline - performance.now());
      if (leftMs <= 0) throw new GraphTimeoutError();
      const timeoutMs = Number.isFinite(leftMs) ? Math.ceil(leftMs) : undefined;
      try {
        return await graph.read(statement, params, { ...options, timeoutMs });
      } catch (error) {
        if (error instanceof GraphTimeoutError && error.ended) unfinished.push(error.ended);
        throw error;
      }
    },
  };
}
