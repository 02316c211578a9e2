import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'console');

/** Builds the console before the suites run, unless it is built from the sources as they are. */
export default async function buildConsole(): Promise<void> {
  const changedAt = Math.max(
    ...readdirSync(SOURCES, { recursive: true }).map((name) => statSync(join(SOURCES, String(name))).mtimeMs),
  );
  const builtAt = statSync(join(ROOT, 'dist/console/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (builtAt > changedAt) return;
  const { build } = await import('vite');
  const { NODE_ENV } = process.env;
  // As the product is built: else the suites would see what is meant for developers.
  process.env.NODE_ENV = 'production';
  await build({ root: SOURCES });
  process.env.NODE_ENV = NODE_ENV;
}
