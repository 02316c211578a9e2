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

it('takes a body that is nested without end', () => {
  let nested: unknown = [];
  for (let depth = 0; depth < 50_000; depth++) nested = [nested];
  expect(validatorCompiler({ schema })({ nested })).toEqual({ value: { nested: expect.anything() } });
});
