import { z } from 'zod';
import { wholeNumber } from './schemas.ts';

/** Fields that many requests and answers share, each with the words by which the API documents it. */

export const success = z.literal(true).describe('Always true: a failure has another status and a `detail`');
export const deleted = z.literal(true).describe('Always true: what does not exist is a 404');

/** As a request names it: questions get the canonical form. */
export const givenAddress = z.string().describe('In any form that its chain accepts');

export const total = z.int().describe('How many there are in all, on every page');
export const limit = z.int().describe('The `limit` that was used');
export const offset = z.int().describe('The `offset` that was used');
export const next = z
  .int()
  .nullable()
  .describe('The `offset` of the next page, since a page ends at 1 MiB; null on the last');

/** Entries of a page. */
export function pageLimit({ max, fallback }: { max: number; fallback: number }) {
  return wholeNumber({ min: 1, max, fallback }).describe('Entries of the page at most');
}

/** Entries before the page. */
export function pageOffset(max?: number) {
  return wholeNumber({ min: 0, max, fallback: 0 }).describe('Entries left out at the beginning');
}

/**
 * An object that is sent without a look at its fields, documented as the named schema: answers of long ago may lack
 * what that schema has today.
 */
export function sentAsStored(schema: z.ZodType, description: string) {
  return z.unknown().meta({ $ref: `#/components/schemas/${z.globalRegistry.get(schema)?.id}`, description });
}
