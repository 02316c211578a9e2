/** Work that several callers want at the same time is done once; each gets the same outcome. */
export interface InFlight {
  /**
   * `joined` is true for callers that found the work already under way. A caller whose signal aborts gets its reason at
   * once; the work is aborted when every caller has left. `callers` are those that have not.
   */
  share<T>(
    key: string,
    caller: JoinedCaller,
    work: (signal: AbortSignal, callers: ReadonlySet<JoinedCaller>) => Promise<T>,
  ): { joined: boolean; result: Promise<T> };
}

interface JoinedCaller {
  account: string;
  signal?: AbortSignal;
}

interface Running {
  result: Promise<unknown>;
  callers: Set<JoinedCaller>;
  controller: AbortController;
}

export function createInFlight(): InFlight {
  const running = new Map<string, Running>();

  const start = (
    key: string,
    first: JoinedCaller,
    work: (signal: AbortSignal, callers: ReadonlySet<JoinedCaller>) => Promise<unknown>,
  ): Running => {
    const controller = new AbortController();
    const callers = new Set([first]);
    const remove = () => {
      if (running.get(key) === entry) running.delete(key);
    };
    controller.signal.addEventListener('abort', remove, { once: true });
    const entry: Running = { result: work(controller.signal, callers).finally(remove), callers, controller };
    // Every caller may have left.
    entry.result.catch(() => undefined);
    running.set(key, entry);
    return entry;
  };

  const join = async (entry: Running, caller: JoinedCaller): Promise<unknown> => {
    const { signal } = caller;
    entry.callers.add(caller);
    let leave = () => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        entry.callers.delete(caller);
        if (entry.callers.size === 0) entry.controller.abort(signal?.reason);
        reject(signal?.reason);
      };
    });
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    return Promise.race([entry.result, left]).finally(() => signal?.removeEventListener('abort', leave));
  };

  return {
    share<T>(
      key: string,
      caller: JoinedCaller,
      work: (signal: AbortSignal, callers: ReadonlySet<JoinedCaller>) => Promise<T>,
    ) {
      const known = running.get(key);
      const entry = known ?? start(key, caller, work);
      return { joined: known !== undefined, result: join(entry, caller) as Promise<T> };
    },
  };
}
