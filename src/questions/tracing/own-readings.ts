import type { Context } from '../../context.ts';
import { parseAddressKey } from '../../graph/address-key.ts';
import { findScanned } from '../../records/scans/scans.ts';
import { findTraced } from '../../records/tracing/traced-addresses.ts';
import type { ReadBy } from './trace-money.ts';

/** Nothing counts as read: for callers without an account. */
export const READ_BY_NOBODY: ReadBy = async () => new Set();

/** The addresses that the account's own scans and traces have read: whether others have read an address is not for it to learn. */
export function readByAccount(ctx: Pick<Context, 'records'>, accountId: string): ReadBy {
  return async (keys) => {
    const [first] = keys;
    if (first === undefined) return new Set();
    // One trace stays on one chain.
    const { chain } = parseAddressKey(first);
    const byAddress = new Map(keys.map((key) => [parseAddressKey(key).address, key]));
    const asked = [...byAddress.keys()];
    const scanned = await findScanned(ctx.records, accountId, chain, asked);
    const traced = await findTraced(ctx.records, accountId, chain, asked);
    return new Set([...scanned, ...traced].flatMap((address) => byAddress.get(address) ?? []));
  };
}
