/** The lists in which sources keep the history of an address. */
export const HISTORY_LISTS = ['coin', 'internal', 'tokens'] as const;
export type HistoryList = (typeof HISTORY_LISTS)[number];
