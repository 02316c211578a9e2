import { type DestinationStream, type Logger, pino } from 'pino';

/** Lines are held back for this long, to be written together: a write of its own costs more than most answers. */
const HELD_MS = 10;

/** Writes what each log holds. One listener does so for all: Node warns of more than ten. */
const unwritten = new Set<() => void>();
// Before pino's own listener, which writes what its destination still has.
process.prependListener('exit', () => {
  for (const write of unwritten) write();
});

/** The log of the process, on standard output. No answer waits for it, and what is held is written before an exit. */
export function openLog(level: string): Logger {
  const output = pino.destination({ sync: false });
  let held: string[] = [];
  const writeHeld = () => {
    unwritten.delete(writeHeld);
    output.write(held.join(''));
    held = [];
  };
  const holding: DestinationStream = {
    write: (line) => {
      if (held.length === 0) {
        setTimeout(writeHeld, HELD_MS).unref();
        unwritten.add(writeHeld);
      }
      held.push(line);
    },
  };
  return pino({ level, base: undefined }, holding);
}

const REPEATED_MS = 60_000;

/**
 * Warns of what happens to each of many requests: one line a minute for each text, with the last reason and how often it
 * happened since the line before.
 */
export function createRareWarnings(log: Logger, now: () => number): (err: unknown, text: string) => void {
  const seen = new Map<string, { at: number; times: number }>();
  return (err, text) => {
    const known = seen.get(text);
    const times = (known?.times ?? 0) + 1;
    const isDue = !known || now() - known.at >= REPEATED_MS;
    seen.set(text, isDue ? { at: now(), times: 0 } : { ...known, times });
    if (isDue) log.warn({ reason: err instanceof Error ? err.message : String(err), times }, text);
  };
}
