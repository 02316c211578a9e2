import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, newFolder, outputOf, type Service, ServiceMissing, startServer } from './service.ts';

const INSTALLED = '/usr/lib/postgresql';

/** The newest PostgreSQL that is installed, with an empty database; forgets everything when the power goes. */
export async function startPostgres(): Promise<Service> {
  const bin = findPrograms();
  const user = ownUser();
  const folder = newFolder('postgres');
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (user) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'traceflow', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { cwd: folder, encoding: 'utf8', ...user },
  );
  if (made.status !== 0) throw new ServiceMissing(`PostgreSQL's initdb failed: ${made.stderr.slice(0, 500)}`);
  const port = await freePort();
  const url = `postgres://traceflow@127.0.0.1:${port}/postgres`;
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off'];
  const stop = await startServer('PostgreSQL', {
    command: join(bin, 'postgres'),
    args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    folder,
    user,
    signal: 'SIGINT',
    answers: () => connect(url),
  });
  return { settings: { DATABASE_URL: url }, stop };
}

function findPrograms(): string {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(INSTALLED, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  const bin = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (!bin) throw new ServiceMissing('PostgreSQL is not installed (no initdb)');
  return bin;
}

/** The server refuses to run as root; its package brings a user for it. */
function ownUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = [outputOf('id', ['-u', 'postgres']), outputOf('id', ['-g', 'postgres'])];
  if (!uid || !gid) throw new ServiceMissing('PostgreSQL does not run as root, and there is no user postgres');
  return { uid: Number(uid), gid: Number(gid) };
}

async function connect(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}
