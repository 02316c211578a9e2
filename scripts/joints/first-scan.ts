import http from 'node:http';
import { Session } from 'node:inspector/promises';
import { syncBuiltinESMExports } from 'node:module';
import { relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startDemo } from '../../fixtures/demo/start.ts';
import { roleOf } from '../../fixtures/demo/world.ts';

/** What one request of the service ran. */
export interface Ran {
  /** Files of `src` with a function that was called, as paths of the sources. */
  files: string[];
  functions: number;
  /** Named functions between the handler of the route and the request to a chain's source, at the deepest. */
  frames: number;
}

const DIST = fileURLToPath(new URL('../../', import.meta.url));
/** Caches of what other processes may change last 5 s at most: each request finds them empty, however busy the machine is. */
const CACHES_MS = 6_000;
const ANONYMOUS = /^(async )?(file:|<anonymous>)/;

/** Returns what the first scan of an address of the demo runs, and then its exposure. */
export async function runFirstScan(): Promise<{ scan: Ran; exposure: Ran }> {
  // Jobs and periodic work would run more, the longer the machine takes.
  const demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent' }, { answersOnly: true });
  const session = new Session();
  session.connect();
  const depths: number[] = [];
  const restore = watchRequests((stack) => depths.push(framesOf(stack)));
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const { address } = roleOf(demo.world, 'ethereum', 'laundering', 'layer_4');
    const ask = async (path: string): Promise<Ran> => {
      await sleep(CACHES_MS);
      await session.post('Profiler.takePreciseCoverage');
      depths.length = 0;
      const answer = await fetch(`${demo.url}/api/v1${path}`, {
        headers: { 'x-api-key': demo.keys.enterprise },
      });
      if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return { ...called(result), frames: Math.max(0, ...depths) };
    };
    const scan = await ask(`/public/scan?address=${address}&chain=ethereum`);
    return { scan, exposure: await ask(`/exposure/${address}?chain=ethereum`) };
  } finally {
    restore();
    session.disconnect();
    await demo.close();
  }
}

interface Script {
  url: string;
  functions: { functionName: string; ranges: { count: number }[] }[];
}

function called(scripts: Script[]): Pick<Ran, 'files' | 'functions'> {
  const used = scripts.flatMap(({ url, functions }) => {
    if (!url.startsWith('file:')) return [];
    const file = relative(DIST, fileURLToPath(url)).split(sep).join('/').replace(/\.js$/, '.ts');
    // The function without a name is the module itself.
    const count = functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0).length;
    return file.startsWith('src/') && count > 0 ? [{ file, count }] : [];
  });
  return { files: used.map(({ file }) => file), functions: used.reduce((sum, { count }) => sum + count, 0) };
}

function framesOf(stack: string): number {
  const frames = stack.split('\n').filter((line) => line.includes(`${DIST}src/`));
  return frames.map((line) => line.trim().replace(/^at /, '')).filter((frame) => !ANONYMOUS.test(frame)).length;
}

/** Calls `seen` with the stack of each request that the service sends; returns what ends that. */
function watchRequests(seen: (stack: string) => void): () => void {
  const { request } = http;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 200;
  http.request = ((...parts: Parameters<typeof request>) => {
    seen(new Error('request').stack ?? '');
    return request(...parts);
  }) as typeof request;
  syncBuiltinESMExports();
  return () => {
    Error.stackTraceLimit = limit;
    http.request = request;
    syncBuiltinESMExports();
  };
}
