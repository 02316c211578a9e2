import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that runs until it is stopped; its data go with it. */
export interface Service {
  /** The settings that point the product at it. */
  settings: Record<string, string>;
  stop(): Promise<void>;
}

/** A server cannot be had on this machine, and why. */
export class ServiceMissing extends Error {}

export function newFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `traceflow-${name}-`));
}

/** A port of the loopback interface that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Output of a command, or null where it cannot be run or fails. */
export function outputOf(command: string, args: string[]): string | null {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? `${stdout}${stderr}` : null;
}

export interface ServerProcess {
  command: string;
  args: string[];
  /** Its working directory, removed in the end. */
  folder: string;
  /** Another user, where the server refuses to run as root. */
  user?: { uid: number; gid: number };
  /** Resolves once the server answers; rejections are tried again. */
  answers: () => Promise<unknown>;
  /** Asks the server to end at once, without waiting for clients. */
  signal?: NodeJS.Signals;
}

/** Long enough for a machine on which much else runs: a suite passes over an engine that did not start. */
const START_MS = 300_000;
const STOP_MS = 20_000;

/** Killed when this process ends, by one listener for all: Node warns of more than ten. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a server and waits until it answers; answers how to stop it. */
export async function startServer(name: string, server: ServerProcess): Promise<() => Promise<void>> {
  const { command, args, folder, user } = server;
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], ...user });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log = `${log}${chunk}`.slice(-4_000);
    });
  }
  running.add(child);
  const stop = async () => {
    await end(child, server.signal ?? 'SIGTERM');
    running.delete(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_MS;
  for (;;) {
    try {
      await server.answers();
      return stop;
    } catch (cause) {
      if (child.exitCode === null && Date.now() < deadline) await sleep(100);
      else {
        await stop();
        throw new Error(`${name} did not start:\n${log}`, { cause });
      }
    }
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  const patience = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(patience);
}

/** A file of this folder, which the build leaves where it is. */
export function readScript(name: string): string {
  return readFileSync(new URL(new URL(name, import.meta.url).href.replace('/dist/test/', '/test/')), 'utf8');
}
