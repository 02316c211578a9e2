import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeConfig } from '../../src/config.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const text = readFileSync(resolve(ROOT, 'docker-compose.yml'), 'utf8');

interface Service {
  image: string;
  command?: unknown;
  environment: Record<string, string>;
  healthcheck: { test?: unknown; disable?: boolean };
  restart: string;
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
  const secrets = { NEO4J_PASSWORD: 'a', POSTGRES_PASSWORD: 'b', REDIS_PASSWORD: 'c' };
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
    expect.stringMatching(/^neo4j:5\.26/),
    expect.stringMatching(/^postgres:/),
    expect.stringMatching(/^redis:/),
  ]);
});

it.each(services)('%s restarts, has its limits and a word on its health', (_, { deploy, restart, healthcheck }) => {
  expect(deploy.resources.limits).toMatchObject({
    cpus: expect.any(String),
    memory: expect.stringMatching(/^\d+[mg]$/),
  });
  expect(restart).toBe('unless-stopped');
  expect(healthcheck.disable === true || healthcheck.test !== undefined).toBe(true);
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
