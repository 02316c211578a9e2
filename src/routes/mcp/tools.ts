import type { Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { OpenAPIV3_1 } from 'openapi-types';
import { InvalidInputError } from '../../errors.ts';
import { IDEMPOTENCY_NOTE } from '../../http/idempotency.ts';

type Schema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] };

/** The operations that are tools, by id: those that answer a question and change nothing but what is left of a quota. */
const TOOL_OPERATIONS = [
  'checkPresign',
  'scanAddress',
  'scanTransaction',
  'listScans',
  'getScan',
  'listCounterparties',
  'listGraphCounterparties',
  'getJob',
  'getJobResults',
  'getExposure',
  'getTerminals',
  'getFunds',
  'findFlowPath',
  'checkRelationship',
  'getTrace',
  'getTraceResults',
  'queryTransfers',
  'sweepContract',
  'lookUpScam',
  'searchScams',
  'getScam',
  'listCases',
  'getCase',
  'listCaseAddresses',
  'listCaseNotes',
  'suggestCaseAddresses',
  'getCaseFunds',
  'listWatchlist',
  'listDiscoveries',
  'getUsage',
];

/** A request to one of this service's routes. */
interface RouteRequest {
  method: 'GET' | 'POST';
  url: string;
  payload?: Record<string, unknown>;
}

export interface Tool {
  definition: ToolDefinition;
  /** Throws InvalidInputError for arguments that cannot be put into a request; the route checks all others. */
  toRequest: (args: Record<string, unknown>) => RouteRequest;
}

/** The tools of an OpenAPI document by name, in the order of the list. */
export function toolsOf(document: OpenAPIV3_1.Document): Map<string, Tool> {
  const all = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({
      path,
      method: method.toUpperCase() as RouteRequest['method'],
      operation: inlined(operation, document) as OpenAPIV3_1.OperationObject,
    })),
  );
  const found = TOOL_OPERATIONS.flatMap((id) => all.filter(({ operation }) => operation.operationId === id));
  return new Map(found.map(({ path, method, operation }) => [operation.operationId!, toTool(path, method, operation)]));
}

/** Every value of the enums of a document, and every name that one of its schemas calls constant. */
export function vocabularyOf(document: OpenAPIV3_1.Document): Set<string> {
  const words = new Set<string>();
  const gather = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { enum: values, const: constant } = value as { enum?: unknown; const?: unknown };
    for (const word of [values, constant].flat()) if (typeof word === 'string') words.add(word);
    for (const part of Object.values(value)) gather(part);
  };
  gather(document);
  return words;
}

function toTool(path: string, method: RouteRequest['method'], operation: OpenAPIV3_1.OperationObject): Tool {
  const parameters = ((operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]).filter(
    (one) => one.in !== 'header',
  );
  const { content } = (operation.requestBody ?? {}) as Partial<OpenAPIV3_1.RequestBodyObject>;
  const body = content?.['application/json']?.schema as Schema | undefined;
  const properties: Record<string, unknown> = {
    ...Object.fromEntries(parameters.map(({ name, schema, description }) => [name, { description, ...schema }])),
    ...body?.properties,
  };
  const required = [...parameters.filter((one) => one.required).map(({ name }) => name), ...(body?.required ?? [])];
  const inQuery = parameters.filter((one) => one.in === 'query').map(({ name }) => name);

  const toRequest: Tool['toRequest'] = (args) => {
    const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
    if (unknown.length > 0) throw new InvalidInputError(`Unknown argument: ${unknown.join(', ')}`);
    const url = path.replace(/\{(\w+)\}/g, (_, name) => pathSegment(name, args[name]));
    const query = new URLSearchParams();
    for (const name of inQuery) if (isGiven(args[name])) query.set(name, plain(name, args[name]));
    const target = { method, url: query.size > 0 ? `${url}?${query}` : url };
    if (!body) return target;
    const inBody = Object.entries(args).filter(([name]) => Object.hasOwn(body.properties ?? {}, name));
    return { ...target, payload: Object.fromEntries(inBody) };
  };

  const { operationId: name = '', summary = '', description = '' } = operation;
  const isFree = (operation as { 'x-cost'?: string })['x-cost'] === 'none';
  return {
    toRequest,
    definition: {
      name,
      title: summary,
      description: `${summary}.\n\n${forTools(description)}`.trim(),
      inputSchema: {
        type: 'object',
        properties,
        required,
        additionalProperties: false,
      } as ToolDefinition['inputSchema'],
      annotations: { title: summary, readOnlyHint: isFree, destructiveHint: false, openWorldHint: true },
    },
  };
}

/** Without the `curl` line, and the header that a tool cannot send. */
function forTools(description: string): string {
  return description
    .replace(/```sh\n[^`]*```/, '')
    .replace(IDEMPOTENCY_NOTE, '')
    .trim();
}

/** A copy without references. Inputs do not refer to themselves, so that it ends; answers are left out. */
function inlined(value: unknown, document: OpenAPIV3_1.Document): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, document));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, responses, ...rest } = value as { $ref?: string; responses?: unknown };
  const named = $ref && document.components?.schemas?.[$ref.replace('#/components/schemas/', '')];
  const own = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, inlined(part, document)]));
  return named ? { ...(inlined(named, document) as object), ...own } : own;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function plain(name: string, value: unknown): string {
  if (typeof value === 'object') throw new InvalidInputError(`${name} should be text or a number`);
  return String(value);
}

/** `.` and `..` would change the path, and a lone surrogate cannot be encoded. */
function pathSegment(name: string, value: unknown): string {
  const text = isGiven(value) ? plain(name, value) : '';
  if (/^\.{0,2}$|\p{Cs}/u.test(text)) throw new InvalidInputError(`${name} is missing or malformed`);
  return encodeURIComponent(text);
}
