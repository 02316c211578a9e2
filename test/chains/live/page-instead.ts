import type { ServerResponse } from 'node:http';

/** Statuses with which providers answer a page in place of JSON: too many requests, overloaded, and a wall before the node. */
export const PAGE_STATUSES = [429, 503, 200] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];

export function answerPage(response: ServerResponse, status: PageStatus): void {
  const headers = { 'content-type': 'text/html', ...(status === 429 && { 'retry-after': '0' }) };
  response.writeHead(status, headers).end('<!doctype html><title>Slow down</title><p>Slow down, please.</p>');
}
