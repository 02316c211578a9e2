import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const IMAGE = 'traceflow';
const NAME = `traceflow-test-${process.pid}`;
const packageJson = readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8');

/** An engine that has the image: `docker build --tag traceflow .` makes it; no test does, it takes minutes. */
const engine = ['docker', 'podman'].find(
  (command) => spawnSync(command, ['image', 'inspect', IMAGE], { timeout: 10_000 }).status === 0,
);

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(engine!, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${engine} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** What the command says inside of the running container. */
const inside = (...command: string[]) => run('exec', NAME, ...command);

async function untilReady(): Promise<void> {
  const url = `http://${run('port', NAME, '8080/tcp').split('\n')[0]}/health/ready`;
  // A connection from before the service listens may hang in the engine's proxy.
  const asked = () => fetch(url, { signal: AbortSignal.timeout(2_000) });
  await vi.waitFor(async () => expect((await asked()).status).toBe(200), { timeout: 110_000, interval: 100 });
}

describe.skipIf(!engine)(`the container image${engine ? '' : ` (skipped: no image ${IMAGE} here)`}`, () => {
  beforeAll(async () => {
    const hardened = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    const data = ['--volume', `${NAME}:/data`, '--publish', '127.0.0.1::8080'];
    run('run', '--detach', '--init', '--name', NAME, '--stop-timeout', '30', ...hardened, ...data, IMAGE);
    await untilReady();
  }, 120_000);

  afterAll(() => {
    spawnSync(engine!, ['rm', '--force', '--volumes', NAME]);
    spawnSync(engine!, ['volume', 'rm', '--force', NAME]);
  });

  it('runs as a user that can write nothing but the data', () => {
    expect(inside('id', '--user')).toBe('1000');
    expect(inside('find', '/app', '-not', '-user', 'root')).toBe('');
    expect(inside('ls', '/data')).toContain('records.sqlite');
  });

  it('holds what the service needs, and neither tools of development nor settings', () => {
    const { dependencies, devDependencies } = JSON.parse(packageJson) as Record<string, Record<string, string>>;
    const installed = inside('sh', '-c', 'cd node_modules && ls -d * @*/*').split('\n');
    expect(Object.keys(dependencies!).filter((name) => !installed.includes(name))).toEqual([]);
    expect(Object.keys(devDependencies!).filter((name) => installed.includes(name))).toEqual([]);
    expect(inside('ls', '-A').split('\n')).toEqual(['cypher', 'dist', 'node_modules', 'package.json']);
  });

  it('reports its health to the engine by a command that succeeds', () => {
    const [tested] = JSON.parse(run('inspect', NAME)) as [{ Config: { Healthcheck: { Test: string[] } } }];
    const [kind, ...command] = tested.Config.Healthcheck.Test;
    expect(kind).toBe('CMD');
    expect(inside(...command)).toBe('');
  });

  it('closes by itself when it is stopped, and has what it kept when it is started again', async () => {
    const account = JSON.parse(inside('traceflow', 'accounts', 'create', '--name', 'Kept', '--plan', 'pro', '--json'));
    run('stop', NAME);
    expect(run('inspect', '--format', '{{.State.ExitCode}}', NAME)).toBe('0');
    run('start', NAME);
    await untilReady();
    expect(inside('traceflow', 'keys', 'list', '--account', account.id, '--json')).toBe('[]');
  }, 120_000);
});
