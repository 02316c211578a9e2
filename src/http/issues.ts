import { z } from 'zod';
import { isStorable } from '../domain/text/storable.ts';
import { type Issue, ShapeError } from '../errors.ts';

type ZodIssue = z.core.$ZodIssue;
type Location = Issue['loc'];

const PARTS: Record<string, string> = { querystring: 'query', params: 'path', body: 'body', headers: 'header' };

/** No list of a request is longer; each bad element would become an issue of its own. */
export const ITEMS_MAX = 5_000;
/** Steps into a body that any schema describes. */
const DEPTH_MAX = 4;
/** Issues that an answer names. */
const ISSUES_MAX = 20;

/**
 * Validates one part of a request; what does not fit becomes a ShapeError in the contract's array form. No text that it lets through is
 * changed by a store.
 */
export function validatorCompiler({ schema, httpPart = 'body' }: { schema: unknown; httpPart?: string }) {
  return (data: unknown) => {
    const long = httpPart === 'body' ? longListIn(data, ['body']) : null;
    if (long) return { error: new ShapeError([tooLong(long)]) };
    // Fastify hands over null where there is no body at all.
    const result = z.safeParse(schema as z.ZodType, data, { reportInput: true, error: nameWhole });
    const part = PARTS[httpPart] ?? httpPart;
    if (result.success) {
      const bad = unstorableIn(result.data, part);
      return bad ? { error: new ShapeError([unstorable(bad)]) } : { value: result.data };
    }
    if (data === null && part === 'body') return { error: new ShapeError([missing(['body'])]) };
    const issues = result.error.issues.slice(0, ISSUES_MAX).flatMap((issue) => toIssues(issue, [part]));
    return { error: new ShapeError(issues.slice(0, ISSUES_MAX)) };
  };
}

/** Returns where the first list stands that is too long, as deep as any schema looks. */
function longListIn(data: unknown, loc: Location): Location | null {
  if (typeof data !== 'object' || data === null || loc.length > DEPTH_MAX) return null;
  if (Array.isArray(data) && data.length > ITEMS_MAX) return loc;
  for (const [name, value] of Object.entries(data)) {
    const long = longListIn(value, [...loc, Array.isArray(data) ? Number(name) : name]);
    if (long) return long;
  }
  return null;
}

/** Returns where a text stands, or a name of a field, that not every store gives back as it is. */
function unstorableIn(data: unknown, part: string): Location | null {
  interface Place {
    value: unknown;
    name: string | number;
    within: Place | null;
  }
  const places: Place[] = [{ value: data, name: part, within: null }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { value, name } = place;
    if (typeof name === 'string' && !isStorable(name)) return locationOf(place.within);
    if (typeof value === 'string' && !isStorable(value)) return locationOf(place);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value))
      places.push({ value: inner, name: isList ? Number(key) : key, within: place });
  }
  return null;

  function locationOf(place: Place | null): Location {
    const path: Location = [];
    for (let at = place; at; at = at.within) path.push(at.name);
    return path.reverse();
  }
}

function unstorable(loc: Location): Issue {
  return { type: 'value_error', loc, msg: 'String should not have a NUL or half a character' };
}

function tooLong(loc: Location): Issue {
  return { type: 'too_long', loc, msg: `List should have at most ${ITEMS_MAX} items` };
}

const WHOLE = 'Input should be a valid integer';

/** zod says `number` where `z.int()` met no number at all; only the schema knows that it asked for a whole one. */
function nameWhole(issue: z.core.$ZodRawIssue): string | undefined {
  const asked = (issue.inst as z.ZodType | undefined)?.def as { format?: string } | undefined;
  return issue.code === 'invalid_type' && asked?.format === 'safeint' ? WHOLE : undefined;
}

function toIssues(issue: ZodIssue, before: Location): Issue[] {
  const loc = [...before, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))];
  if (isMissing(issue)) return [missing(loc)];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return issue.errors.flat().flatMap((one) => toIssues(one, loc));
  }
  return [{ ...describe(issue, loc[0] !== 'body'), loc }].map(({ type, loc, msg }) => ({ type, loc, msg }));
}

function isMissing(issue: ZodIssue): boolean {
  return issue.input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code);
}

function missing(loc: Location): Issue {
  return { type: 'missing', loc, msg: 'Field required' };
}

function describe(issue: ZodIssue, isText: boolean): { type: string; msg: string } {
  // Only a parameter of the query string that is repeated is a list.
  if (isText && Array.isArray(issue.input)) return { type: 'value_error', msg: 'Input should be given once' };
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue, isText);
    case 'invalid_value': {
      const options = issue.values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
      return { type: 'enum', msg: `Input should be ${oneOf(options)}` };
    }
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return wrongFormat(issue);
    default:
      return { type: 'value_error', msg: issue.message };
  }
}

function wrongType(issue: z.core.$ZodIssueInvalidType, isText: boolean): { type: string; msg: string } {
  if (issue.message === WHOLE) {
    if (isText) return { type: 'int_parsing', msg: `${WHOLE}, unable to parse string as an integer` };
    if (typeof issue.input !== 'number') return { type: 'int_type', msg: WHOLE };
    return { type: 'int_from_float', msg: `${WHOLE}, got a number with a fractional part` };
  }
  const [type, name] = TYPES[issue.expected] ?? ['value_error', issue.expected];
  return { type, msg: `Input should be a valid ${name}` };
}

const TYPES: Record<string, [type: string, name: string]> = {
  string: ['string_type', 'string'],
  number: ['float_type', 'number'],
  boolean: ['bool_type', 'boolean'],
  array: ['list_type', 'list'],
  object: ['model_attributes_type', 'dictionary or object to extract fields from'],
  record: ['dict_type', 'dictionary'],
};

function tooSmall(issue: z.core.$ZodIssueTooSmall): { type: string; msg: string } {
  const least = Number(issue.minimum);
  if (issue.origin === 'string')
    return { type: 'string_too_short', msg: `String should have at least ${least} ${characters(least)}` };
  if (issue.origin === 'array') return { type: 'too_short', msg: `List should have at least ${least} ${items(least)}` };
  return issue.inclusive
    ? { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${least}` }
    : { type: 'greater_than', msg: `Input should be greater than ${least}` };
}

function tooBig(issue: z.core.$ZodIssueTooBig): { type: string; msg: string } {
  const most = Number(issue.maximum);
  if (issue.origin === 'string')
    return { type: 'string_too_long', msg: `String should have at most ${most} ${characters(most)}` };
  if (issue.origin === 'array') return { type: 'too_long', msg: `List should have at most ${most} ${items(most)}` };
  return issue.inclusive
    ? { type: 'less_than_equal', msg: `Input should be less than or equal to ${most}` }
    : { type: 'less_than', msg: `Input should be less than ${most}` };
}

function wrongFormat(issue: z.core.$ZodIssueInvalidStringFormat): { type: string; msg: string } {
  const [type, name] = FORMATS[issue.format] ?? ['string_pattern_mismatch', ''];
  return { type, msg: name ? `Input should be a valid ${name}` : issue.message };
}

const FORMATS: Record<string, [type: string, name: string]> = {
  uuid: ['uuid_parsing', 'UUID'],
  guid: ['uuid_parsing', 'UUID'],
  datetime: ['datetime_parsing', 'ISO 8601 datetime'],
  date: ['date_parsing', 'ISO 8601 date'],
  url: ['url_parsing', 'URL'],
  email: ['email_parsing', 'email address'],
};

function oneOf(options: string[]): string {
  return options.length < 2 ? options.join('') : `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
}

function characters(count: number): string {
  return count === 1 ? 'character' : 'characters';
}

function items(count: number): string {
  return count === 1 ? 'item' : 'items';
}
