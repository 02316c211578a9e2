import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import ClusterFirst from './test/setup/cluster-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/services-on-demand.ts', 'test/setup/build-console.ts'],
    // Two at least: suites wait for servers and processes as long as they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: ClusterFirst },
    testTimeout: 120_000,
    // A busy machine is late; what is polled for and never comes fails all the same.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    reporters: ['default', './test/setup/summary-reporter.ts'],
  },
});
