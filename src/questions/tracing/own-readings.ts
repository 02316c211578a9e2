import type { Context } from '../../context.ts';
import { groupBy } from '../../domain/group-by.ts';
import { addressKey, parseAddressKey } from '../../graph/address-key.ts';
import { findScanned } from '../../records/scans/scans.ts';
import { findTraced } from '../../records/tracing/traced-addresses.ts';
import type { ReadBy } from './graph-reader.ts';

/** Nothing counts as read: for callers without an account. */
export const READ_BY_NOBODY: ReadBy = async () => new Set();

/** The addresses that the account's own scans and traces have read: whether others have read an address is not for it to learn. */
export function readByAccount(ctx: Pick<Context, 'records'>, accountId: string): ReadBy {
  return async (keys) => {
    const read = new Set<string>();
    for (const [chain, parties] of groupBy(keys.map(parseAddressKey), (one) => one.chain)) {
      const asked = parties.map(({ address }) => address);
      const scanned = await findScanned(ctx.records, accountId, chain, asked);
      const traced = await findTraced(ctx.records, accountId, chain, asked);
      for (const address of [...scanned, ...traced]) read.add(addressKey(chain, address));
    }
    return read;
  };
}
