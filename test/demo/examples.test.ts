import { expect, it } from 'vitest';
import { recordExamples } from '../../scripts/examples/record.ts';
import { EXAMPLES } from '../../src/http/document-routes.ts';
import { strictAnswers } from '../app/strict-answers.ts';

it('the examples of the API are what the demo answers today; if not, run: npm run examples', {
  timeout: 600_000,
}, async () => {
  expect(await recordExamples(undefined, { writeAnswers: strictAnswers })).toEqual(EXAMPLES);
});
