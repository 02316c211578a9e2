import { writeFileSync } from 'node:fs';
import { watchEventLoop } from '../event-loop.ts';

/** Loaded into the service before its own code. The file has the longest hold of its event loop since SIGUSR2, in ms. */
const file = process.env.LOOP_FILE;
if (file && process.argv[1]?.endsWith('main.js')) {
  let longest = 0;
  let stop = watchEventLoop();
  process.on('SIGUSR2', () => {
    stop();
    [longest, stop] = [0, watchEventLoop()];
  });
  setInterval(() => {
    longest = Math.max(longest, stop().longest);
    stop = watchEventLoop();
    writeFileSync(file, String(longest));
  }, 1_000).unref();
}
