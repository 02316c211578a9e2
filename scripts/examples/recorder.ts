import type { Example } from '../../src/http/document-routes.ts';

/** What one call sends. */
interface Call extends Pick<Example, 'params' | 'query' | 'headers' | 'body'> {
  key?: string;
  /** Sent in place of a body, as a ZIP; no example shows it. */
  file?: Uint8Array;
}

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: object;
  security?: object[];
  'x-rights'?: string[];
  responses: Record<string, { content?: Record<string, { schema?: { format?: string } }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}
interface Route {
  method: string;
  path: string;
  operation: Operation;
}

export interface Recorder {
  /**
   * Makes a call that must be answered with that status, and keeps the first answer of each status as its example. Returns the
   * answer; of a file its bytes.
   */
  ask(operationId: string, status: number, call?: Call): Promise<unknown>;
  /** Makes the same call, unrecorded, until the answer is as it should be. */
  until<T>(operationId: string, call: Call, isDone: (answer: T) => boolean): Promise<T>;
  examples: Record<string, Example>;
  /** Operations that take an idempotency key, and of which no success was given again for it. */
  unkept: Set<string>;
}

/** Operations whose ids are of what all accounts share, beside those that anybody may ask. */
const SHARED = ['getEntity', 'searchScams'];
/** Operations that ask by POST and change nothing. */
const READING = [
  'askWhatIf',
  'checkRelationship',
  'findFlowPath',
  'listPairTransfers',
  'proveTransactions',
  'queryTransfers',
  'sweepContract',
];
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const idsIn = (text: string) => [...new Set(text.match(ID))];
/** The id of nothing. */
export const NOBODY = '00000000-0000-4000-8000-000000000000';
const USED_KEY = 'used';
const POLL_MS = 200;
const POLLS_MAX = 1_500;

/**
 * Calls a running service and keeps request and answers of each operation. After each success it makes the same call
 * again, and wrongly: with an unknown id, in the wrong shape, under a plan that lacks the feature, with a used idempotency key. Throws
 * where another account, the stranger, learns anything of this one, or a key that may only read is let do more.
 */
export async function openRecorder(
  url: string,
  {
    key,
    freeKey,
    strangerKey,
    readerKey,
    tick,
  }: Record<'key' | 'freeKey' | 'strangerKey' | 'readerKey', string> & {
    tick: () => Promise<void>;
  },
): Promise<Recorder> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const routes = new Map<string, Route>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods))
      routes.set(operation.operationId, { method, path, operation });
  }
  const examples: Record<string, Example> = {};
  const requested = new Set<string>();
  const isIdempotent = ({ operation: { parameters = [] } }: Route) =>
    parameters.some(({ name }) => name === 'Idempotency-Key');
  const unkept = new Set([...routes].filter(([, route]) => isIdempotent(route)).map(([operationId]) => operationId));
  let calls = 0;

  const send = async ({ method, path }: Route, call: Call, idempotencyKey?: string) => {
    const { params = {}, query = {}, headers = {}, file } = call;
    const body = file ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams(query).toString();
    const answer = await fetch(`${url}${filled}${search && `?${search}`}`, {
      method: method.toUpperCase(),
      headers: {
        'x-api-key': call.key ?? key,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': file ? 'application/zip' : 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body,
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    const isRepeated = answer.headers.has('idempotency-replayed');
    return { status: answer.status, body: isJson ? JSON.parse(bytes.toString()) : undefined, bytes, isRepeated };
  };
  const routeOf = (operationId: string): Route => {
    const route = routes.get(operationId);
    if (!route) throw new Error(`the document has no operation ${operationId}`);
    return route;
  };
  const keep = ({ operation }: Route, status: number, answer: unknown) => {
    const schema = operation.responses[status]?.content?.['application/json']?.schema;
    // A file is not shown.
    if (answer === undefined || schema?.format === 'binary') return;
    exampleOf(operation.operationId).answers[status] ??= answer;
  };
  const exampleOf = (operationId: string): Example => {
    examples[operationId] ??= { answers: {} };
    return examples[operationId];
  };
  /** Keeps the answer where it is the refusal that was meant. */
  const refuse = async (route: Route, status: number, call: Call, idempotencyKey?: string): Promise<boolean> => {
    const { operationId, responses } = route.operation;
    if (!responses[status] || examples[operationId]?.answers[status] !== undefined) return true;
    const answer = await send(route, call, idempotencyKey);
    if (answer.status === status) keep(route, status, answer.body);
    return answer.status === status;
  };

  /** Ids that answers to the account have named. */
  const own = new Set<string>();
  /** Throws where a stranger with the ids of the account learns more than with the id of nothing. */
  const refuseStranger = async (route: Route, call: Call, idempotencyKey?: string) => {
    const { params, query, body } = call;
    const asked = JSON.stringify({ params, query, body });
    const ids = idsIn(asked).filter((id) => own.has(id));
    const unknown = JSON.parse(ids.reduce((text, id) => text.replaceAll(id, NOBODY), asked)) as Call;
    const answer = await send(route, { ...call, key: strangerKey }, idempotencyKey);
    const shown = ids.reduce((text, id) => text.replaceAll(id, NOBODY), String(answer.bytes));
    const isSame = async () => {
      const nothing = await send(route, { ...call, ...unknown, key: strangerKey });
      return nothing.status === answer.status && String(nothing.bytes) === shown;
    };
    if (ids.length === 0 ? idsIn(shown).some((id) => own.has(id)) : !(await isSame()))
      throw new Error(`${route.operation.operationId} shows another account: ${answer.status} ${answer.bytes}`);
  };
  /** Throws where a key that may only read is let do more. */
  const refuseReader = async (route: Route, call: Call) => {
    const { operationId, 'x-rights': rights = ['read'] } = route.operation;
    const needsMore = rights.some((right) => right !== 'read');
    if (!needsMore && (route.method === 'get' || READING.includes(operationId))) return;
    const { status, body } = await send(route, { ...call, key: readerKey });
    if (status !== 403) throw new Error(`${operationId} lets a reader: ${status} ${JSON.stringify(body)}`);
  };

  const ask: Recorder['ask'] = async (operationId, status, call = {}) => {
    await tick();
    const route = routeOf(operationId);
    const { operation } = route;
    // Before the call itself, which may delete what they name.
    const isShared = operation.security?.length === 0 || SHARED.includes(operationId);
    const namesOwn = idsIn(JSON.stringify(call)).some((id) => own.has(id));
    if (namesOwn && !isShared) await refuseStranger(route, call);
    if (status < 300 && !isShared) await refuseReader(route, call);
    calls += 1;
    const idempotencyKey = isIdempotent(route) ? `call-${calls}` : undefined;
    const answer = await send(route, call, idempotencyKey);
    if (answer.status !== status) {
      throw new Error(`${operationId} answered ${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`);
    }
    const { params, query, headers, body } = call;
    // Of an operation that is only refused here, the refused request is the example.
    if (!requested.has(operationId)) {
      if (status < 300) requested.add(operationId);
      Object.assign(exampleOf(operationId), { params, query, headers, body });
    }
    keep(route, status, answer.body);
    if (status >= 300) return answer.body;
    if (unkept.has(operationId)) {
      const again = await send(route, call, idempotencyKey);
      const isSame = again.status === status && again.bytes.equals(answer.bytes);
      if (again.isRepeated && !isSame) throw new Error(`${operationId} is answered otherwise again: ${again.bytes}`);
      if (again.isRepeated) unkept.delete(operationId);
    }

    const ids = Object.entries(params ?? {}).filter(([, value]) => /^[0-9a-f-]{36}$/.test(value));
    const named = isShared ? [] : idsIn(String(answer.bytes));
    for (const id of named) own.add(id);
    if ((route.method === 'get' && named.length > 0) || (namesOwn && idempotencyKey !== undefined))
      await refuseStranger(route, call, idempotencyKey);
    const withIds = (id: string) => ({
      ...call,
      params: { ...params, ...Object.fromEntries(ids.map(([n]) => [n, id])) },
    });
    await refuse(route, 403, { ...call, key: freeKey });
    if (ids.length > 0) await refuse(route, 404, withIds(NOBODY));
    if (idempotencyKey !== undefined) await refuse(route, 409, call, USED_KEY);
    const wrong: Call[] =
      ids.length > 0
        ? [withIds('x')]
        : route.method === 'get'
          ? [
              { ...call, query: {} },
              { ...call, query: { ...query, limit: 'x', language: 'x', max_hops: 'x' } },
            ]
          : [
              { ...call, body: {} },
              { ...call, body: 'x' },
            ];
    for (const one of wrong) if (operation.responses[422] && (await refuse(route, 422, one))) break;
    return answer.body ?? answer.bytes;
  };

  // Its answer is a refusal, which holds the key as any other answer does.
  await send(routeOf('scanAddressByPost'), { body: { address: 'nobody' } }, USED_KEY);
  return {
    ask,
    async until(operationId, call, isDone) {
      for (let i = 0; i < POLLS_MAX; i++) {
        const { status, body } = await send(routeOf(operationId), call);
        if (status < 300 && isDone(body as never)) return body as never;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      throw new Error(`${operationId} did not come to its end`);
    },
    examples,
    unkept,
  };
}
