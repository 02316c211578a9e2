/** Work that several callers want at the same time is done once; each gets the same outcome. */
export interface InFlight {
  /** `joined` is true for callers that found the work already under way. */
  share<T>(key: string, work: () => Promise<T>): { joined: boolean; result: Promise<T> };
}

export function createInFlight(): InFlight {
  const running = new Map<string, Promise<unknown>>();
  return {
    share<T>(key: string, work: () => Promise<T>) {
      const known = running.get(key);
      if (known) return { joined: true, result: known as Promise<T> };
      const result = work().finally(() => running.delete(key));
      running.set(key, result);
      return { joined: false, result };
    },
  };
}
