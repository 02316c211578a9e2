import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface TestPostgres {
  /** URL of a new, empty database. */
  newDatabase: () => Promise<string>;
  stop: () => Promise<void>;
}

/** Where Debian and others put the server's programs, newest first. */
function programs(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return [...versions.map((version) => join(root, version, 'bin')), '/usr/local/bin', '/usr/bin'].find((folder) =>
    existsSync(join(folder, 'initdb')),
  );
}

/** The server refuses to run as root; then it runs as the user that its package made. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return { uid: userInfo().uid, gid: userInfo().gid };
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/** Why no server can be started here; undefined where one can. */
export function postgresMissing(): string | undefined {
  if (!programs()) return 'PostgreSQL is not installed';
  return serverUser() ? undefined : 'PostgreSQL does not run as root and there is no postgres user';
}

/** A PostgreSQL server of its own in a new folder, on a free port of the loopback interface. */
export async function startPostgres(): Promise<TestPostgres> {
  const bin = programs()!;
  const user = serverUser()!;
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-postgres-'));
  chmodSync(folder, 0o700);
  chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  });
  const port = await freePort();
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: folder, stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const url = (database: string) => `postgres://test@127.0.0.1:${port}/${database}`;
  const ask = async (statement: string) => {
    const client = new pg.Client(url('postgres'));
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  for (let attempt = 1; ; attempt++) {
    try {
      await ask('select 1');
      break;
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(100);
    }
  }
  let databases = 0;
  return {
    newDatabase: async () => {
      databases += 1;
      await ask(`create database test_${databases}`);
      return url(`test_${databases}`);
    },
    stop: async () => {
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
