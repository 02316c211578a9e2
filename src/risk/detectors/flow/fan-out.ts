import { distribution } from './distribution.ts';

/** Many receivers within a day. */
export const fanOut = distribution('fan_out');
