import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';
import { freePort } from '../servers/service.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Runs the commands of the page in one shell, as a reader does, in a folder that has the checkout's examples. */
async function runPage(script: string, env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'traceflow-integrate-'));
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  const shell = spawn('bash', ['-euo', 'pipefail'], { cwd: folder, env: { ...process.env, ...env } });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk));
  shell.stdin.end(`trap 'kill $(jobs -p) || true' EXIT\n${script}`);
  const [code] = await once(shell, 'close');
  return { code, output };
}

it('every command of docs/integrate.md works against the demo world as it stands', async () => {
  const demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED });
  onTestFinished(() => demo.close());
  const page = await readFile(join(ROOT, 'docs/integrate.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
  expect(blocks.length).toBeGreaterThan(6);
  const receiver = String(await freePort());
  const script = blocks.join('echo\n').replaceAll('http://127.0.0.1:8080', demo.url).replaceAll('9000', receiver);
  const { code, output } = await runPage(script, { TRACEFLOW_KEY: demo.keys.enterprise });
  expect([code, output]).toEqual([0, expect.stringContaining('"plan_id":"enterprise"')]);
  expect(output).toMatch(/^CRITICAL\n100% of the inflow .* sanctioned party/m);
  expect(output).toMatch(/^HIGH$/m);
  expect(output).toMatch(/^danger\nDestination \w+ is under sanctions/m);
  expect(output).toMatch(/^0x\w{40} LOW\n0x\w{40} LOW$/m);
  expect(output).toMatch(/scan\.completed .*"test": ?true/);
  expect(output).toMatch(/^204$/m);
  expect(output).toContain('"label":"Customer 17"');
}, 120_000);
