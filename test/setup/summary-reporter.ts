import type { Reporter, TestModule } from 'vitest/node';

/** Closes the run with one plain line, after why suites were skipped. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const skipped = new Map<string, number>();
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      for (const part of [module, ...module.children.allSuites()]) count.failed += part.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'pending') continue;
        count[result.state] += 1;
        if (result.state !== 'skipped') continue;
        const suite = `${module.relativeModuleId}: ${result.note || test.fullName}`;
        skipped.set(suite, (skipped.get(suite) ?? 0) + 1);
      }
    }
    for (const [suite, tests] of skipped) console.log(`skipped: ${suite} (${tests})`);
    console.log(`random tests: SEED=${process.env.SEED} repeats them`);
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
