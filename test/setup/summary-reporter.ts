import type { Reporter, TestModule } from 'vitest/node';

/** Closes the run with one plain line, after the reason of each skipped suite. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'pending') continue;
        count[result.state] += 1;
        if (result.state === 'skipped')
          console.log(`skipped: ${test.fullName}${result.note ? `: ${result.note}` : ''}`);
      }
    }
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
