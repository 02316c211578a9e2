import { illicitExposure } from './category-exposure.ts';

/** Value exchanged directly with addresses labelled darknet. */
export const darknetExposure = illicitExposure('darknet');
