import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { Config } from '../config.ts';
import { lacksRight, type Right } from '../domain/account/rights.ts';
import { CHAINS } from '../domain/chain.ts';
import {
  BodyTooLargeError,
  type ErrorCode,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  OverloadError,
  RateLimitError,
  UnauthenticatedError,
} from '../errors.ts';
import { PLAN_IDS, PLANS } from '../plans.ts';
import type { Access, Cost } from './access.ts';
import { bodyRefusals, type RefusalStatus, refusals } from './refusals.ts';

const OPENAPI_VERSION = '2026.08.14';

const KEYED: Record<Access, boolean> = { key: true, 'optional-key': true, ip: false, page: false, public: false };
const COST_TEXTS: Record<Cost, string> = {
  none: 'Costs no scan.',
  'one scan': 'Costs one scan.',
  'one scan per address': 'Costs one scan for each address that completes.',
  'one scan per transfer': 'Costs one scan for each transfer whose other side is scanned.',
  'one scan per side': 'Costs one scan for each side that is scanned.',
};
const EITHER_KEY: Record<string, string[]>[] = [{ api_key: [] }, { bearer: [] }];
const SECURITY: Record<Access, Record<string, string[]>[]> = {
  key: EITHER_KEY,
  'optional-key': [...EITHER_KEY, {}],
  ip: [],
  page: [],
  public: [],
};
const IDEMPOTENCY_HEADER = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Of your choice: the same request within 24 hours gets the first answer again',
    },
  },
};

/** Collects the schemas of all routes added after it; `app.swagger()` is the document, with what webhooks send. */
export async function documentRoutes(
  app: FastifyInstance,
  config: Config,
  webhooks: OpenAPIV3_1.Document['webhooks'],
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      webhooks,
      info: {
        title: 'traceflow',
        version: OPENAPI_VERSION,
        description: 'Screening, monitoring and investigation of blockchain addresses.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      // Relative where nobody named it: the page at /docs then calls the host it came from.
      servers: [{ url: config.BASE_URL ? config.publicUrl : '/' }],
      components: {
        securitySchemes: {
          api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'tfk_…' },
        },
      },
    },
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input as Parameters<typeof jsonSchemaTransform>[0]);
      if (!schema || schema.hide) return { schema, url };
      const { access = 'public', feature, cost = 'none', rights = [] } = input.route.config ?? {};
      const example = EXAMPLES[String(schema.operationId)];
      const call = curl(config.publicUrl, String(input.route.method), url, access, example);
      const costText = KEYED[access] ? COST_TEXTS[cost] : '';
      const planIds = feature ? PLAN_IDS.filter((id) => PLANS[id][feature]) : PLAN_IDS;
      const plans = feature ? `Plans: ${planIds.join(', ')}.` : '';
      const needs = rights.length > 0 ? `Rights of the key: ${rights.map((one) => `\`${one}\``).join(', ')}.` : '';
      const facts = [costText, needs, plans].filter(Boolean).join(' ');
      keepBesideSchemas(input.schema.response, schema.response);
      schema.description = [input.schema.description, facts, `\`\`\`sh\n${call}\n\`\`\``].filter(Boolean).join('\n\n');
      schema.security = SECURITY[access];
      Object.assign(schema, { 'x-cost': cost, ...(KEYED[access] && { 'x-rights': rights, 'x-plans': planIds }) });
      if (input.route.config?.idempotent) schema.headers = IDEMPOTENCY_HEADER;
      return { schema, url };
    },
    transformObject: (input) =>
      completeDocument(
        jsonSchemaTransformObject(input as Parameters<typeof jsonSchemaTransformObject>[0]) as OpenAPIV3_1.Document,
      ),
  });
}

/** Adds to each route of the scope the refusals that follow from its access, its plan feature and its input. */
export function documentRefusals(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    if (!route.schema || route.schema.hide) return;
    const { access = 'public', feature, rights, takes, values } = route.config ?? {};
    const schema = route.schema as FastifySchema & { response?: object };
    const statuses: RefusalStatus[] = [500, 503];
    if (KEYED[access]) statuses.push(401);
    if (feature || rights?.length) statuses.push(403);
    if (access !== 'public') statuses.push(429);
    if (schema.querystring || schema.params) statuses.push(422);
    const ofBody = schema.body ? bodyRefusals({ bytes: route.bodyLimit, values, isJson: !takes }) : {};
    schema.response = { ...refusals(...statuses), ...ofBody, ...schema.response };
  });
}

interface DescribedAnswer {
  headers?: object;
  content?: Record<string, { example?: unknown }>;
}

/** The transformation of schemas drops what stands beside them: the headers and examples of answers. */
function keepBesideSchemas(given: unknown, transformed: unknown): void {
  const before = (given ?? {}) as Record<string, DescribedAnswer>;
  for (const [status, answer] of Object.entries((transformed ?? {}) as Record<string, DescribedAnswer>)) {
    const { headers, content = {} } = before[status] ?? {};
    if (headers) answer.headers = headers;
    for (const [type, { example }] of Object.entries(content)) {
      if (example !== undefined) answer.content![type]!.example = example;
    }
  }
}

function curl(base: string, method: string, url: string, access: Access, example?: Example): string {
  const path = url.replace(/:(\w+)/g, (_, name) => example?.params?.[name] ?? `<${name}>`);
  const query = new URLSearchParams(example?.query).toString();
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const key = KEYED[access] ? " -H 'X-API-Key: <your key>'" : '';
  const headers = Object.entries(example?.headers ?? {}).map(([name, value]) => ` -H '${name}: ${value}'`);
  const body = example?.body ? ` -H 'Content-Type: application/json' -d '${JSON.stringify(example.body)}'` : '';
  return `curl${verb}${key}${headers.join('')}${body} '${base}${path}${query && `?${query}`}'`;
}

type Document = OpenAPIV3_1.Document;
type Node = Record<string, unknown>;

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const count = (description: string) => ({ description, schema: { type: 'integer' as const, minimum: 0 } });

const HEADERS = {
  'X-Request-Id': text('The id that you sent, or a new one; name it when you report a fault'),
  'X-RateLimit-Limit': count(
    'Calls a minute that the key may make; of a refusal by the limit of all its keys, those of the account',
  ),
  'X-RateLimit-Remaining': count('Calls that are left in this minute'),
  'Retry-After': count('Seconds after which to try again; not sent where the monthly scan quota is used up'),
};

const CHAIN = { type: 'string' as const, enum: [...CHAINS], description: 'Chain identifier' };

/** The text of Fastify for an answer that its route does not describe. */
const UNDESCRIBED = 'Default Response';
const ANY_REFUSAL = {
  description: 'The request itself cannot be read',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/**
 * Adds what client generators need and the schemas of the routes do not say: the headers of answers, shared schemas named
 * once, answers open to fields that are added later, examples, a refusal for every operation; without unused schemas.
 */
function completeDocument(document: Document): Document {
  const steps = [withPortablePattern, describeOptional, nameChains];
  const { paths, components, ...rest } = rewritten(nameTwinsOnce(document), steps);
  for (const operation of operationsOf(paths)) {
    completeAnswers(operation);
    addExamples(operation);
  }
  const schemas = { ...rewritten(components?.schemas ?? {}, [openToNewFields]), Chain: CHAIN };
  return dropUnusedSchemas({ ...rest, paths, components: { ...components, schemas, headers: HEADERS } });
}

function operationsOf(paths: Document['paths']): OpenAPIV3_1.OperationObject[] {
  return Object.values(paths ?? {}).flatMap((path) => Object.values(path ?? {}) as OpenAPIV3_1.OperationObject[]);
}

function completeAnswers(operation: OpenAPIV3_1.OperationObject): void {
  const { summary = '', security = [] } = operation;
  const answers = rewritten(operation.responses ?? {}, [openToNewFields]) as Record<string, OpenAPIV3_1.ResponseObject>;
  const isRefusable = Object.keys(answers).some((status) => status.startsWith('4'));
  if (!isRefusable) answers['4XX'] = { ...ANY_REFUSAL };
  for (const [status, answer] of Object.entries(answers)) {
    if (answer.description === UNDESCRIBED) answer.description = summary;
    const names = ['X-Request-Id'];
    if (security.length > 0 && status !== '401') names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining');
    if (status === '429' || status === '503') names.push('Retry-After');
    const refs = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
    answer.headers = { ...answer.headers, ...Object.fromEntries(refs) };
  }
  operation.responses = answers;
}

/** A copy in which each object is what the steps make of it. */
function rewritten<T extends object>(part: T, steps: ((node: Node) => Node)[]): T {
  return JSON.parse(JSON.stringify(part), (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? steps.reduce((node, step) => step(node), value as Node)
      : value,
  );
}

/** Characters of the basic plane by their Unicode property; JSON text has no lone surrogate. */
const RANGES = {
  '\\p{Cc}': '\\u0000-\\u001f\\u007f-\\u009f',
  '\\p{Cs}': '',
  '\\p{Default_Ignorable_Code_Point}':
    '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8',
};

/** Unicode classes as ranges: clients check patterns with engines that know none. */
function withPortablePattern(node: Node): Node {
  if (typeof node.pattern !== 'string') return node;
  const pattern = Object.entries(RANGES).reduce((text, [name, range]) => text.replaceAll(name, range), node.pattern);
  return { ...node, pattern };
}

function openToNewFields(node: Node): Node {
  if (node.additionalProperties !== false) return node;
  const { additionalProperties, ...open } = node;
  return open;
}

/** The description of a value that may be null stands beside the choice, where generators look for it. */
function describeOptional(node: Node): Node {
  const [value, nothing, ...more] = (node.anyOf ?? []) as Node[];
  if (nothing?.type !== 'null' || more.length > 0 || node.description || !value?.description) return node;
  const { description, ...bare } = value;
  return { ...node, anyOf: [bare, nothing], description };
}

/** A schema that requests and answers share is listed as input and as output: where both are equal, once. */
function nameTwinsOnce(document: Document): Document {
  const all: Record<string, unknown> = document.components?.schemas ?? {};
  const isTwin = (name: string) => JSON.stringify(all[`${name}Input`]) === JSON.stringify(all[name]);
  const text = JSON.stringify(document).replace(/"#\/components\/schemas\/(\w+)Input"/g, (ref, name) =>
    isTwin(name) ? `"#/components/schemas/${name}"` : ref,
  );
  return JSON.parse(text);
}

function nameChains(node: Node): Node {
  const { type, enum: values, ...rest } = node;
  const isChain = Array.isArray(values) && values.join() === CHAINS.join();
  return isChain ? { $ref: '#/components/schemas/Chain', ...rest } : node;
}

/** The provider lists each named schema as input and as output; drops those that nothing refers to. */
function dropUnusedSchemas(document: Document): Document {
  const all = document.components?.schemas ?? {};
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      visit(all[name!] ?? {});
    }
  };
  visit([document.paths, document.webhooks]);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, components: { ...document.components, schemas } };
}

import recorded from '../../examples/calls.json' with { type: 'json' };

/** A call of an operation on the demo world, and what it answered, by status. Written by `npm run examples`. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  answers: Record<string, unknown>;
}

/** @internal */
export const EXAMPLES: Record<string, Example> = recorded;

interface Refused {
  message: string;
  code: ErrorCode;
}

/** Refusals that any operation may give. */
const REFUSALS: Record<string, Refused> = {
  '4XX': new InvalidInputError('Host header is required'),
  401: new UnauthenticatedError('API key required'),
  404: new NotFoundError(),
  413: new BodyTooLargeError(),
  429: new RateLimitError(PLANS.pro.requestsPerMinute, 0),
  500: { message: 'Internal server error', code: 'internal' },
  503: new OverloadError('Service is overloaded', 1),
};

const INVALID = {
  detail: [{ type: 'missing', loc: ['query', 'q'], msg: 'Field required' }],
  code: 'invalid_shape',
};

const ERROR = '#/components/schemas/Error';

/** Adds the recorded calls to the parameters, bodies and answers of their operations, as examples. */
function addExamples(operation: OpenAPIV3_1.OperationObject<{ 'x-rights'?: readonly Right[] }>): void {
  const [right] = operation['x-rights'] ?? [];
  const refused: Record<string, Refused> = {
    ...REFUSALS,
    ...(right && { 403: new ForbiddenError(lacksRight(right)) }),
  };
  const { params, query, headers, body: sent, answers = {} } = EXAMPLES[operation.operationId ?? ''] ?? {};
  const given: Record<string, string> = { ...params, ...query, ...headers };
  for (const parameter of (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]) {
    const value = given[parameter.name];
    if (value !== undefined) parameter.example = isNumber(parameter.schema) ? Number(value) : value;
  }
  const body = (operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content['application/json'];
  if (body && sent !== undefined) body.example = sent;
  for (const [status, answer] of Object.entries(operation.responses ?? {})) {
    const content = (answer as OpenAPIV3_1.ResponseObject).content?.['application/json'];
    if (!content) continue;
    const isRefusal = content.schema !== undefined && '$ref' in content.schema && content.schema.$ref === ERROR;
    const error = isRefusal ? refused[status] : undefined;
    const usual = status === '422' ? INVALID : error && { detail: error.message, code: error.code };
    content.example = answers[status] ?? content.example ?? usual;
  }
}

function isNumber(schema: OpenAPIV3_1.ParameterObject['schema']): boolean {
  const type = schema && 'type' in schema ? schema.type : undefined;
  return type === 'integer' || type === 'number';
}
