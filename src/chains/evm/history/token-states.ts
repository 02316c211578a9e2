import { formatUnits } from '../../../domain/amount.ts';
import type { Chain } from '../../../domain/chain.ts';
import { type FreezeTerms, type FrozenToken, freezeTerms } from '../../../domain/tokens/issuer-freeze.ts';
import { isCoinContract } from '../../../domain/tokens/known-tokens.ts';
import { verifiedToken } from '../../../domain/tokens/token.ts';
import { isWrapper } from '../../../domain/tracing/asset-id.ts';
import { DESTROYED_TOPIC, movementsOfLog } from '../../../domain/transfers/evm-log.ts';
import { type TokenBalance, unexplainedBalances } from '../../../domain/transfers/explained-balance.ts';
import { SourceError } from '../../../errors.ts';
import type { RpcCall } from '../../batches.ts';
import type { AddressHistory, RequestOptions } from '../../port.ts';
import { blockscoutRpc } from '../explorer/confirming.ts';
import { proxyRpc } from '../explorer/proxy.ts';
import { type FoundMovement, logMovements } from '../format/transfer.ts';
import type { RpcOutcome } from '../node/rpc.ts';
import { issuerLogs } from './issuer-logs.ts';
import { type EvmSources, toTransfers } from './sources.ts';

// Contracts of known tokens are asked what an address holds, and issuers' contracts whether they froze it.

/** Known tokens that are asked for, those of most transfers first: of a source that takes all calls in one request, and of others. */
const TOKENS_MAX = { batch: 20, single: 3 };
/** Tokens whose balances grow by themselves. */
const REBASING: ReadonlySet<string> = new Set(['stETH']);
const [FALSE, TRUE] = ['0', '1'].map((bit) => `0x${bit.padStart(64, '0')}`);
const WORD = /^0x[0-9a-f]{64}$/i;

/** Makes the call that asks a token's contract what an address holds. */
export function balanceCall(token: string, address: string, block: string): RpcCall {
  return { method: 'eth_call', params: [{ to: token, data: `0x70a08231${argument(address)}` }, block] };
}

/** Reads the balance of a known token that its contract answered; null where it answered none. */
export function statedBalance(chain: Chain, token: string, outcome: RpcOutcome | undefined): TokenBalance | null {
  const known = verifiedToken(chain, token);
  const word = wordIn(outcome);
  return known && word ? { token, amount: formatUnits(BigInt(word), known.decimals) } : null;
}

/**
 * Adds to the history what the contracts of its known tokens, and of `tokens`, state: balances, and whether the issuer froze them. A
 * source that does not answer leaves them out.
 */
export async function withTokenStates(
  sources: EvmSources,
  address: string,
  history: AddressHistory,
  { tokens: before, ...options }: RequestOptions & { tokens: readonly string[] },
): Promise<AddressHistory> {
  const { chain, rpc, explorer } = sources;
  const asked = rpc ?? (explorer!.style === 'blockscout' ? blockscoutRpc(explorer!) : proxyRpc(explorer!));
  const most = asked.takesBatches() ? TOKENS_MAX.batch : TOKENS_MAX.single;
  const tokens = knownTokensOf(chain, history, before).slice(0, most);
  const held = tokens.filter((token) => hasFixedBalance(chain, token));
  const freezable = tokens.flatMap((token) => {
    const terms = freezeTerms(chain, token);
    return terms ? [{ token, terms }] : [];
  });
  const calls = [
    ...held.map((token) => balanceCall(token, address, 'latest')),
    ...freezable.map(({ token: to, terms }) => {
      return { method: 'eth_call', params: [{ to, data: `${terms.selector}${argument(address)}` }, 'latest'] };
    }),
  ];
  if (calls.length === 0) return { ...history, frozen: [] };
  try {
    const outcomes = await asked.attemptAll(calls, options);
    const tokenBalances = held.flatMap((token, place) => statedBalance(chain, token, outcomes[place]) ?? []);
    const words = outcomes.slice(held.length).map(wordIn);
    const stated = (word: string | undefined) => freezable.filter((_, place) => words[place] === word);
    const frozen = await Promise.all(stated(TRUE).map((one) => frozenSince(sources, address, one, options)));
    // A call that failed says nothing of its token.
    return { ...history, tokenBalances, frozen, unfrozen: stated(FALSE).map(({ token }) => token) };
  } catch (error) {
    if (error instanceof SourceError) return history;
    throw error;
  }
}

/** Adds what the issuers of tokens destroyed at the address, of which lists of transfers know nothing. */
export async function withDestroyed(
  sources: EvmSources,
  address: string,
  history: AddressHistory,
  options?: RequestOptions,
): Promise<AddressHistory> {
  const short = unexplainedBalances(sources.chain, address, history).filter(
    ({ token, amount }) => history.frozen?.some((one) => one.token === token) && amount.startsWith('-'),
  );
  const found: FoundMovement[] = [];
  for (const { token } of short) {
    const query = { token: token!, events: [DESTROYED_TOPIC], isIndexed: false, address };
    for (const { txHash, block, at, index, ...log } of await issuerLogs(sources, query, options)) {
      const facts = {
        txHash,
        block,
        at,
        blockHash: null,
        position: null,
        sender: null,
        method: null,
        fee: null,
        asked: null,
      };
      const movements = logMovements(index, movementsOfLog({ address: token!, ...log }));
      found.push(...movements.map((movement) => ({ movement, facts, token: null })));
    }
  }
  if (found.length === 0) return history;
  return { ...history, transfers: [...history.transfers, ...(await toTransfers(sources, found, options))] };
}

/** Lists the known tokens of the history, those of most transfers first, and those that were dealt in before. */
function knownTokensOf(chain: Chain, { transfers }: AddressHistory, before: readonly string[]): string[] {
  const counts = new Map<string, number>(before.map((token) => [token, 0]));
  for (const { token, kind } of transfers) {
    if (kind !== 'token' || token === null || isCoinContract(chain, token)) continue;
    counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  const known = [...counts].filter(([token]) => verifiedToken(chain, token) !== null);
  return known.sort(([, a], [, b]) => b - a).map(([token]) => token);
}

/** False where a balance changes without a transfer: wrapped coin is made and unmade without one, and rebasing tokens grow. */
function hasFixedBalance(chain: Chain, token: string): boolean {
  return !isWrapper(`${chain}:${token}`) && !REBASING.has(verifiedToken(chain, token)?.symbol ?? '');
}

async function frozenSince(
  sources: EvmSources,
  address: string,
  { token, terms }: { token: string; terms: FreezeTerms },
  options?: RequestOptions,
): Promise<FrozenToken> {
  const { events, isIndexed } = terms;
  const logs = await issuerLogs(sources, { token, events, isIndexed, address }, options).catch((error: unknown) => {
    if (error instanceof SourceError) return [];
    throw error;
  });
  return { token, since: logs.at(-1)?.at ?? null };
}

function wordIn(outcome: RpcOutcome | undefined): string | null {
  const { result } = outcome && 'result' in outcome ? outcome : { result: null };
  return typeof result === 'string' && WORD.test(result) ? result.toLowerCase() : null;
}

function argument(address: string): string {
  return address.slice(2).padStart(64, '0');
}
