import { gunzipSync } from 'node:zlib';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { EVENT_TYPES } from '../../../src/domain/event.ts';
import { ARCHIVE_LIMITS } from '../../../src/questions/cases/archive/archive-files.ts';
import { openTestApp, type TestApp } from '../../app/test-app.ts';

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, unknown>[];
  parameters?: {
    name: string;
    in: string;
    description?: string;
    required?: boolean;
    example?: unknown;
    schema: Record<string, unknown>;
  }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Media> }>;
}
interface Media {
  schema: { format?: string };
  example?: unknown;
}
interface Document {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

interface Described {
  description?: string;
  $ref?: string;
  properties?: Record<string, Described>;
  additionalProperties?: object | boolean;
}

/** By itself or by the schema that it refers to. */
function describedBy({ components }: Document, { description, $ref }: Described): string | undefined {
  const named = components.schemas[$ref?.split('/').at(-1) ?? ''] as Described | undefined;
  return description || named?.description;
}

async function read(test: TestApp): Promise<Document> {
  const answer = await test.app.inject('/openapi.json');
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

let served: Promise<Document> | undefined;

/** What a service without settings serves, asked once for all tests; each has a copy. */
async function readDefault(): Promise<Document> {
  served ??= openTestApp().then(read);
  return structuredClone(await served);
}

function operations(document: Document): { name: string; path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  );
}

/** The schema of the document for an answer, as something that can check one. */
function answerSchema(document: Document, path: string, method: string, status: number): z.ZodType {
  const schema = document.paths[path]?.[method]?.responses[status]?.content?.['application/json']?.schema;
  if (!schema) throw new Error(`${method} ${path} does not document ${status}`);
  return schemaOf(document, schema);
}

function schemaOf(document: Document, schema: object): z.ZodType {
  const defs: Record<string, z.core.JSONSchema.JSONSchema> = {};
  // With the schemas that it names alone, directly or by others: all of them take a tenth of a second each time.
  const inDefs = (value: object): z.core.JSONSchema.JSONSchema => {
    const text = JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/');
    for (const [, name] of text.matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (defs[name!]) continue;
      defs[name!] = {};
      defs[name!] = inDefs(document.components.schemas[name!] as object);
    }
    return JSON.parse(text);
  };
  return z.fromJSONSchema({ ...inDefs(schema), $defs: defs });
}

it('describes every served route, and nothing that is not served', async () => {
  const test = await openTestApp();
  const document = await read(test);
  // The pages for people: the console's files, the reference, and what the links of mails open.
  const pages = /^\/($|index\.html|verify\.html|icon\.svg|noto-sans-jp\.woff2|notices\.txt|assets\/|docs|mail\/)/;
  const served = test.app.servedRoutes
    .filter(({ method, url }) => method !== 'HEAD' && !pages.test(url))
    // Its clients speak the Model Context Protocol.
    .filter(({ url }) => url !== '/api/v1/mcp')
    .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`);
  expect(
    operations(document)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...new Set(served)].sort());
  expect(served).toContain('GET /api/v1/public/usage');
});

it('is OpenAPI 3.1 of the contract, with both ways to send a key', async () => {
  const document = await read(await openTestApp({ BASE_URL: 'https://screen.example.org/' }));
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.version).toBe('2026.08.14');
  expect(document.servers).toEqual([{ url: 'https://screen.example.org' }]);
  expect(document.components.securitySchemes).toMatchObject({
    api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    bearer: { type: 'http', scheme: 'bearer' },
  });
});

it('gives each operation an id of its own, a tag, a summary, a curl line, and its refusals', async () => {
  const document = await readDefault();
  const all = operations(document);
  const ids = all.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(all.length);
  for (const { name, path, operation } of all) {
    expect([name, operation.tags?.length]).toEqual([name, 1]);
    expect([name, operation.summary]).toEqual([name, expect.any(String)]);
    expect([name, operation.description]).toEqual([name, expect.stringContaining('```sh\ncurl ')]);
    if (!path.startsWith('/api/v1')) continue;
    const statuses = Object.keys(operation.responses);
    expect([name, statuses]).toEqual([name, expect.arrayContaining(['500', '503'])]);
    if (operation.security!.length > 0)
      expect([name, statuses]).toEqual([name, expect.arrayContaining(['401', '429'])]);
    if (operation.requestBody) expect([name, statuses]).toEqual([name, expect.arrayContaining(['413', '422'])]);
  }
  const usage = document.paths['/api/v1/public/usage']!.get!;
  expect(usage.security).toEqual([{ api_key: [] }, { bearer: [] }]);
  expect(usage.description).toContain("curl -H 'X-API-Key: <your key>' 'http://127.0.0.1:8080/api/v1/public/usage'");
  expect(document.paths['/api/v1/public/health']!.get!.security).toEqual([]);
  expect(document.paths['/api/v1/api-keys']!.post!.description).toContain(`-d '{"name":"laptop"}'`);
});

it('says beside the refusals of a body how large it may be, and what its JSON may have', async () => {
  const { paths } = await readDefault();
  const refusals = (path: string, method: 'post' | 'put') => {
    const { responses } = paths[`/api/v1${path}`]![method]!;
    return [responses['413']!.description, responses['422']!.description];
  };
  const shape = 'A field is missing or has the wrong type or shape';
  const counts = (values: string) =>
    `${shape}; or the JSON has more than 64 levels, ${values} names and values, or 1,000 names in one object`;
  expect(refusals('/cases', 'post')).toEqual(['The body is larger than 1 MiB', counts('30,000')]);
  for (const board of [refusals('/boards', 'post'), refusals('/boards/{board_id}', 'put')]) {
    expect(board).toEqual(['The body is larger than 1.25 MiB', counts('200,000')]);
  }
  expect(refusals('/cases/import', 'post')).toEqual([`The body is larger than ${ARCHIVE_LIMITS.packedMib} MiB`, shape]);
});

it('asks for no query parameter that may be left out, and for none in a form that the service does not read', async () => {
  const document = await readDefault();
  const asked = operations(document).flatMap(({ name, operation }) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name: parameter, required, schema }) => ({ name: `${name} ${parameter}`, required, schema })),
  );
  // A repeated parameter is refused, and a list would be sent as repetitions.
  expect(
    asked.filter(({ schema }) => !schema.$ref && !['string', 'integer', 'number'].includes(String(schema.type))),
  ).toEqual([]);
  expect(asked.filter(({ required }) => required).map(({ name }) => name)).toEqual([
    'GET /api/v1/public/scan address',
    // A call without it must not delete everything.
    'DELETE /api/v1/public/scans before',
    'GET /api/v1/public/presign/check chain',
    'GET /api/v1/public/presign/check to',
    'GET /api/v1/graph/transfers.csv address',
    // One hash may stand for a transaction on each EVM chain.
    'GET /api/v1/graph/transaction/{tx_hash}/parts chain',
    'GET /api/v1/graph/labels q',
    'GET /api/v1/scamdb/search q',
    'GET /api/v1/cases/{case_id}/goaml.xml rentity_id',
    'GET /api/v1/cases/{case_id}/goaml.xml indicator',
  ]);
});

it('has no finding of the recommended rules of Redocly', async () => {
  const document = await readDefault();
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: JSON.stringify(document), config });
  expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

it('is what client generators need: headers of answers, one list of chains, answers open to new fields', async () => {
  const document = await readDefault();
  for (const { name, operation } of operations(document)) {
    for (const [status, { headers = {}, content = {} }] of Object.entries(operation.responses)) {
      const names = Object.keys(headers);
      // A digest is compared with the bytes, not with what a parser made of them.
      if (names.includes('X-STR-Output-Hash'))
        expect([name, Object.values(content)]).toEqual([
          name,
          [{ schema: expect.objectContaining({ format: 'binary' }) }],
        ]);
      expect([name, status, names]).toEqual([name, status, expect.arrayContaining(['X-Request-Id'])]);
      expect(names.includes('Retry-After')).toBe(status === '429' || status === '503');
      expect(names.includes('X-RateLimit-Limit')).toBe(operation.security!.length > 0 && status !== '401');
    }
    expect(JSON.stringify(operation.responses)).not.toContain('"additionalProperties":false');
  }
  expect(JSON.stringify(document.components.schemas)).not.toContain('"additionalProperties":false');
  expect(JSON.stringify(document).match(/"avalanche"[,\]]/g)).toHaveLength(1);
  const named = document.paths['/api/v1/cases']!.post!.parameters!.map(({ name }) => name);
  expect(named).toEqual(['Idempotency-Key']);
});

it('describes every property and every parameter', async () => {
  const document = await readDefault();
  const bare: string[] = [];
  const visit = (schema: unknown, place: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties = {}, ...parts } = schema as Record<string, object>;
    for (const [name, property] of Object.entries(properties as Record<string, Described>)) {
      if (!describedBy(document, property)) bare.push(`${place}.${name}`);
      visit(property, `${place}.${name}`);
    }
    for (const [name, part] of Object.entries(parts)) if (name !== 'examples') visit(part, place);
  };
  visit(document.components.schemas, 'components');
  for (const { name, operation } of operations(document)) {
    visit(operation.requestBody, name);
    visit(operation.responses, name);
    for (const parameter of operation.parameters ?? []) {
      if (!describedBy(document, parameter)) bare.push(`${name} ?${parameter.name}`);
    }
  }
  expect(bare).toEqual([]);
});

it('types what a scan says of itself, open to fields that are added later', async () => {
  const { schemas } = (await readDefault()).components as { schemas: Record<string, Described> };
  expect(schemas.ScanResponse!.properties!.metadata).toMatchObject({ $ref: '#/components/schemas/ScanMetadata' });
  expect(schemas.Detection!.properties!.details).toMatchObject({ $ref: '#/components/schemas/DetectionDetails' });
  expect(schemas.ScanMetadata!.properties!.coverage).toMatchObject({ $ref: '#/components/schemas/ScanCoverage' });
  for (const name of ['ScanMetadata', 'DetectionDetails', 'ScanCoverage']) {
    expect([name, schemas[name]!.additionalProperties]).toEqual([name, {}]);
  }
  // A schema that requests and answers share has one name.
  expect(Object.keys(schemas).filter((name) => name.endsWith('Input') && schemas[name.slice(0, -5)])).toEqual([]);
});

it('has an example for each request and each answer, which fits its schema', async () => {
  const document = await readDefault();
  const none: string[] = [];
  const check = (name: string, media: Media | undefined) => {
    if (!media || media.schema.format === 'binary') return;
    if (media.example === undefined) none.push(name);
    else expect([name, schemaOf(document, media.schema).safeParse(media.example).error]).toEqual([name, undefined]);
  };
  for (const { name, operation } of operations(document)) {
    const { requestBody, responses, parameters = [] } = operation;
    check(name, requestBody?.content['application/json']);
    for (const [status, { content }] of Object.entries(responses)) {
      check(`${name} ${status}`, content?.['application/json']);
    }
    const bare = parameters.filter((one) => (one.in === 'path' || one.required) && one.example === undefined);
    none.push(...bare.map((parameter) => `${name} ?${parameter.name}`));
  }
  expect(none.sort()).toEqual(['GET /health/ready 503', 'GET /openapi.json 200']);
  const scan = document.paths['/api/v1/public/scan']!.post!;
  expect(scan.description).toContain(`-d '${JSON.stringify(scan.requestBody!.content['application/json']!.example)}'`);
});

it('refers only to schemas that it holds, and holds none that nothing refers to', async () => {
  const document = await readDefault();
  const text = JSON.stringify(document);
  const used = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));
  expect([...used].sort()).toEqual(Object.keys(document.components.schemas).sort());
  expect(text.match(/"\$ref":"(?!#\/components\/(?:schemas|headers)\/)/g)).toBeNull();
});

it('gives patterns that every regular expression engine reads as the service does', async () => {
  const text = JSON.stringify(await readDefault());
  const patterns = [...text.matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)].map(([, quoted]) => JSON.parse(quoted!));
  expect(patterns.filter((pattern) => /\\p\{|\(\?</i.test(pattern))).toEqual([]);
  const name = patterns.find((pattern) => pattern.includes('u0000'));
  expect(['desk 1', '監視😀'].filter((good) => !new RegExp(name).test(good))).toEqual([]);
  expect(['\0', 'a\nb', '\u009f'].filter((bad) => new RegExp(name).test(bad))).toEqual([]);
});

it('describes the answers as they are', async () => {
  const test = await openTestApp();
  const document = await read(test);
  const headers = await test.headers();
  const bare = {};
  const cases = [
    ['GET', '/api/v1/public/usage', '/api/v1/public/usage', headers, undefined, 200],
    ['GET', '/api/v1/public/usage', '/api/v1/public/usage', bare, undefined, 401],
    ['GET', '/api/v1/public/health', '/api/v1/public/health', bare, undefined, 200],
    ['GET', '/api/v1/api-keys', '/api/v1/api-keys', headers, undefined, 200],
    ['POST', '/api/v1/api-keys', '/api/v1/api-keys', headers, { name: 'k' }, 201],
    ['POST', '/api/v1/api-keys', '/api/v1/api-keys', headers, {}, 422],
    ['DELETE', '/api/v1/api-keys/x', '/api/v1/api-keys/{id}', headers, undefined, 422],
    ['GET', '/health/ready', '/health/ready', bare, undefined, 200],
    ['GET', '/health/live', '/health/live', bare, undefined, 200],
  ] as const;
  for (const [method, url, path, sent, payload, status] of cases) {
    const answer = await test.app.inject({ method, url, headers: sent, payload });
    expect([method, url, answer.statusCode]).toEqual([method, url, status]);
    const schema = answerSchema(document, path, method.toLowerCase(), status);
    expect(schema.safeParse(answer.json()).error).toBeUndefined();
    expect(schema.safeParse({ nonsense: true }).success).toBe(false);
  }
});

it('fails in a test where an answer is not what its schema says, and keeps what an open object holds', async () => {
  const test = await openTestApp();
  const schema = { response: { 200: z.object({ n: z.int(), open: z.looseObject({ a: z.int() }) }) } };
  const good = { n: 1, open: { a: 1, more: [{ b: null }] } };
  const answers = { good, bad: { ...good, n: 1.5 }, secret: { ...good, secret: 'not shown' }, lacking: { n: 1 } };
  for (const [name, answer] of Object.entries(answers))
    test.app.get(`/${name}`, { schema }, async () => answer as typeof good);
  expect((await test.app.inject('/good')).json()).toEqual(good);
  for (const name of ['bad', 'secret', 'lacking']) {
    const refused = await test.app.inject(`/${name}`);
    expect([name, refused.statusCode, refused.json()]).toMatchObject([name, 500, { detail: 'Internal server error' }]);
  }
  expect(test.logged()).toContain('/secret 200 has what its schema lacks or changes, at $.secret');
});

it('serves a reference page that loads nothing from elsewhere', async () => {
  const test = await openTestApp();
  const page = await test.app.inject('/docs/');
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!);
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) {
    expect(link).not.toMatch(/^(?:https?:)?\/\//);
    const part = await test.app.inject(new URL(link, 'http://x/docs/').pathname);
    expect([link, part.statusCode]).toEqual([link, 200]);
  }
  const policy = page.headers['content-security-policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*/);
  const settings = await test.app.inject('/docs/static/swagger-initializer.js');
  expect(settings.body).toContain('"validatorUrl":null');
  expect((await test.app.inject('/docs/json')).json()).toEqual(await read(test));
  expect([200, 302]).toContain((await test.app.inject('/docs')).statusCode);
  for (const path of ['/docs/static/nothing.js', '/docs/static/..%2f..%2fpackage.json']) {
    const nothing = await test.app.inject(path);
    expect([path, nothing.statusCode, nothing.json()]).toMatchObject([path, 404, { detail: 'Not found' }]);
  }
});

it('names the headers of a package file, and describes every event that webhooks send', async () => {
  const document = await readDefault();
  const file = document.paths['/api/v1/cases/{case_id}/str-package/{generation_id}/download']!.get!.responses[200]!;
  expect(Object.keys(file.headers!)).toEqual(
    expect.arrayContaining(['X-STR-Generation-Id', 'X-STR-Output-Hash', 'X-STR-Degraded']),
  );
  expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES);
  for (const type of EVENT_TYPES) {
    const { parameters, requestBody } = document.webhooks[type]!.post!;
    expect(parameters!.map(({ name }) => name)).toContain('X-Service-Signature');
    const schema = schemaOf(document, requestBody!.content['application/json']!.schema);
    expect(schema.safeParse({ id: 'x', event: type, timestamp: '2026-11-20T10:00:00.000', data: {} }).success).toBe(
      false,
    );
  }
});

it('gives the document and the files of its page compressed, once, and to one address 60 times a minute', async () => {
  const { app } = await openTestApp();
  const gzip = { 'accept-encoding': 'gzip, deflate, br' };
  for (const url of ['/openapi.json', '/docs/', '/docs/static/swagger-ui-bundle.js', '/docs/static/swagger-ui.css']) {
    const plain = await app.inject({ url });
    expect([url, plain.statusCode, plain.headers['content-encoding']]).toEqual([url, 200, undefined]);
    const small = await app.inject({ url, headers: gzip });
    expect([url, small.headers['content-encoding'], small.headers.vary]).toEqual([url, 'gzip', 'accept-encoding']);
    expect(gunzipSync(small.rawPayload).equals(plain.rawPayload)).toBe(true);
    const etag = String(small.headers.etag);
    const again = await app.inject({ url, headers: { ...gzip, 'if-none-match': etag } });
    expect([url, again.statusCode, again.rawPayload.length]).toEqual([url, 304, 0]);
    expect([url, plain.headers.etag]).toEqual([url, etag]);
  }
  const statuses: number[] = [];
  for (let i = 12; i < 61; i++) statuses.push((await app.inject({ url: '/openapi.json', method: 'HEAD' })).statusCode);
  expect(statuses.slice(-2)).toEqual([200, 429]);
  expect((await app.inject({ url: '/docs/static/swagger-ui.css' })).statusCode).toBe(429);
  expect((await app.inject({ url: '/openapi.json', remoteAddress: '192.0.2.7' })).statusCode).toBe(200);
});
