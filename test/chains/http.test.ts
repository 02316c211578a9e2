import { expect, it, onTestFinished } from 'vitest';
import { askSource } from '../../src/chains/http.ts';
import type { SourceError } from '../../src/errors.ts';
import { serveUpstream } from '../contract/upstream.ts';

const BUSY = { json: { busy: true } };
const REFUSED = { status: 429, json: {} };
const BROKEN = { status: 503, json: {} };
const FINE = { json: {} };

it.each([
  [[REFUSED, REFUSED, FINE], 'ok'],
  [[BUSY, BUSY, FINE], 'ok'],
  [[BUSY, REFUSED, BROKEN, FINE], 'ok'],
  [[BROKEN, BROKEN, FINE], 'HTTP 503'],
])('gives up a question that may break twice only after two broken answers (%#)', async (answers, outcome) => {
  const left = [...answers];
  const server = await serveUpstream(() => left.shift() as (typeof answers)[number]);
  onTestFinished(() => server.close());
  const asked = askSource(
    { chain: 'bitcoin', name: 'test', baseUrl: server.url },
    { attempts: 2, complaint: ({ json }) => ((json as { busy?: boolean }).busy ? 'busy' : null) },
  );
  await expect(
    asked.then(
      () => 'ok',
      (error: SourceError) => error.reason,
    ),
  ).resolves.toContain(outcome);
});
