/** Where `openTestApp` keeps its data: in memory, unless a suite names servers. */
export const appStores: {
  /** Empties the servers for the next app; their settings. */
  empty?: () => Promise<Record<string, string>>;
} = {};
