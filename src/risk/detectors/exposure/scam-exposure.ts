import { illicitExposure } from './category-exposure.ts';

/** Value exchanged directly with addresses labelled scam. */
export const scamExposure = illicitExposure('scam');
