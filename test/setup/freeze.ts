import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Why no server can be frozen on this machine; null where one can. */
export const cannotFreeze =
  process.platform === 'linux' ? null : 'a server is frozen through /proc, which is found on Linux alone';

/** Stops the processes of the server that listens on the port (SIGSTOP); the answer lets them go on. */
export function freezeServer(port: number): () => void {
  const server = listenerOn(port);
  const parents = new Map(processIds().map((pid) => [pid, parentOf(pid)]));
  const isOfServer = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === server || isOfServer(parents.get(pid)));
  // The parent first: it starts no further process then.
  const frozen = [server, ...[...parents.keys()].filter((pid) => pid !== server && isOfServer(pid))];
  const signal = (name: NodeJS.Signals) => {
    for (const pid of frozen) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}

function listenerOn(port: number): number {
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    readFileSync(table, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => state === '0A' && Number.parseInt(local?.split(':')[1] ?? '', 16) === port)
      .map((fields) => `socket:[${fields[9]}]`),
  );
  const holder = processIds().find((pid) => openFilesOf(pid).some((file) => inodes.includes(file)));
  if (holder === undefined) throw new Error(`no process listens on ${port}`);
  return holder;
}

function processIds(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function openFilesOf(pid: number): string[] {
  return orNone(() => readdirSync(`/proc/${pid}/fd`)).flatMap((file) =>
    orNone(() => [readlinkSync(`/proc/${pid}/fd/${file}`)]),
  );
}

function parentOf(pid: number): number {
  const [stat] = orNone(() => [readFileSync(`/proc/${pid}/stat`, 'utf8')]);
  return Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** A process may end while it is looked at. */
function orNone<T>(read: () => T[]): T[] {
  try {
    return read();
  } catch {
    return [];
  }
}
