import { signal } from '@preact/signals';

const STORED = 'traceflow-key';

/** The API key of this tab: the browser forgets it when the tab is closed. */
export const key = signal(sessionStorage.getItem(STORED));
/** Why the key was dropped, in the words of the API. */
export const refusal = signal<string | null>(null);

export function signIn(given: string): void {
  sessionStorage.setItem(STORED, given);
  refusal.value = null;
  key.value = given;
}

export function signOut(reason: string | null = null): void {
  sessionStorage.removeItem(STORED);
  refusal.value = reason;
  key.value = null;
}
