import { illicitExposure } from './category-exposure.ts';

/** Value exchanged directly with addresses labelled drainer. */
export const drainerExposure = illicitExposure('drainer');
