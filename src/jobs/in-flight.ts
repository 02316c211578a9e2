/** Work that several callers want at the same time is done once; each gets the same outcome. */
export interface InFlight {
  /**
   * `joined` is true for callers that found the work already under way. A caller whose signal aborts gets its reason at
   * once; the work is aborted when every caller has left.
   */
  share<T>(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): { joined: boolean; result: Promise<T> };
}

interface Running {
  result: Promise<unknown>;
  callers: number;
  controller: AbortController;
}

export function createInFlight(): InFlight {
  const running = new Map<string, Running>();

  const start = (key: string, work: (signal: AbortSignal) => Promise<unknown>): Running => {
    const controller = new AbortController();
    const remove = () => {
      if (running.get(key) === entry) running.delete(key);
    };
    controller.signal.addEventListener('abort', remove, { once: true });
    const entry: Running = { result: work(controller.signal).finally(remove), callers: 0, controller };
    // Every caller may have left.
    entry.result.catch(() => undefined);
    running.set(key, entry);
    return entry;
  };

  const join = async (entry: Running, signal: AbortSignal | undefined): Promise<unknown> => {
    entry.callers += 1;
    let leave = () => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        entry.callers -= 1;
        if (entry.callers === 0) entry.controller.abort(signal?.reason);
        reject(signal?.reason);
      };
    });
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    return Promise.race([entry.result, left]).finally(() => signal?.removeEventListener('abort', leave));
  };

  return {
    share<T>(key: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>) {
      const known = running.get(key);
      const entry = known ?? start(key, work);
      return { joined: known !== undefined, result: join(entry, signal) as Promise<T> };
    },
  };
}
