import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';

it('closes every store again when a later one cannot be opened', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'traceflow-context-'));
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
  // A percent sign that encodes nothing.
  await expect(openContext(readConfig({ ...settings, SMTP_URL: 'smtp://50%@127.0.0.1' }))).rejects.toThrow(URIError);

  // The graph file can be open once at a time.
  const ctx = await openContext(readConfig(settings));
  await ctx.graph.ping();
  await ctx.close();
  rmSync(dataDir, { recursive: true });
});
