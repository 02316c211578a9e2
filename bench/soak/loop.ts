import { writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { basename } from 'node:path';
import { watchEventLoop } from '../event-loop.ts';

export interface Hold {
  ms: number;
  /** Where most of its samples were taken, the innermost function first; null without a profile. */
  during: string | null;
}

const SAMPLE_US = 5_000;
const FRAMES = 6;

/**
 * Loaded into the service before its own code. The file has the longest hold of its event loop since SIGUSR2. A profile names
 * where it was, and holds the loop itself once a second, which is not counted.
 */
const file = process.env.LOOP_FILE;
if (file && process.argv[1]?.endsWith('main.js')) {
  const profiler = process.env.LOOP_PROFILE ? startProfiler() : null;
  let hold: Hold = { ms: 0, during: null };
  let stop = watchEventLoop();
  process.on('SIGUSR2', () => {
    stop();
    hold = { ms: 0, during: null };
    stop = watchEventLoop();
  });
  setInterval(() => {
    const { longest } = stop();
    const isLonger = longest > hold.ms;
    if (isLonger) hold = { ms: longest, during: null };
    profiler?.post('Profiler.stop', (_, { profile }) => {
      if (isLonger) hold.during = longestWork(profile);
    });
    profiler?.post('Profiler.start');
    // Before the next watch begins: a busy disk makes the write wait.
    writeFileSync(file, JSON.stringify(hold));
    stop = watchEventLoop();
  }, 1_000).unref();
}

function startProfiler(): Session {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  session.post('Profiler.start');
  return session;
}

/** Returns the stack seen most often in the longest time without a pause. */
function longestWork({ nodes, samples = [] }: Profiler.Profile): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const above = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  let [longest, current]: number[][] = [[], []];
  for (const sample of samples) {
    current = byId.get(sample)?.callFrame.functionName === '(idle)' ? [] : [...current!, sample];
    if (current.length > longest!.length) longest = current;
  }
  const stackOf = (sample: number) => {
    const frames: string[] = [];
    for (let id: number | undefined = sample; id !== undefined && frames.length < FRAMES; id = above.get(id)) {
      const { functionName, url, lineNumber } = byId.get(id)!.callFrame;
      frames.push(`${functionName || 'a function'} ${basename(url)}:${lineNumber + 1}`);
    }
    return frames.join(' < ');
  };
  const counts = new Map<string, number>();
  for (const sample of longest!) counts.set(stackOf(sample), (counts.get(stackOf(sample)) ?? 0) + 1);
  const [most = ['no sample', 0]] = [...counts].toSorted(([, a], [, b]) => b - a);
  return `${most[0]} (${most[1]} of ${longest!.length} samples of ${SAMPLE_US / 1_000} ms)`;
}
