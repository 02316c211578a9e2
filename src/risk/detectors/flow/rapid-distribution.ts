import { distribution } from './distribution.ts';

/** Many receivers within an hour. */
export const rapidDistribution = distribution('rapid_distribution');
