import { illicitExposure } from './category-exposure.ts';

/** Value exchanged directly with addresses labelled mixer. */
export const mixerExposure = illicitExposure('mixer');
