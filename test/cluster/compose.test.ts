import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { describeConfig } from '../../src/config.ts';
import { freePort, outputOf } from '../servers/service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const text = readFileSync(resolve(ROOT, 'docker-compose.yml'), 'utf8');

interface Service {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  healthcheck: { test?: unknown; disable?: boolean };
  restart: string;
  user?: string;
  cap_drop?: string[];
  security_opt?: string[];
  ports?: string[];
  deploy: { replicas?: number; resources: { limits: { cpus: string; memory: string } } };
}
const file = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: object };
const services = Object.entries(file.services);
const ours = services.filter(([, service]) => service.image === 'traceflow').map(([, service]) => service);

/** A plugin of the docker command or a command of its own. */
const client = [['docker', 'compose'], ['docker-compose']].find(
  ([command, ...args]) => spawnSync(command!, [...args, 'version']).status === 0,
);

it.skipIf(!client)(`is what docker compose takes${client ? '' : ' (skipped: no docker compose here)'}`, () => {
  const config = (env: Record<string, string>) =>
    spawnSync(client![0]!, [...client!.slice(1), '-f', 'docker-compose.yml', 'config', '--quiet'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
  const secrets = {
    NEO4J_PASSWORD: 'a',
    POSTGRES_PASSWORD: 'b',
    REDIS_PASSWORD: 'c',
    SECRET_KEY: 'a key of 16 letters',
  };
  expect(config(secrets)).toMatchObject({ status: 0, stderr: '' });
  for (const name of Object.keys(secrets)) {
    const lacking = config({ ...secrets, [name]: '' });
    expect(lacking.status, name).not.toBe(0);
    expect(lacking.stderr).toContain(`set ${name}`);
  }
});

it('runs two servers and two workers on Neo4j, PostgreSQL and Redis', () => {
  const replicas = (command: string) =>
    ours
      .filter((service) => String(service.command) === command)
      .reduce((sum, { deploy }) => sum + (deploy.replicas ?? 1), 0);
  expect([replicas('serve'), replicas('work')]).toEqual([2, 2]);
  expect(services.map(([, { image }]) => image).filter((image) => image !== 'traceflow')).toEqual([
    expect.stringMatching(/^neo4j:5\.26\.\d+-/),
    expect.stringMatching(/^postgres:\d+\.\d+-/),
    expect.stringMatching(/^redis:\d+\.\d+\.\d+-/),
  ]);
});

it.each(services)('%s restarts, has its limits and a word on its health', (_, { deploy, restart, healthcheck }) => {
  expect(deploy.resources.limits).toMatchObject({
    cpus: expect.any(String),
    memory: expect.stringMatching(/^\d+[mg]$/),
  });
  expect(restart).toBe('unless-stopped');
  expect(healthcheck.test).toBeDefined();
});

it.each(services)('%s has no capability, gains none, and no store is root', (name, service) => {
  expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  if (service.image !== 'traceflow') expect(service.user).toBe(name);
});

it('names exact versions of base images and of the actions of the workflow, which may only read', () => {
  const bases = readFileSync(resolve(ROOT, 'Dockerfile'), 'utf8').match(/^FROM .*$/gm);
  for (const base of bases ?? []) expect(base).toMatch(/^FROM node:\d+\.\d+\.\d+-/);
  const workflow = readFileSync(resolve(ROOT, '.github/workflows/ci.yml'), 'utf8');
  for (const action of workflow.match(/uses: .*/g) ?? []) expect(action).toMatch(/@v\d+\.\d+\.\d+$/);
  expect(parse(workflow)).toMatchObject({ permissions: { contents: 'read' } });
});

const redisMissing = outputOf('redis-server', ['--version']) ? null : 'Redis is not installed';

it('gives Redis its password, which is not among the arguments of the process', async ({ skip }) => {
  if (redisMissing) skip(redisMissing);
  const [command, ...args] = file.services.redis!.command!.map((part) => part.replaceAll('$$', '$'));
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-redis-'));
  const port = await freePort();
  const script = args.at(-1)!.replace('redis-server - ', `redis-server - --port ${port} `);
  const env = { PATH: process.env.PATH, REDISCLI_AUTH: 'hush-hush' };
  const server = spawn(command!, [...args.slice(0, -1), script], { cwd: folder, env, stdio: 'ignore' });
  onTestFinished(() => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const redis = new Redis(port, { password: 'hush-hush' }).on('error', () => {});
  expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  const stranger = new Redis(port).on('error', () => {});
  await expect(stranger.get('x')).rejects.toThrow('NOAUTH');
  const shown = spawnSync('ps', ['-o', 'args=', '-p', String(server.pid)], { encoding: 'utf8' }).stdout;
  expect(shown).toContain('redis-server');
  expect(shown).not.toContain('hush-hush');
  redis.disconnect();
  stranger.disconnect();
});

it('has no default password, and nothing that the network of the host can reach', () => {
  const secrets = text.match(/\$\{\w*(PASSWORD|SECRET)\w*[^}]*\}/g) ?? [];
  expect(secrets.length).toBeGreaterThan(5);
  for (const secret of secrets) expect(secret).toMatch(/^\$\{(\w+):\?set \1\}$/);
  for (const [, { ports }] of services) for (const port of ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
});

it('names no setting that the service does not know', () => {
  const known = new Set(describeConfig({}, {}).map(({ name }) => name));
  for (const { environment } of ours) expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
});
