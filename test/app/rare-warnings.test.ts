import { pino } from 'pino';
import { expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { createRareWarnings } from '../../src/log.ts';

it('writes one line a minute of what happens to many requests, with how often and without a stack', () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let now = 0;
  const warn = createRareWarnings(log, () => now);
  for (let i = 0; i < 50; i++) warn(new Error('late'), 'without a store');
  warn(new Error('late'), 'without the graph');
  now += MINUTE_MS;
  warn(new Error('later'), 'without a store');
  expect(lines.map(({ msg, reason, times }) => [msg, reason, times])).toEqual([
    ['without a store', 'late', 1],
    ['without the graph', 'late', 1],
    ['without a store', 'later', 50],
  ]);
  expect(JSON.stringify(lines)).not.toContain('stack');
});
