import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { Config } from '../../config.ts';
import { PLAN_IDS, PLANS } from '../../plans.ts';
import type { Access, Cost } from '../access.ts';
import { bodyRefusals, type RefusalStatus, refusals } from '../refusals.ts';
import { completeDocument } from './complete-document.ts';
import { EXAMPLES, type Example } from './examples.ts';

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
      servers: [{ url: config.BASE_URL ? serverUrl(config) : '/' }],
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
      const call = curl(serverUrl(config), String(input.route.method), url, access, example);
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

function serverUrl({ BASE_URL, HOST, PORT }: Config): string {
  return BASE_URL ? BASE_URL.replace(/\/(?:api\/v1\/?)?$/, '') : `http://${HOST}:${PORT}`;
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
