import { z } from 'zod';
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
import { checkedEach } from '../../reply.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { addressField, blockTime, hashField, hexData, smallQuantity } from '../format/fields.ts';
import { type FoundMovement, logMovements } from '../format/transfer.ts';
import { blocksAt, headBlock } from '../node/chain-data.ts';
import { scanLogs } from '../node/log-scan.ts';
import type { RpcOutcome } from '../node/rpc.ts';
import { type EvmSources, rpcOf, toTransfers } from './sources.ts';

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
  const { chain } = sources;
  const asked = rpcOf(sources);
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
      for (const movement of movements) found.push({ movement, facts, token: null });
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

/** An event by which an issuer froze an address, or destroyed what it held. */
interface IssuerLog {
  txHash: string;
  block: number;
  /** Epoch ms. */
  at: number;
  index: number;
  topics: string[];
  data: string;
}

interface IssuerQuery {
  token: string;
  /** First topics, of which one fits. */
  events: readonly string[];
  /** True where the address is a topic; else it stands first in the data, and all of these events are read. */
  isIndexed: boolean;
  address: string;
}

/** Pages of an explorer, of 1,000 events each: Tether's contract froze some thousands of addresses. */
const PAGES_MAX = 5;
const PAGE_ROWS = 1_000;
/** Ranges of blocks of a node, the newest first. */
const RANGES_MAX = 20;

const noneAsZero = z.preprocess((text) => (text === '0x' ? '0x0' : text), smallQuantity);
const row = z.object({
  address: addressField,
  topics: z.array(z.union([hashField, z.null()])).max(4),
  data: hexData,
  blockNumber: smallQuantity,
  timeStamp: blockTime,
  transactionHash: hashField,
  logIndex: noneAsZero,
});

/** Finds what an issuer's contract logged of an address, as far as a few pages of events go, oldest first. */
async function issuerLogs(sources: EvmSources, query: IssuerQuery, options?: RequestOptions): Promise<IssuerLog[]> {
  const logs = sources.explorer
    ? await fromExplorer(sources.explorer, query, options)
    : await fromNode(sources, query, options);
  const word = wordOf(query.address);
  const own = logs.filter(({ topics, data }) => topics[1] === word || data.startsWith(word));
  return own.sort((a, b) => a.block - b.block || a.index - b.index);
}

function wordOf(address: string): string {
  return `0x${address.slice(2).padStart(64, '0')}`;
}

async function fromExplorer(
  explorer: Explorer,
  { token, events, isIndexed, address }: IssuerQuery,
  options?: RequestOptions,
): Promise<IssuerLog[]> {
  const found: IssuerLog[] = [];
  const indexed = isIndexed ? { topic1: wordOf(address), topic0_1_opr: 'and' } : {};
  for (const topic0 of events) {
    for (let page = 1; page <= PAGES_MAX; page++) {
      const asked = { fromBlock: 0, toBlock: 'latest', topic0, ...indexed, page, offset: PAGE_ROWS };
      const outcome = await explorer.ask({ module: 'logs', action: 'getLogs', address: token, ...asked }, options);
      if (!('rows' in outcome)) break;
      const rows = await checkedEach(explorer.endpoint, row, outcome.rows, 'getLogs', PAGE_ROWS);
      for (const { topics, data, blockNumber: block, timeStamp: at, transactionHash: txHash, logIndex } of rows) {
        found.push({ txHash, block, at, index: logIndex, topics: topics.flatMap((topic) => topic ?? []), data });
      }
      if (rows.length < PAGE_ROWS) break;
    }
  }
  return found;
}

async function fromNode(
  { rpc }: EvmSources,
  { token, events, isIndexed, address }: IssuerQuery,
  options?: RequestOptions,
): Promise<IssuerLog[]> {
  const topics = isIndexed ? [[...events], wordOf(address)] : [[...events]];
  const bounds = { fromBlock: 0, toBlock: await headBlock(rpc!, options), pageLimit: RANGES_MAX, logsMax: PAGE_ROWS };
  const { logs } = await scanLogs(rpc!, { contract: token, filters: [topics], ...bounds }, options);
  const own = logs.filter((log) => log.topics[1] === wordOf(address) || log.data.startsWith(wordOf(address)));
  const blocks = await blocksAt(rpc!, [...new Set(own.map(({ blockNumber }) => blockNumber))], options);
  const times = new Map(blocks.map(({ number, timestamp }) => [number, timestamp]));
  return own.map(({ transactionHash: txHash, blockNumber: block, logIndex: index, topics: all, data }) => {
    return { txHash, block, at: times.get(block)!, index, topics: all, data };
  });
}
