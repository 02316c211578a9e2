import type { OpenAPIV3_1 } from 'openapi-types';
import recorded from './examples.json' with { type: 'json' };

/** A call of an operation on the demo world, and what it answered, by status. Written by `npm run examples`. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  answers: Record<string, unknown>;
}

export const EXAMPLES: Record<string, Example> = recorded;

/** Puts the recorded calls beside the parameters, bodies and answers of their operations. */
export function addExamples(operation: OpenAPIV3_1.OperationObject): void {
  const example = EXAMPLES[operation.operationId ?? ''];
  if (!example) return;
  const given: Record<string, string> = { ...example.params, ...example.query };
  for (const parameter of (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]) {
    const value = given[parameter.name];
    if (value !== undefined) parameter.example = isNumber(parameter.schema) ? Number(value) : value;
  }
  const body = (operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content['application/json'];
  if (body && example.body !== undefined) body.example = example.body;
  for (const [status, answer] of Object.entries(operation.responses ?? {})) {
    const content = (answer as OpenAPIV3_1.ResponseObject).content?.['application/json'];
    if (content && status in example.answers) content.example = example.answers[status];
  }
}

function isNumber(schema: OpenAPIV3_1.ParameterObject['schema']): boolean {
  const type = schema && 'type' in schema ? schema.type : undefined;
  return type === 'integer' || type === 'number';
}
