import { InvalidInputError } from '../../errors.ts';
import type { NewRow } from '../../questions/jobs/queue-scan-job.ts';
import { parseAddress } from '../../questions/parse-address.ts';

/** Characters kept of an entry that is not an address. */
const REFUSED_CHARACTERS_MAX = 200;

/** One row for each entry of a batch; an entry that is not an address becomes a refused row with the reason. */
export function parseBatch(entries: readonly (string | { address: string; chain?: string | null })[]): NewRow[] {
  return entries.map((entry) => {
    const { address, chain } = typeof entry === 'string' ? { address: entry } : entry;
    try {
      return { ...parseAddress(address, chain), refusal: null };
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      return { chain: storable(chain), address: storable(address) ?? '', refusal: storable(error.message) };
    }
  });
}

/** A bounded text that PostgreSQL can store: without control characters and halves of surrogate pairs. */
function storable(text: string | null | undefined): string | null {
  return text?.slice(0, REFUSED_CHARACTERS_MAX).replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD') ?? null;
}
