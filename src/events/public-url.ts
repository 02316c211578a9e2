import type { Config } from '../config.ts';

/** The absolute URL of a path of this service, as its users reach it. */
export function publicUrl({ BASE_URL, HOST, PORT }: Config, path: string): string {
  const base = BASE_URL ?? `http://${HOST}:${PORT}`;
  return base.replace(/\/(?:api\/v1\/?)?$/, '') + path;
}
