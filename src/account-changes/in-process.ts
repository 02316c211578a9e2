import type { AccountChanges } from './port.ts';

/** Changes published and received within one process. */
export function openChangesInProcess(): AccountChanges & { receive(accountId: string | null): void } {
  const listeners: ((accountId: string | null) => void)[] = [];
  let version = 0;
  const receive = (accountId: string | null) => {
    version += 1;
    for (const forget of listeners) forget(accountId);
  };
  return {
    get version() {
      return version;
    },
    subscribe: (forget) => void listeners.push(forget),
    receive,
    publish: async (accountId) => receive(accountId),
    close: async () => {
      listeners.length = 0;
    },
  };
}
