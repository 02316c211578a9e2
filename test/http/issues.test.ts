import { expect, it } from 'vitest';
import { z } from 'zod';
import type { ShapeError } from '../../src/errors.ts';
import { validatorCompiler } from '../../src/http/issues.ts';

const schema = z.object({ events: z.array(z.enum(['a', 'b'])).optional(), nested: z.unknown().optional() });
const issuesOf = (data: unknown) => (validatorCompiler({ schema })(data) as { error: ShapeError }).error.issues;

it('names at most twenty of the issues of a request', () => {
  const issues = issuesOf({ events: Array.from({ length: 5_000 }, () => 1) });
  expect(issues).toHaveLength(20);
  expect(issues[0]).toEqual({ type: 'enum', loc: ['body', 'events', 0], msg: "Input should be 'a' or 'b'" });
});

it('refuses a longer list before it looks at its elements', () => {
  const elements = Array.from({ length: 500_000 }, () => 1);
  const refused = { type: 'too_long', loc: ['body', 'events'], msg: 'List should have at most 5000 items' };
  expect(issuesOf({ events: elements })).toEqual([refused]);
});

it('takes a body that is nested without end, and says how deep half a character stands in it', () => {
  const nest = (inner: unknown) => {
    let nested = inner;
    for (let depth = 0; depth < 50_000; depth++) nested = [nested];
    return { nested };
  };
  expect(validatorCompiler({ schema })(nest([]))).toEqual({ value: { nested: expect.anything() } });
  expect(issuesOf(nest('a\ud83d'))[0]!.loc).toHaveLength(50_002);
});

it.each([
  ['a NUL', 'a\0b'],
  ['half a character', 'a\ud83d'],
])('refuses %s in any text or name of it, which no two stores keep alike', (_, text) => {
  const issue = { type: 'value_error', msg: 'String should not have a NUL or half a character' };
  const place = ['body', 'nested'];
  expect(issuesOf({ nested: text })).toEqual([{ ...issue, loc: place }]);
  expect(issuesOf({ nested: [1, { name: [text] }] })).toEqual([{ ...issue, loc: [...place, 1, 'name', 0] }]);
  expect(issuesOf({ nested: { [text]: 1 } })).toEqual([{ ...issue, loc: place }]);
  const whole = { nested: ['a😀\u0001', 1, null, true] };
  expect(validatorCompiler({ schema })(whole)).toEqual({ value: whole });
});
