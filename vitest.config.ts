import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/setup/longest-first.ts';

// In CI one commit has one answer; each other run draws new random tests.
process.env.SEED ??= String(process.env.CI ? 1 : Date.now() % 2 ** 31);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup/seed.ts', 'test/setup/short-pauses.ts'],
    globalSetup: ['test/setup/services-on-demand.ts', 'test/setup/build-console.ts'],
    // Suites share the modules of their worker: to import them again costs more than most suites do.
    isolate: false,
    // Suites make many objects that die young: room for them saves up to a quarter of a suite's processor time.
    execArgv: ['--max-semi-space-size=64'],
    // Suites wait for servers and processes as long as they compute: in CI, where nothing else runs, three more than cores.
    maxWorkers: process.env.CI ? availableParallelism() + 3 : Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    // A busy machine is late; what is polled for and never comes fails all the same. No test has a bound of its own below it.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    reporters: ['default', './test/setup/summary-reporter.ts'],
  },
});
