import createClient from 'openapi-fetch';

/** Longer waits are the caller's to plan. */
const WAIT_S_MAX = 60;
/** Without `Retry-After`; doubled each time. */
const PAUSE_MS = 500;

export class TraceflowError extends Error {
  constructor(message, { status = 0, code = 'no_answer', hint = null, issues = [], headers, cause } = {}) {
    super(message, { cause });
    this.name = 'TraceflowError';
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.issues = issues;
    this.requestId = headers?.get('x-request-id') ?? null;
    this.retryAfterS = secondsOf(headers);
  }
}

export function createTraceflow({ baseUrl, apiKey, retries = 2, fetch: send = globalThis.fetch, ...options }) {
  const fetch = (request) => sendAgain(send, request, retries);
  return createClient({ ...options, fetch, baseUrl, headers: { ...options.headers, 'X-API-Key': apiKey } });
}

export async function answerOf(call) {
  const { data, error, response } = await call.catch((cause) => {
    throw new TraceflowError(`No answer of the service: ${cause.message}`, { cause });
  });
  if (response.ok) return data;
  const { status, headers } = response;
  // What stands between, a proxy say, answers with a page of its own.
  if (typeof error?.detail !== 'string' && !Array.isArray(error?.detail))
    throw new TraceflowError(`HTTP ${status} without a reason of the service`, { status, headers });
  const issues = Array.isArray(error.detail) ? error.detail : [];
  const message = issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ') || error.detail;
  throw new TraceflowError(message, { status, code: error.code ?? 'no_answer', hint: error.hint, issues, headers });
}

export async function* rowsOf(ask, name) {
  let offset = 0;
  while (true) {
    const page = await answerOf(ask(offset));
    const rows = page[name];
    yield* rows;
    const known = offset + rows.length;
    if (rows.length === 0 || page.next === null || (page.next === undefined && known >= page.total)) return;
    offset = page.next ?? known;
  }
}

async function sendAgain(send, request, retries) {
  for (let left = retries; ; left--) {
    const isLast = left <= 0 || !mayRepeat(request);
    const answer = await send(isLast ? request : request.clone()).catch((error) => {
      if (isLast || request.signal.aborted) throw error;
    });
    const pauseMs = PAUSE_MS * 2 ** (retries - left);
    const waitMs = answer ? waitFor(answer, pauseMs) : pauseMs;
    if (answer && (isLast || waitMs === null)) return answer;
    await answer?.body?.cancel();
    await pause(waitMs, request.signal);
  }
}

/** What reads, and what is done once however often it is sent. */
function mayRepeat({ method, headers }) {
  return method === 'GET' || headers.has('idempotency-key');
}

/** Milliseconds until the request may be sent again; null where that does not help. */
function waitFor({ status, headers }, pauseMs) {
  const seconds = secondsOf(headers);
  if (status === 502 || status === 504) return pauseMs;
  if ((status !== 429 && status !== 503) || seconds === null || seconds > WAIT_S_MAX) return null;
  return seconds * 1_000;
}

function secondsOf(headers) {
  const seconds = headers?.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) : null;
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
