import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { GraphError, PipelineError } from '../../src/errors.ts';
import { addProbes, openTestApp } from './test-app.ts';

it('a full disk refuses what would be written by 503, loses nothing, and takes it once there is room', async () => {
  const test = await openTestApp();
  const headers = await test.headers('enterprise');
  const url = '/api/v1/cases';
  const payload = { title: 'Theft', description: 'x'.repeat(10_000) };
  const open = () => test.app.inject({ method: 'POST', url, headers, payload });
  const pages = async (most: number) => {
    await sql.raw(`pragma max_page_count = ${most}`).execute(test.ctx.records);
  };
  await pages(1);
  const answers = [];
  while (answers.at(-1)?.statusCode !== 503 && answers.length < 50) answers.push(await open());
  const [refused] = answers.splice(-1);
  expect(refused!.json()).toEqual({ detail: 'The disk is full', code: 'unavailable' });
  expect(refused!.headers['retry-after']).toBe('60');
  expect(test.logged()).toContain('database or disk is full');
  await pages(2 ** 30);
  answers.push(await open());
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
  expect((await test.app.inject({ url, headers })).json().total).toBe(answers.length);
});

it('takes the words of a caller for no full disk', async () => {
  const test = await openTestApp();
  const said = 'No space left on device';
  await addProbes(test, { own: new PipelineError(`Nothing is known of ${said}`) });
  const headers = await test.headers();
  const scan = await test.app.inject({ url: `/api/v1/public/scan?chain=${encodeURIComponent(said)}`, headers });
  expect([400, 422]).toContain(scan.statusCode);
  const own = await test.app.inject({ method: 'POST', url: '/probe/throw/own', headers });
  expect([own.statusCode, own.json().code]).toEqual([500, 'pipeline_failed']);
});

it('says of the graph too that its disk is full', async () => {
  const test = await openTestApp();
  const cause = new Error('I/O error on the WAL: No space left on device (os error 28)');
  await addProbes(test, { graph: new GraphError({ cause }) });
  const answer = await test.app.inject({ method: 'POST', url: '/probe/throw/graph', headers: await test.headers() });
  expect([answer.statusCode, answer.json().detail]).toEqual([503, 'The disk is full']);
});
