import fc from 'fast-check';

/** Seeds random tests: SEED, or what vitest.config.ts set. The summary of a run names it. */
export const seed = Number(process.env.SEED);

fc.configureGlobal({ seed });
