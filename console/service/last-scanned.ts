import type { Scans } from './answers.ts';
import { call } from './api.ts';

/** The addresses that were scanned last, each with its newest scan, which stands for all of them. */
export async function lastScanned(most: number, signal: AbortSignal): Promise<Scans['scans']> {
  const { scans } = await call<Scans>('/public/scans', { query: { limit: 20 }, signal });
  const newest = new Map<string, Scans['scans'][number]>();
  for (const scan of scans) {
    const address = `${scan.chain} ${scan.address}`;
    if (!newest.has(address)) newest.set(address, scan);
  }
  return [...newest.values()].slice(0, most);
}
