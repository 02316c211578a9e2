import type { OpenAPIV3_1 } from 'openapi-types';
import recorded from '../../../examples/calls.json' with { type: 'json' };
import { lacksRight, type Right } from '../../domain/account/rights.ts';
import { BodyTooLargeError, RateLimitError } from '../../errors.ts';
import { PLANS } from '../../plans.ts';

/** A call of an operation on the demo world, and what it answered, by status. Written by `npm run examples`. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  answers: Record<string, unknown>;
}

export const EXAMPLES: Record<string, Example> = recorded;

/** Refusals that any operation may give. */
const REFUSALS: Record<string, string> = {
  '4XX': 'Host header is required',
  401: 'API key required',
  404: 'Not found',
  413: new BodyTooLargeError().message,
  429: new RateLimitError(PLANS.pro.requestsPerMinute, 0).message,
  500: 'Internal server error',
  503: 'Service is overloaded',
};

const INVALID = [{ type: 'missing', loc: ['query', 'q'], msg: 'Field required' }];

const ERROR = '#/components/schemas/Error';

/** Puts the recorded calls beside the parameters, bodies and answers of their operations. */
export function addExamples(operation: OpenAPIV3_1.OperationObject<{ 'x-rights'?: readonly Right[] }>): void {
  const [right] = operation['x-rights'] ?? [];
  const refused: Record<string, string> = { ...REFUSALS, ...(right && { 403: lacksRight(right) }) };
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
    const detail = status === '422' ? INVALID : isRefusal ? refused[status] : undefined;
    content.example = answers[status] ?? content.example ?? (detail && { detail });
  }
}

function isNumber(schema: OpenAPIV3_1.ParameterObject['schema']): boolean {
  const type = schema && 'type' in schema ? schema.type : undefined;
  return type === 'integer' || type === 'number';
}
