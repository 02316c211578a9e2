import type { OpenAPIV3_1 } from 'openapi-types';
import recorded from '../../examples/calls.json' with { type: 'json' };
import { lacksRight, type Right } from '../domain/account/rights.ts';
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
import { PLANS } from '../plans.ts';

/** A call of an operation on the demo world, and what it answered, by status. Written by `npm run examples`. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  answers: Record<string, unknown>;
}

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
export function addExamples(operation: OpenAPIV3_1.OperationObject<{ 'x-rights'?: readonly Right[] }>): void {
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
