import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, ms, table } from './table.ts';

const ROUNDS = 7;

/** From the start of the process to the first answer of `/health/live`, beside a bare Node web server. */
export async function benchStart(): Promise<void> {
  const bare: number[] = [];
  const service: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await timeToAnswer(['-e', BARE_SERVER], {}));
    const dataDir = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
    service.push(await timeToAnswer([join(import.meta.dirname, '../src/main.js')], { DATA_DIR: dataDir }));
    rmSync(dataDir, { recursive: true });
  }
  table(
    ['cold start to first answer', 'median', 'ratio'],
    [
      ['bare node:http server', ms(median(bare)), '1.0'],
      ['traceflow, empty embedded stores', ms(median(service)), (median(service) / median(bare)).toFixed(1)],
    ],
  );
}

const BARE_SERVER =
  "require('node:http').createServer((_, answer) => answer.end('ok')).listen(process.env.PORT, '127.0.0.1')";

async function timeToAnswer(args: string[], env: Record<string, string>): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, PORT: String(port), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise<never>((_, reject) => child.once('exit', () => reject(new Error('it did not start'))));
  try {
    await Promise.race([answers(`http://127.0.0.1:${port}/health/live`), exited]);
    return performance.now() - startedAt;
  } finally {
    exited.catch(() => {});
    child.kill('SIGKILL');
  }
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const answered = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
