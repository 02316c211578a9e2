import type { FastifyInstance } from 'fastify';

export interface ServedRoute {
  method: string;
  /** Fastify's pattern: `/api/v1/public/scans/:scan_id`. */
  url: string;
}

export interface ServedRoutes {
  list: ServedRoute[];
  /** The methods that a path answers to, `OPTIONS` included; empty for an unknown path. */
  methodsOf: (path: string) => string[];
}

/** Keeps a list of the routes as they are added, for `Allow` headers and for the test that compares it with OpenAPI. */
export function recordRoutes(app: FastifyInstance): ServedRoutes {
  const list: ServedRoute[] = [];
  const patterns = new Map<string, RegExp>();
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) list.push({ method, url: route.url });
    patterns.set(route.url, patternOf(route.url));
  });
  return {
    list,
    methodsOf: (path) => {
      // As in OpenAPI, a path that is served by its own name is not one of a pattern with a parameter in its place.
      const serves = (url: string) => (patterns.has(path) ? url === path : patterns.get(url)?.test(path));
      const methods = list.filter(({ url }) => serves(url)).map(({ method }) => method);
      return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort();
    },
  };
}

function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${source}$`);
}
