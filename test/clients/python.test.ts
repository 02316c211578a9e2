import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Demo, startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import { writeDocument } from '../../scripts/clients/openapi-document.ts';
import { deposits, listSender } from './deposits.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Why the suite cannot run on this machine; in CI it must. */
const missing = process.env.CI ? undefined : lacking();
let folder: string;
let python: string;
let demo: Demo;

beforeAll(async () => {
  if (missing) return;
  folder = await mkdtemp(join(tmpdir(), 'traceflow-python-client-'));
  await Promise.all([run('python3', ['-m', 'venv', folder]), writeDocument()]);
  python = join(folder, 'bin/python');
  const install = run(python, ['-m', 'pip', 'install', '--quiet', join(ROOT, 'clients/python')]);
  [demo] = await Promise.all([startDemo({ PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED }), install]);
}, 300_000);
beforeEach(({ skip }) => {
  if (missing) skip(missing);
});
afterAll(async () => {
  await demo?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

function lacking(): string | undefined {
  const probe = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  return spawnSync('python3', ['-c', probe]).status === 0 ? undefined : 'needs python3 3.11 or newer, with venv';
}

const address = (story: string, name?: string) => roleOf(demo.world, 'ethereum', story, name).address;

/** Runs a Python file with the installed client; what it printed. */
async function runPython(file: string, args: string[] = [], env: Record<string, string> = {}): Promise<string> {
  const settings = { TRACEFLOW_URL: demo.url, TRACEFLOW_KEY: demo.keys.enterprise, ...env };
  const { stdout } = await run(python, ['-I', join(ROOT, file), ...args], { env: { ...process.env, ...settings } });
  return stdout;
}

it('scans, reads the record, follows the money, downloads a report, and gives refusals as answers', async () => {
  const answers = JSON.parse(
    await runPython('test/clients/use_client.py', [address('laundering', 'layer_4'), demo.caseId, demo.keys.free]),
  );
  expect(answers).toEqual({
    level: 'CRITICAL',
    recorded_score: answers.score,
    score: expect.any(Number),
    indirect: expect.arrayContaining(['sanctioned']),
    report: '%PDF-',
    unknown_key: [401, 'Invalid API key'],
    plan: [403, 'Transaction-hash scan is an Enterprise feature.'],
    shape: [422, ['path', 'scan_id']],
    used: expect.any(Number),
    raised: [
      [401, 'unauthenticated', null],
      [0, 'no_answer', null],
    ],
    pages: [answers.pages[1], expect.any(Number)],
    new_name: 'a chain of a later version',
  });
});

it('the example of its page runs', async () => {
  const page = await readFile(join(ROOT, 'clients/python/README.md'), 'utf8');
  const example = page
    .match(/^```python\n([\s\S]*?)^```$/m)![1]!
    .replace('http://127.0.0.1:8080', demo.url)
    .replace('tfk_…', demo.keys.business)
    .replace(/0x\w{40}/, address('sanctioned_counterparty'));
  const { stdout } = await run(python, ['-I', '-c', example]);
  expect(stdout).toMatch(/^CRITICAL \d+ \[Detection\(/);
});

it('the example signs what is clean, refuses what is listed, and asks where there is no verdict', async () => {
  const gate = async (to: string, env?: Record<string, string>) => {
    const [action, ...reasons] = (await runPython('clients/python/examples/presign_gate.py', [to], env)).split('\n');
    return { action, reasons: reasons.join('\n') };
  };
  expect(await gate(address('exchange_hot_wallet'))).toMatchObject({ action: 'sign' });
  expect(await gate(address('sanctioned'))).toEqual({
    action: 'refuse',
    reasons: expect.stringContaining('under sanctions'),
  });
  expect(await gate('nonsense')).toMatchObject({ action: 'refuse' });
  expect(await gate(address('desk'), { TRACEFLOW_KEY: 'tfk_unknown' })).toMatchObject({ action: 'ask' });
  expect(await gate(address('desk'), { TRACEFLOW_URL: 'http://127.0.0.1:1' })).toMatchObject({ action: 'ask' });
});

it('the example credits a harmless deposit, holds another, and shows the alert when its sender is listed later', async () => {
  const { harmless, tainted } = deposits(demo.world);
  const loop = ({ txHash, address: to }: { txHash: string; address: string }, reference: string) =>
    runPython('clients/python/examples/deposit_loop.py', [txHash, to, reference]);
  expect(await loop(tainted, 'py-1')).toMatch(/^hold /);
  expect(await loop(harmless, 'py-2')).toMatch(/^credit (LOW|MEDIUM)\n$/);
  await listSender(demo.ctx, harmless.from);
  expect(await loop(harmless, 'py-2')).toMatch(/^credit (LOW|MEDIUM)\ncritical /);
}, 120_000);
