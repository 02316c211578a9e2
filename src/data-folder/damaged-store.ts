/** A store's file that cannot be opened: which one, what is wrong with it, and what the operator can do. */
export class DamagedStoreError extends Error {
  constructor(path: string, problem: string, remedies: readonly string[], options?: { cause?: unknown }) {
    super(`${path} cannot be opened: ${problem}\n${remedies.map((remedy) => `  ${remedy}`).join('\n')}`, options);
    this.name = 'DamagedStoreError';
  }
}

export const RESTORE = 'Restore a backup: traceflow restore DIR --force';
