import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { checkStoreFiles } from '../../src/operator/check.ts';

/**
 * An empty folder for the stores of a test, deleted at its end. `traceflow check` must find nothing in what the test
 * leaves there or in its folder `data`, unless it damages them itself.
 */
export function makeDataFolder(name: string, { damages = false } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), `traceflow-${name}-`));
  onTestFinished(async () => {
    try {
      for (const DATA_DIR of damages ? [] : [folder, join(folder, 'data')]) {
        const checked = await checkStoreFiles(readConfig({ DATA_DIR }));
        expect(checked.filter(({ result }) => result === 'damaged')).toEqual([]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  return folder;
}
