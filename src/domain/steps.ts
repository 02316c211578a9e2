/** Long work in steps: who runs it can let other work pass between them. */
export type Steps<T> = Generator<undefined, T>;

const ITEMS_OF_A_STEP = 500;

/** Runs all steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does something with each item, 500 items a step. */
export function* forEachInSteps<T>(items: Iterable<T>, work: (item: T) => void): Steps<void> {
  let left = ITEMS_OF_A_STEP;
  for (const item of items) {
    work(item);
    if (--left > 0) continue;
    left = ITEMS_OF_A_STEP;
    yield;
  }
}
