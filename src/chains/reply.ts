import { z } from 'zod';
import { canonicalAddress } from '../domain/address/address.ts';
import type { Chain } from '../domain/chain.ts';
import { canonicalTxHash } from '../domain/tx-hash.ts';
import { SourceError } from '../errors.ts';
import { timeSlices } from '../fairness/time-slices.ts';
import type { Endpoint } from './http.ts';

const OLDEST_MS = Date.UTC(2009, 0, 3);
const LATEST_MS = Date.UTC(2200, 0, 1);

/** A number of JSON or the same as text: which of the two a source writes says nothing. `700000.0` is whole. */
const wholeText = z
  .union([z.int().transform(String), z.string()])
  .transform((text) => /^(\d{1,78})(?:\.0{1,20})?$/.exec(text)?.[1] ?? '')
  .refine((digits) => digits !== '', 'no whole number of 0 or more');

/** A count, height or time. */
export const whole = wholeText.transform(Number).refine(Number.isSafeInteger, 'too large for a count');

/** The same with a maximum. */
export const wholeUpTo = (max: number) => whole.refine((count) => count <= max, `more than ${max}`);

/** An amount in the smallest unit, exact. */
export const units = wholeText.transform(BigInt);

/** Epoch ms that a blockchain can have. */
export const blockTimeMs = whole.refine((at) => at >= OLDEST_MS && at < LATEST_MS, 'no time of a block');

/** The same in epoch seconds. */
export const blockTimeS = whole.refine((at) => at * 1_000 >= OLDEST_MS && at * 1_000 < LATEST_MS, 'no time of a block');

/** An address in the chain's canonical form. */
export function addressShape(chain: Chain) {
  return z.string().refine((text) => canonicalAddress(chain, text)?.address === text, `no address of ${chain}`);
}

/** A transaction hash, in the chain's canonical form. */
export function txHashShape(chain: Chain) {
  return z.string().transform((text, context) => {
    const hash = canonicalTxHash(chain, text);
    if (hash !== null) return hash;
    context.addIssue({ code: 'custom', message: `no transaction hash of ${chain}` });
    return z.NEVER;
  });
}

/** The value in the shape that the protocol promises; SourceError names the first place that differs. */
export function checked<S extends z.ZodType>(endpoint: Endpoint, schema: S, value: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue?.path.map(String).join('.') || 'the answer itself';
  throw new SourceError(endpoint.chain, `${endpoint.name}: ${what} has another shape at ${place}: ${issue?.message}`);
}

/** `checked` for each item of a list, in time slices. A list longer than `itemsMax` is a fault of the source. */
export async function checkedEach<S extends z.ZodType>(
  endpoint: Endpoint,
  schema: S,
  list: unknown,
  what: string,
  itemsMax = Number.POSITIVE_INFINITY,
): Promise<z.output<S>[]> {
  const pause = timeSlices();
  const items: z.output<S>[] = [];
  const unchecked = checked(endpoint, z.array(z.unknown()), list, what);
  if (unchecked.length > itemsMax) {
    throw new SourceError(endpoint.chain, `${endpoint.name}: ${what} has more than ${itemsMax} items`);
  }
  for (const [place, item] of unchecked.entries()) {
    items.push(checked(endpoint, schema, item, `${what}, item ${place}`));
    const paused = pause();
    if (paused) await paused;
  }
  return items;
}

/** Runs `work` for every item, `width` at a time, results in the order of the items. */
export async function inParallel<T, R>(items: T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const mine = next++;
      results[mine] = await work(items[mine]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}
