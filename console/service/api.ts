import { key, session, signOut } from './session.ts';

/** The window of the rate limits. */
const LONGEST_PAUSE_S = 60;

/** Pause before a service that could not be reached is asked again. */
const UNREACHABLE_PAUSE_S = 5;

/** A refusal of the API; `message` is the text of its `detail`. Status 0: the service could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds until it may be asked again; null where waiting does not help, and for limits that last longer. */
  readonly pauseS: number | null;
  /** It asked for nothing but an answer: repeating it costs nothing. */
  readonly wasRead: boolean;

  constructor(status: number, message: string, { pauseS, wasRead }: { pauseS: number | null; wasRead: boolean }) {
    super(message);
    this.status = status;
    this.pauseS = pauseS;
    this.wasRead = wasRead;
  }
}

/** Empty texts are not sent; null asks for the empty one. */
type Query = Record<string, string | number | boolean | null | undefined>;

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query;
  /** JSON, or a file as it is. */
  body?: unknown;
  /** The version that was changed: a newer one refuses it. */
  version?: number;
  signal?: AbortSignal;
}

/** A path of the API. Each value stays one part of it, whatever it holds: links into the console carry such values. */
export function apiPath(texts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: texts }, ...values.map(encodePart));
}

/** Dots alone would name another path, even when they are encoded once. */
function encodePart(value: string): string {
  const isDots = value === '.' || value === '..';
  return encodeURIComponent(isDots ? value.replaceAll('.', '%2E') : value);
}

/** Calls `/api/v1` with the key of this tab and returns the JSON of the answer. */
export async function call<Answer>(path: string, request: Call = {}): Promise<Answer> {
  return (await send(path, request)).json() as Promise<Answer>;
}

/** The file that a path of the API answers with, and the name that the API gives it. */
export async function callFile(path: string, request: Call = {}): Promise<{ name: string | null; content: Blob }> {
  const answer = await send(path, request);
  const name = /filename="?([^";]+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? null;
  return { name, content: await answer.blob() };
}

/** Checks that the service takes the key; throws its answer where not. */
export async function tryKey(given: string): Promise<void> {
  await send('/public/usage', {}, given);
}

/** Ends the session of the person in this browser, here and in the records, or forgets the key of the tabs. */
export async function leave(): Promise<void> {
  if (key.value === null && session.value?.person) await call('/session', { method: 'DELETE' });
  signOut();
}

async function send(path: string, { method = 'GET', query = {}, body, version, signal }: Call, tried?: string) {
  const usedKey = tried ?? key.value;
  const headers: Record<string, string> = {};
  const csrf = session.value?.csrf_token;
  if (usedKey) headers['X-API-Key'] = usedKey;
  else if (csrf) headers['X-CSRF-Token'] = csrf;
  if (version !== undefined) headers['If-Match'] = `"${version}"`;
  const isFile = body instanceof Blob;
  if (body !== undefined) headers['Content-Type'] = isFile ? 'application/zip' : 'application/json';
  const answer = await fetch(`/api/v1${path}${queryString(query)}`, {
    method,
    headers,
    body: body === undefined || isFile ? body : JSON.stringify(body),
    signal,
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    const pause = { pauseS: UNREACHABLE_PAUSE_S, wasRead: method === 'GET' };
    throw new ApiError(0, String(cause), pause);
  });
  if (answer.ok) return answer;
  const error = new ApiError(answer.status, await wordsOf(answer), {
    pauseS: pauseOf(answer),
    wasRead: method === 'GET',
  });
  if (answer.status === 401 && tried === undefined) signOut(error.message);
  throw error;
}

function pauseOf(answer: Response): number | null {
  const retryAfter = answer.headers.get('retry-after');
  if (![429, 503].includes(answer.status) || retryAfter === null) return null;
  return Number(retryAfter) <= LONGEST_PAUSE_S ? Number(retryAfter) : null;
}

function queryString(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value ?? '')]))}`;
}

/** `detail` as text: one line for each field that the API refuses. */
async function wordsOf(answer: Response): Promise<string> {
  const { detail } = (await answer.json().catch(() => ({}))) as { detail?: unknown };
  if (typeof detail === 'string') return detail;
  if (!Array.isArray(detail)) return `HTTP ${answer.status}`;
  return (detail as { loc: (string | number)[]; msg: string }[])
    .map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`)
    .join('\n');
}
