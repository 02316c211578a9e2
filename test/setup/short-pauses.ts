import { PAUSES } from '../../src/chains/http.ts';

/** A source that fails is asked again at once: suites count how often, and wait for no pause. */
Object.assign(PAUSES, { firstMs: 5, longestMs: 20 });
