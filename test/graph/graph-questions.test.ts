import { expect, it, onTestFinished } from 'vitest';
import { GraphTimeoutError } from '../../src/errors.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { openGraphQuestions } from '../../src/graph/graph-questions.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { withTimeOver } from './time-over.ts';
import { transfer } from './world.ts';

it('keeps the place of a query that runs on in the engine after its time', async () => {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  const many = Array.from({ length: 1_000 }, (_, i) => transfer({ from: 'hub', to: `r${i}` }, i));
  await ingestTransfers(graph, many);
  const pairs = many.map(({ from, to }) => [`ethereum:${from}`, `ethereum:${to}`]);
  const questions = openGraphQuestions(withTimeOver(graph));
  const late = questions.ask({ id: 'x' }, (limited) => limited.read('ingest/read-facts', { pairs }, { timeoutMs: 1 }));
  await expect(late).rejects.toThrow(GraphTimeoutError);
  expect(questions.running).toBe(1);
  await expect.poll(() => questions.running).toBe(0);
});
