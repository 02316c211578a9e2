import { z } from 'zod';
import { CHAINS } from '../domain/chain.ts';
import { type AppError, ERROR_CODES } from '../errors.ts';
import { BODY_BYTES_MAX, JSON_MAX } from './body.ts';

/** Not an enum: a client must take a code that a later version adds. */
const Code = z
  .string()
  .describe('What a program acts on; it stays when the text changes. New codes may be added.')
  .meta({ 'x-extensible-enum': ERROR_CODES, example: 'not_found' });

const ErrorBody = z
  .object({
    detail: z.string().describe('What is wrong, and what to do where that is not plain'),
    code: Code,
    hint: z.string().optional().describe('What to send instead, where an address or a chain was not understood'),
  })
  .meta({ id: 'Error' });

const Issue = z
  .object({
    type: z.string().describe('Kind of fault: `missing`, `string_type`, `enum`, …'),
    loc: z
      .array(z.union([z.string(), z.int()]))
      .describe('Where: `body`, `query` or `path`, then the names on the way'),
    msg: z.string().describe('The same for people'),
  })
  .meta({ id: 'ValidationIssue' });

const ValidationErrorBody = z
  .object({
    detail: z.array(Issue).describe('Every fault that was found'),
    code: Code,
  })
  .meta({ id: 'ValidationError' });

const REFUSALS = {
  400: 'The request is well-formed but asks for something that cannot be',
  401: '`API key required` or `Invalid API key`',
  403: 'The plan lacks the feature, the key the right, a limit is reached, or the entry must stay',
  404: 'Not found, or owned by another tenant',
  409: 'Conflict with what is there',
  410: 'It cannot be given any more',
  412: 'It was changed in the meantime',
  413: 'The body is larger than 1 MiB',
  422: 'A field is missing or has the wrong type or shape',
  428: 'The request does not name the version that it changes',
  429: 'Too many requests a minute or at once, or new keys or rescans a day (with `Retry-After`), or the monthly scan quota is used up (without)',
  500: 'Server or pipeline failure',
  502: 'The data source of the chain failed',
  503: 'Overload; try again after `Retry-After` seconds',
} as const;

export type RefusalStatus = keyof typeof REFUSALS;

/**
 * Error answers for a route's `response` schema. A route names only its own (400, 404, 409, …): those that follow from
 * its access, plan feature and input are added to all routes. Where no recorded call shows a refusal, the error itself is
 * given as its example. Untyped, since handlers throw them.
 */
export function refusals(...own: (RefusalStatus | AppError)[]): object {
  const answers: Record<string, object> = {};
  for (const one of own) {
    const [status, error] = typeof one === 'number' ? [one] : [one.status as RefusalStatus, one];
    answers[status] = refusal(status, error);
  }
  return answers;
}

/** The refusals of a body beyond its bounds; untyped as the others. */
export function bodyRefusals({ bytes = BODY_BYTES_MAX, values = JSON_MAX.values, isJson }: BodyBounds): object {
  const { levels, names } = JSON_MAX;
  const counts = [levels, values, names].map((count) => count.toLocaleString('en'));
  const tooMuch = `; or the JSON has more than ${counts[0]} levels, ${counts[1]} names and values, or ${counts[2]} names in one object`;
  return {
    413: { ...refusal(413), description: `The body is larger than ${bytes / 2 ** 20} MiB` },
    422: { ...refusal(422), description: REFUSALS[422] + (isJson ? tooMuch : '') },
  };
}

interface BodyBounds {
  bytes?: number;
  values?: number;
  isJson: boolean;
}

/**
 * The answer of an operation that only people can call: the recorded calls, which have keys, show none of it. Untyped as
 * the refusals, since the handler's question says what it gives.
 */
export function shownAnswer(status: 200 | 201, schema: z.ZodType, example: unknown): object {
  return { [status]: { description: 'Done', content: { 'application/json': { schema, example } } } };
}

const AddressNotFoundBody = ErrorBody.extend({
  active_on: z
    .array(z.enum(CHAINS))
    .optional()
    .describe('Other chains on which the address is in use; left out where none is known'),
}).meta({ id: 'AddressNotFound' });

/** The 404 of a scan. */
export const ADDRESS_NOT_FOUND = {
  description: 'No source, list or graph knows the address on this chain',
  content: { 'application/json': { schema: AddressNotFoundBody } },
};

const OutdatedBody = ErrorBody.extend({
  version: z.int().optional().describe('The version that is there now'),
  saved_at: z.string().optional().describe('When it was saved'),
  saved_by: z.string().optional().describe('Name of the key that saved it'),
}).meta({ id: 'Outdated' });

const BODIES: Partial<Record<RefusalStatus, z.ZodType>> = { 412: OutdatedBody, 422: ValidationErrorBody };

function refusal(status: RefusalStatus, error?: AppError) {
  const example = error && { detail: error.message, code: error.code };
  const media = { schema: BODIES[status] ?? ErrorBody, ...(example && { example }) };
  return { description: REFUSALS[status], content: { 'application/json': media } };
}
