import { LRUCache } from 'lru-cache';
import { append } from '../../domain/append.ts';
import { COMPARED_MAX, pairMessages } from '../../domain/bridges/join-statements.ts';
import { CLOCK_SKEW_MS, likelyMatch, likelySpan, match } from '../../domain/bridges/match.ts';
import {
  type BridgeMessage,
  isExit,
  type LikelySide,
  messageKey,
  type NoOtherSide,
  type OtherSide,
  type TransactionReading,
  transactionKey,
} from '../../domain/bridges/message.ts';
import type { BridgeProtocol } from '../../domain/bridges/protocols.ts';
import { type Chain, isEvmChain } from '../../domain/chain.ts';
import type { HistoryList } from '../../domain/chains.ts';
import { DAY_MS } from '../../domain/time.ts';
import { assetIdOf, COIN } from '../../domain/tracing/asset-id.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { SourceError } from '../../errors.ts';
import type { Records } from '../../records/database/database.ts';
import { readBridgeContracts } from '../../records/scans/match-decisions.ts';
import type { AddressHistory, ChainSource, RequestOptions } from '../port.ts';
import type { Registry } from './decoding/facts.ts';
import type { OtherSideSearch, ProtocolReader } from './protocols/port.ts';
import { factsOf, READERS, recognise } from './recognise.ts';
import { emitterOf, knownContracts, registryOf } from './registry.ts';

/** Reads the messages of bridges and asks for their other sides. */
export interface Bridges {
  /** The protocols of all registered contracts, by `<chain>:<address>`. */
  protocols(): Promise<ReadonlyMap<string, BridgeProtocol>>;
  /** Names the set of registered contracts: another one once a contract is added or removed. */
  contracts(): Promise<string>;
  /** The messages of one transaction, both sides, in order; none for a failed or unknown one. One transaction is read. */
  recognise(chain: Chain, txHash: string, options?: RequestOptions): Promise<BridgeMessage[]>;
  /**
   * The other side of a message, checked field by field: one search of logs, or ten transactions of the party's history.
   * SourceError where the other chain's source fails.
   */
  findOtherSide(message: BridgeMessage, options?: RequestOptions): Promise<OtherSide>;
}

/** The bridges over the chain sources. */
export function openBridges(parts: BridgeParts): Bridges {
  return {
    protocols: async () => (await parts.registry()).protocols,
    contracts: async () => (await parts.registry()).name,
    async recognise(chain, txHash, options) {
      const source = await parts.chainSource(chain);
      const evidence = await source?.evidence(txHash, options);
      return evidence ? recognise(chain, evidence, await parts.registry()) : [];
    },
    findOtherSide: (message, options) => findOtherSide(message, parts, options),
  };
}

/** Bound on how late a registry that the operator loads is used: a second. */
const CACHE_MS = 1_000;

/** Reads the contracts of bridges: those of the product, and the operator's additions. */
export function openRegistry(records: Records): () => Promise<Registry> {
  const known = knownContracts();
  const cache = new LRUCache<number, Registry>({
    max: 1,
    ttl: CACHE_MS,
    fetchMethod: async () => {
      const added = await readBridgeContracts(records);
      return registryOf([
        ...known,
        ...added.map(({ protocol, chain, role, address, token, peer, family }) =>
          emitterOf([protocol, chain, role, address, token, peer, family]),
        ),
      ]);
    },
  });
  return () => cache.forceFetch(0);
}

/** Transactions without a fitting message that are read for one search. */
const VAIN_READS_MAX = 10;
/** Pages of each list of a history. */
const HISTORY_PAGES = 3;
/** Searches made for one message, both directions together. */
const LOOK_UPS_MAX = 4;
/** How long after its source a delivery is looked for, and how long a missing one counts as pending. */
const DELIVERY_MS = DAY_MS;
/** The same of exits. */
const EXIT_MS = 60 * DAY_MS;
const EXIT_PENDING_MS = 14 * DAY_MS;

/** Sources and registry with which bridges are read. */
interface BridgeParts {
  /** Null where no source is configured for the chain. */
  chainSource: (chain: Chain) => Promise<ChainSource | null>;
  /** The contracts known now. */
  registry: () => Promise<Registry>;
  now: () => number;
}

interface Search {
  parts: BridgeParts;
  registry: Registry;
  reader: ProtocolReader;
  options?: RequestOptions;
  /** Look-ups that may still be made. */
  left: number;
  /** Histories that were read, one for each address. */
  histories: Map<string, AddressHistory>;
  /** The last reading of each transaction, by its key. */
  readings: Map<string, TransactionReading>;
}

/**
 * The other side of a message by its id, else why it is not known. Where no id leads to the other side of a source, the one
 * receipt of its recipient that fits is named as likely.
 */
async function findOtherSide(message: BridgeMessage, parts: BridgeParts, options?: RequestOptions): Promise<OtherSide> {
  const registry = await parts.registry();
  const search: Search = {
    parts,
    registry,
    reader: READERS[message.protocol],
    options,
    left: LOOK_UPS_MAX,
    histories: new Map(),
    readings: new Map(),
  };
  const complete = await withId(message, search);
  if (complete === null) return unknown(message, 'bridge_not_found', search);
  const refused = refusal(complete);
  if (refused) return { status: 'not_found', reason: refused, likely: null };
  const found = await candidatesOf(complete, search);
  if (typeof found === 'string') return unknown(complete, found, search);
  return choose(complete, found, search);
}

/** Why a message cannot have another side here at all. */
function refusal({ side, route, recipient }: BridgeMessage): NoOtherSide | null {
  if (side === 'source' && route.to.chain === null) return 'bridge_chain_unsupported';
  if (side === 'destination' && route.from !== null && route.from.chain === null) return 'bridge_chain_unsupported';
  return recipient === null ? 'bridge_no_link' : null;
}

/** The message with the id that a later transaction of its own chain gave it; null while there is none. */
async function withId(message: BridgeMessage, search: Search): Promise<BridgeMessage | null> {
  const { completion } = search.reader;
  if (message.id !== null || !completion) return message;
  const source = await search.parts.chainSource(message.chain);
  const lookUp = completion.lookUp(message, search.registry);
  if (!source || lookUp.by !== 'logs') return null;
  search.left -= 1;
  for (const hash of await hashesOf(message, lookUp, source, search, 'after')) {
    const evidence = await source.evidence(hash, search.options);
    const facts = evidence && factsOf(message.chain, evidence, search.registry);
    const id = facts && completion.idIn(message, facts);
    if (id) return { ...message, id };
  }
  return null;
}

/** Messages of the other side that fit, else those that share the id; a reason where there are none. */
async function candidatesOf(message: BridgeMessage, search: Search): Promise<BridgeMessage[] | NoOtherSide> {
  let reason: NoOtherSide = 'bridge_not_found';
  const sharing: BridgeMessage[] = [];
  for (const lookUp of search.reader.lookUp(message, search.registry)) {
    if (lookUp.by === 'nothing') return lookUp.reason;
    if (search.left === 0) break;
    search.left -= 1;
    const chains = lookUp.by === 'transaction' ? lookUp.chains : [lookUp.chain];
    for (const chain of chains) {
      const source = await search.parts.chainSource(chain);
      if (!source) {
        reason = 'bridge_source_missing';
        continue;
      }
      const found = await readAll(message, chain, await hashesOf(message, lookUp, source, search), source, search);
      if (found.some((one) => fits(message, one))) return found;
      append(sharing, found);
    }
  }
  return sharing.length > 0 ? sharing : reason;
}

async function readAll(
  message: BridgeMessage,
  chain: Chain,
  hashes: readonly string[],
  source: ChainSource,
  search: Search,
): Promise<BridgeMessage[]> {
  const found: BridgeMessage[] = [];
  let readsLeft = VAIN_READS_MAX;
  for (const hash of hashes) {
    if (readsLeft === 0 || found.length >= COMPARED_MAX) break;
    const at = search.parts.now();
    const evidence = await source.evidence(hash, search.options);
    const all = evidence ? recognise(chain, evidence, search.registry) : [];
    if (all[0]) search.readings.set(transactionKey(all[0]), { messages: all, at });
    if (!all.some((one) => fits(message, one))) readsLeft -= 1;
    found.push(
      ...all.filter(
        ({ side, protocol, id }) => side !== message.side && protocol === message.protocol && id === message.id,
      ),
    );
  }
  return found;
}

function fits(message: BridgeMessage, other: BridgeMessage): boolean {
  return (message.side === 'source' ? match(message, other) : match(other, message)) !== null;
}

/** The transactions that a look-up names, nearest to the message first. */
async function hashesOf(
  message: BridgeMessage,
  lookUp: OtherSideSearch,
  source: ChainSource,
  search: Search,
  side: 'after' | 'before' = message.side === 'source' ? 'after' : 'before',
): Promise<string[]> {
  if (lookUp.by === 'nothing') return [];
  if (lookUp.by === 'transaction') return [lookUp.hash];
  const window = windowOf(message, side, search.parts.now());
  if (lookUp.by === 'logs') {
    const { contract, events, topics } = lookUp;
    const order = side === 'after' ? 'oldest' : 'newest';
    const found = await source.findLogs({ contract, events, topics, ...window, order }, search.options);
    if (found) return side === 'after' ? found.txHashes : found.txHashes.toReversed();
  }
  const address = lookUp.by === 'history' ? lookUp.address : message.side === 'source' ? message.recipient : null;
  if (address === null) return [];
  const { transfers } = await historyFrom(source, address, side, window, search);
  const inTime = transfers
    .filter(({ at, to, from }) => at >= window.from && at <= window.to && (side === 'after' ? to : from) === address)
    .sort((a, b) => (side === 'after' ? a.at - b.at : b.at - a.at));
  return [...new Set(inTime.map(({ txHash }) => txHash))];
}

/** The history of an address from one end of the window on, read once a search. */
async function historyFrom(
  source: ChainSource,
  address: string,
  side: 'after' | 'before',
  window: { from: number; to: number },
  { histories, options }: Search,
): Promise<AddressHistory> {
  const [direction, at] = side === 'after' ? (['forward', window.from] as const) : (['backward', window.to] as const);
  const key = `${source.chain} ${address} ${direction} ${at}`;
  const known = histories.get(key);
  if (known) return known;
  // Other chains find the place in a history by a transaction of the address, which is not known here.
  const history = isEvmChain(source.chain)
    ? await source.historyAround(address, { direction, txHash: '', block: null, at, pages: HISTORY_PAGES }, options)
    : await source.history(address, options);
  histories.set(key, history);
  return history;
}

function windowOf(message: BridgeMessage, side: 'after' | 'before', now: number): { from: number; to: number } {
  const longest = isExit(message) ? EXIT_MS : DELIVERY_MS;
  if (side === 'before') return { from: message.at - longest, to: message.at + CLOCK_SKEW_MS };
  const until = Math.max(message.at + longest, message.expiresAt ?? 0);
  return { from: message.at - CLOCK_SKEW_MS, to: Math.min(until + CLOCK_SKEW_MS, now) };
}

/** The first of the candidates that fits. Where ids are shared, the twins of the message are counted too. */
async function choose(message: BridgeMessage, candidates: BridgeMessage[], search: Search): Promise<OtherSide> {
  const first = candidates.find((one) => fits(message, one));
  const back = first && search.reader.sharesIds ? await candidatesOf(first, search) : [];
  const twins = [message, ...(typeof back === 'string' ? [] : back)];
  const [sources, destinations] = message.side === 'source' ? [twins, candidates] : [candidates, twins];
  const { pairs, ambiguous } = pairMessages(sources, destinations);
  const own = messageKey(message);
  const pair = pairs.find((one) => [one.source, one.destination].some((side) => messageKey(side) === own));
  const isUnclear = ambiguous.has(own) || candidates.length >= COMPARED_MAX;
  if (!pair) return unknown(message, 'bridge_not_found', search, isUnclear ? 'ambiguous' : null);
  const other = message.side === 'source' ? pair.destination : pair.source;
  const stated = new Map([...sources, ...destinations].map((one) => [messageKey(one), one]));
  for (const key of [own, messageKey(other)]) stated.delete(key);
  const others = [...stated.values()].filter(({ recipient }) => recipient === message.recipient);
  const keys = new Set([other, ...others].map(transactionKey));
  const readings = [...keys].flatMap((key) => search.readings.get(key) ?? []);
  return { status: 'matched', message: other, ambiguous: pair.ambiguous, others, readings };
}

async function unknown(
  message: BridgeMessage,
  reason: NoOtherSide,
  search: Search,
  byId: 'ambiguous' | null = null,
): Promise<OtherSide> {
  const now = search.parts.now();
  const patience = isExit(message) ? EXIT_PENDING_MS : DELIVERY_MS;
  const until = Math.max(message.at + patience, message.expiresAt ?? 0);
  const isPending = message.side === 'source' && reason === 'bridge_not_found' && now < until;
  if (isPending) return { status: 'pending', reason: 'bridge_pending', likely: null };
  return { status: 'not_found', reason, likely: byId ?? (await likelySide(message, reason, search)) };
}

/** Asked for a source alone, once its chain of arrival had no answer by id. */
async function likelySide(message: BridgeMessage, reason: NoOtherSide, search: Search): Promise<LikelySide> {
  const { side, recipient, route } = message;
  if (side !== 'source' || recipient === null || route.to.chain === null) return null;
  if (reason !== 'bridge_not_found' && reason !== 'bridge_no_link') return null;
  const { parts, registry, options } = search;
  const source = await parts.chainSource(route.to.chain);
  if (!source) return null;
  const window = windowOf(message, 'after', parts.now());
  const historyOf = () => historyFrom(source, recipient, 'after', window, search);
  try {
    return await findLikely(message, { source, registry, historyOf, now: parts.now(), options });
  } catch (error) {
    // What the search by id found out is worth keeping without it.
    if (error instanceof SourceError && !options?.signal?.aborted) return null;
    throw error;
  }
}

interface LikelyInput {
  /** Source of the chain on which the money arrives. */
  source: ChainSource;
  registry: Registry;
  /** The recipient's history from the time of the message on. */
  historyOf: () => Promise<AddressHistory>;
  now: number;
  options?: RequestOptions;
}

/**
 * The one receipt that fits a source in recipient, asset, amount and time. Null where the time is not over, where the history
 * does not cover all of it, and where the receipt's own transaction states another message. One transaction is read.
 */
async function findLikely(
  message: BridgeMessage,
  { source, registry, historyOf, now, options }: LikelyInput,
): Promise<LikelySide> {
  const span = likelySpan(message);
  if (now < span.to) return null;
  const history = await historyOf();
  const found = likelyMatch(message, history.transfers);
  if (found === null || found === 'ambiguous') return found;
  if (!coversAll(history, source, { ...span, to: Math.min(span.to, now) }, found)) return null;
  const evidence = await source.evidence(found.txHash, options);
  if (!evidence) return null;
  const isStated = recognise(source.chain, evidence, registry).some(({ explains }) => explains.includes(found.id));
  return isStated ? null : arrivalOf(message, found);
}

/** True where every receipt of the asset in the span is in the history: then no second one fits. */
function coversAll(
  { read }: AddressHistory,
  { chain, lists }: ChainSource,
  span: { from: number; to: number },
  receipt: Transfer,
): boolean {
  const isCoin = assetIdOf(receipt) === COIN;
  const needed: HistoryList[] = isCoin ? (isEvmChain(chain) ? ['coin', 'internal', 'tokens'] : ['coin']) : ['tokens'];
  return needed.every(
    (list) =>
      lists.includes(list) &&
      read.some((one) => one.list === list && one.from <= span.from && (one.to === null || one.to >= span.to)),
  );
}

/** A receipt as what the destination of the message would state. */
function arrivalOf({ protocol, route, recipient }: BridgeMessage, receipt: Transfer): BridgeMessage {
  const { chain, txHash, seq, at, asset, token, amount, id } = receipt;
  return {
    protocol,
    side: 'destination',
    chain,
    tx: txHash,
    position: seq ?? 0,
    at,
    id: null,
    route,
    sender: null,
    recipient,
    asset,
    token,
    assetId: assetIdOf(receipt),
    amount,
    agreed: {},
    expiresAt: null,
    explains: [id],
  };
}
