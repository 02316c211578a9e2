import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { packDemoCase } from '../../fixtures/demo/open-case.ts';
import { startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';
import type { AppOptions } from '../../src/app.ts';
import type { KeyRight } from '../../src/domain/account/rights.ts';
import type { Example } from '../../src/http/document-routes.ts';
import { listPackages } from '../../src/questions/cases/report-package/get-packages.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { openRecorder } from './recorder.ts';
import { tour } from './tour/tour.ts';
import { withoutVolatile } from './volatile.ts';

/** When the recorded calls are made; some days after the last block of the demo world. */
const NOW = Date.parse('2026-11-20T10:00:00Z');
/** So that what two calls made stands in a known order. */
const BETWEEN_CALLS_MS = 10_000;
const POLL_MS = 100;

/** Empty servers in place of the embedded stores; the limits in Redis have a clock of their own, moved by `pass`. */
interface Servers {
  settings: Record<string, string>;
  pass: (ms: number) => Promise<void>;
}

/** Each operation's requests and answers, and those of which no answer was given again for its idempotency key. */
interface Recorded {
  examples: Record<string, Example>;
  unkept: string[];
}

/** Runs the demo on a clock of its own, on these servers if any, and calls every operation. */
export async function recordExamples(servers?: Servers, options: AppOptions = {}): Promise<Recorded> {
  let at = NOW;
  const receiver = createServer((request, answer) => request.resume().on('end', () => answer.end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const demo = await startDemo(
    { PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED, PRESIGN_STORES_MS: '10000' },
    { ...options, now: () => at, servers: servers?.settings },
  );
  try {
    await packDemoCase(demo);
    // Before the clock goes on: a job whose lease ended is begun again.
    const isPacked = async () =>
      (await listPackages(demo.ctx, demo.enterprise, demo.caseId)).every(({ status }) => status === 'completed');
    while (!(await isPacked())) await setTimeout(POLL_MS);
    const tick = async () => {
      at += BETWEEN_CALLS_MS;
      await servers?.pass(BETWEEN_CALLS_MS);
    };
    const { id: accountId } = await createAccount(demo.ctx.records, { name: 'Stranger', planId: 'enterprise' }, at);
    const issue = (name: string, scopes?: KeyRight[]) => insertKey(demo.ctx.records, { accountId, name, scopes }, at);
    const { key: strangerKey } = await issue('stranger');
    const { key: readerKey } = await issue('reader', ['read']);
    const keys = { key: demo.keys.enterprise, freeKey: demo.keys.free, strangerKey, readerKey };
    const recorder = await openRecorder(demo.url, { ...keys, tick });
    await tour({ ...recorder, world: demo.world, keys: demo.keys, hook });
    const examples = withoutVolatile(recorder.examples, {
      [hook]: 'https://hooks.example.com/traceflow',
      [demo.url]: 'http://127.0.0.1:8080',
    });
    return { examples, unkept: [...recorder.unkept] };
  } finally {
    await demo.close();
    receiver.close();
  }
}
