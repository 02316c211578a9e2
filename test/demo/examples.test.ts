import { beforeAll, expect, it, vi } from 'vitest';
import { recordExamples } from '../../scripts/examples/record.ts';
import { EXAMPLES } from '../../src/http/document-routes.ts';
import type * as Keys from '../../src/records/accounts/idempotency-keys.ts';
import { strictAnswers } from '../app/strict-answers.ts';

// Each process that did its work ends before its answer goes out, and the lease of its key ends with it.
vi.mock('../../src/records/accounts/idempotency-keys.ts', async (original) => {
  const keys = await original<typeof Keys>();
  const keepAnswer: typeof keys.keepAnswer = async (records, held, answer) => {
    if (records.isTransaction || answer.statusCode >= 300) return keys.keepAnswer(records, held, answer);
    await keys.dropIdempotencyKey(records, held);
    return true;
  };
  return { ...keys, keepAnswer };
});

let recorded: Awaited<ReturnType<typeof recordExamples>>;
beforeAll(async () => {
  recorded = await recordExamples(undefined, { writeAnswers: strictAnswers });
}, 600_000);

it('the examples of the API are what the demo answers today; if not, run: npm run examples', () => {
  expect(recorded.examples).toEqual(EXAMPLES);
});

it('what an operation does under an idempotency key is kept together with its answer', () => {
  // A person alone asks for approval: test/http/idempotency.test.ts.
  expect(recorded.unkept).toEqual(['askApproval']);
});
