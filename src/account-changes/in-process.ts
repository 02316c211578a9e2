import type { AccountChanges } from './port.ts';

/** News within one process. */
export function openChangesInProcess(): AccountChanges & { hear(accountId: string | null): void } {
  const listeners: ((accountId: string | null) => void)[] = [];
  let heard = 0;
  const hear = (accountId: string | null) => {
    heard += 1;
    for (const forget of listeners) forget(accountId);
  };
  return {
    get heard() {
      return heard;
    },
    listen: (forget) => void listeners.push(forget),
    hear,
    tell: async (accountId) => hear(accountId),
    close: async () => {
      listeners.length = 0;
    },
  };
}
