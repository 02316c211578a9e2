import { PAUSES } from '../../src/chains/http.ts';
import { WAITS } from '../../src/jobs/attempts.ts';

/** A source that fails is asked again at once: suites count how often, and wait for no pause. */
Object.assign(PAUSES, { firstMs: 5, longestMs: 20 });
/** So is a store that is away, and work that does not end is abandoned soon. */
Object.assign(WAITS, { abandon: 200, outage: [20, 50] });
