import { type FrozenToken, freezeTerms } from '../../domain/tokens/issuer-freeze.ts';
import { SourceError } from '../../errors.ts';
import type { RequestOptions, StatedFreezes } from '../port.ts';
import { inParallel } from '../reply.ts';
import { readTronAddress, tronHex } from './address.ts';
import type { TronApi } from './api.ts';
import { type ListedEvent, listedEvent } from './shapes.ts';

const WIDTH = 4;
/** Pages of 200 events, newest first: Tether froze some thousands of addresses. */
const EVENT_PAGES = 20;

/**
 * Known tokens among these that their contracts call frozen at the address, and those that they call free: one call each, and its
 * events where it is frozen. Neither where the server does not say: a scan does not fail for it.
 */
export async function frozenTokens(
  api: TronApi,
  address: string,
  tokens: readonly string[],
  options?: RequestOptions,
): Promise<StatedFreezes> {
  try {
    return await readFrozen(api, address, [...new Set(tokens)], options);
  } catch (error) {
    if (error instanceof SourceError) return {};
    throw error;
  }
}

async function readFrozen(
  api: TronApi,
  address: string,
  tokens: string[],
  options?: RequestOptions,
): Promise<StatedFreezes> {
  const unfrozen: string[] = [];
  const found = await inParallel(tokens, WIDTH, async (token): Promise<FrozenToken[]> => {
    const terms = freezeTerms('tron', token);
    if (terms === null) return [];
    const parameter = tronHex(address).slice(2).padStart(64, '0');
    const answer = await api.constant(token, { selector: terms.view, parameter }, options);
    if (answer !== null && /^0{64}$/.test(answer)) unfrozen.push(token);
    if (answer === null || !/^0{63}1$/.test(answer)) return [];
    const dates = await inParallel([...terms.names], 1, (name) => frozenAt(api, { token, name, address }, options));
    return [{ token, since: dates.find((at) => at !== null) ?? null }];
  });
  return { frozen: found.flat(), unfrozen };
}

/** When the newest event of the name froze the address, epoch ms; null where it is not among those that were read. */
async function frozenAt(
  api: TronApi,
  { token, name, address }: { token: string; name: string; address: string },
  options?: RequestOptions,
): Promise<number | null> {
  const isOwn = ({ result }: ListedEvent) =>
    [result[0], result._user, result._account].some((who) => readTronAddress(who ?? '') === address);
  const listed = await api.list(
    {
      path: `/v1/contracts/${token}/events`,
      query: { event_name: name, only_confirmed: 'true', order_by: 'block_timestamp,desc' },
      shape: listedEvent,
      pageLimit: EVENT_PAGES,
      enough: (items) => items.some(isOwn),
    },
    options,
  );
  return listed?.items.find(isOwn)?.block_timestamp ?? null;
}
