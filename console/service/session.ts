import { computed, signal } from '@preact/signals';
import type { z } from 'zod';
import type { SessionSchema } from '../../src/routes/account/sign-in.ts';

const STORED = 'traceflow-key';

/** The API key of this session: the open tabs share it, and the browser forgets it with the last of them. */
export const key = signal(sessionStorage.getItem(STORED));
/** Why the key was dropped, in the words of the API. */
export const refusal = signal<string | null>(null);

/** The answer of `GET /session`: the person who is signed in by the cookie of this browser. */
export type PersonSession = z.infer<typeof SessionSchema>;

/** Null until the service has answered. */
export const session = signal<PersonSession | null>(null);
/** A key of this tab counts before the person of the browser. */
export const isSignedIn = computed(() => key.value !== null || Boolean(session.value?.person));

/** Asks who is signed in in this browser; without an answer only keys can be used. */
export async function readSession(): Promise<void> {
  const answer = await fetch('/api/v1/session').catch(() => null);
  if (answer?.ok) session.value = (await answer.json()) as PersonSession;
}

type SessionMessage = { kind: 'asked' } | { kind: 'signed-in'; key: string } | { kind: 'signed-out' };

/** To the other tabs of the same origin; nothing of it is stored. */
const tabs = new BroadcastChannel('traceflow-session');
const send = (message: SessionMessage) => tabs.postMessage(message);

tabs.onmessage = ({ data }: MessageEvent<SessionMessage>) => {
  if (data.kind === 'asked' && key.value) send({ kind: 'signed-in', key: key.value });
  if (data.kind === 'signed-in' && !key.value) take(data.key);
  if (data.kind === 'signed-out') drop(null);
};
if (!key.value) send({ kind: 'asked' });

export function signIn(given: string): void {
  take(given);
  send({ kind: 'signed-in', key: given });
}

/** Ends the session in every tab; a key that the service refuses ends this tab's alone. */
export function signOut(reason: string | null = null): void {
  drop(reason);
  if (reason === null) send({ kind: 'signed-out' });
}

function take(given: string): void {
  sessionStorage.setItem(STORED, given);
  refusal.value = null;
  key.value = given;
}

function drop(reason: string | null): void {
  if (session.value) session.value = { ...session.value, person: null, csrf_token: null };
  // With the key, all that the tab kept for its reader.
  sessionStorage.clear();
  refusal.value = reason;
  key.value = null;
}
