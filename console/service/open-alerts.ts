import { signal } from '@preact/signals';
import type { AlertQueue } from './answers.ts';
import { call } from './api.ts';

/** Number of alerts without an assignee; null where that cannot be asked. */
export const openAlerts = signal<number | null>(null);

/** Asks for their number again, as after one was taken. A refusal leaves the number out, and shows nothing. */
export async function countOpenAlerts(): Promise<void> {
  const answer = await call<AlertQueue>('/alerts', { query: { state: 'open', limit: 1 } }).catch(() => null);
  openAlerts.value = answer?.total ?? null;
}
