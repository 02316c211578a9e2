import type { Keys, People } from './answers.ts';
import { ApiError, call } from './api.ts';

/** Names that work can be given to: of people, and of keys where this reader may list them. */
export async function listNames(signal: AbortSignal): Promise<string[]> {
  const [{ people }, keys] = await Promise.all([
    call<People>('/people', { query: { limit: 500 }, signal }),
    call<Keys>('/api-keys', { signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 403) return { keys: [] };
      throw error;
    }),
  ]);
  const active = people.filter(({ state }) => state === 'active').map(({ name }) => name);
  return [...new Set([...active, ...keys.keys.map(({ name }) => name)])].toSorted();
}
