import { type Chain, EVM_CHAIN_IDS, isEvmChain } from '../domain/chain.ts';
import { HOUR_MS, iso, MINUTE_MS } from '../domain/time.ts';
import { amountPlausibility } from '../domain/transfers/plausible-amount.ts';
import { compareTransfers, type Transfer } from '../domain/transfers/transfer.ts';
import { SourceError } from '../errors.ts';
import { eachInSlices } from '../fairness/time-slices.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import { withoutSecrets } from '../outbound/places.ts';
import { type OutboundUse, UNUSED } from '../outbound/use.ts';
import type { AddressHistory, ChainSource, SourcePaces, TransactionEvidence } from './port.ts';

/** Why a history lacks transfers of tokens whose contract claims more than any token can have. */
const OVERFLOW = 'impossible_token_amounts';

/** A balance that some asset can have; of the XRP Ledger's, up to 80 digits on each side of the point. */
const BALANCE = /^\d{1,100}(?:\.\d{1,100})?$/;

/** How far ahead of this clock a block may be: clocks differ, and Bitcoin takes blocks of the next two hours. */
const AHEAD_MS = 15 * MINUTE_MS;
const BITCOIN_AHEAD_MS = 2 * HOUR_MS + AHEAD_MS;

/** State that all sources of a process share. */
export interface SourceGuards {
  /** How the sources of each chain answered. */
  uses: Map<Chain, OutboundUse>;
  metrics: { countRead: Metrics['countRead'] };
  paces: SourcePaces;
  now: () => number;
  /** Keys that requests carry beside the URLs of the sources. */
  keys?: readonly string[];
}

/**
 * The same source with each call timed, each request at its pace and each answer checked. More of a coin or a well-known
 * token than exists is a SourceError; such a transfer of any other token is left out, since its contract can report
 * anything, and so are balances that no asset can have. A transfer of a time to come is a SourceError too. Transfers name the source and the moment of reading; those of a
 * history come oldest first. Reasons of failures hold no key, although replies repeat what was asked.
 */
export function guardSource(source: ChainSource, { uses, metrics, paces, now, keys }: SourceGuards): ChainSource {
  const { chain } = source;
  const urls = source.endpoints.map(({ baseUrl }) => baseUrl);
  const use: OutboundUse = { ...UNUSED };
  uses.set(chain, use);
  const aheadMs = chain === 'bitcoin' ? BITCOIN_AHEAD_MS : AHEAD_MS;
  const isPossible = (transfer: Transfer): boolean => {
    if (transfer.at > now() + aheadMs) {
      throw new SourceError(chain, `${transfer.id} is of ${iso(transfer.at)}, a time to come`);
    }
    const found = amountPlausibility(transfer);
    if (found !== 'impossible') return found === 'plausible';
    const { id, amount, asset } = transfer;
    throw new SourceError(chain, `${id} moves ${amount.slice(0, 80)} ${asset}, which cannot be`);
  };
  const timed = async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
    const began = performance.now();
    let hasFailed = false;
    try {
      const answer = await asked;
      use.lastSuccessAt = now();
      return answer;
    } catch (error) {
      if (error instanceof SourceError) {
        hasFailed = true;
        Object.assign(use, { lastFailureAt: now(), problem: error.problem });
        Object.assign(error, { reason: withoutSecrets(error.reason, urls, keys) });
      }
      throw error;
    } finally {
      metrics.countRead(chain, (performance.now() - began) / 1_000, hasFailed);
    }
  };
  const checkHistory = async (history: AddressHistory): Promise<AddressHistory> => {
    const transfers: Transfer[] = [];
    const name = history.coverage.sources.join('+');
    const readAt = now();
    const once = sharedTexts();
    await eachInSlices(history.transfers, (transfer) => {
      if (!isPossible(transfer)) return;
      transfer.source = name;
      transfer.readAt = readAt;
      transfer.from = once(transfer.from);
      transfer.to = once(transfer.to);
      transfer.asset = once(transfer.asset);
      transfer.token = once(transfer.token);
      transfer.txSender = once(transfer.txSender);
      transfers.push(transfer);
    });
    transfers.sort(compareTransfers);
    const { coverage } = history;
    const balances = (history.balances ?? []).filter(({ amount }) => BALANCE.test(amount));
    if (transfers.length === history.transfers.length) return { ...history, transfers, balances };
    return { ...history, transfers, balances, coverage: { ...coverage, reasons: [...coverage.reasons, OVERFLOW] } };
  };
  const checkTransfers = <Answer extends { transfers: Transfer[] } | null>(found: Answer): Answer =>
    found && { ...found, transfers: found.transfers.filter(isPossible) };
  const checkEvidence = (found: TransactionEvidence | null): TransactionEvidence | null => {
    if (!found) return null;
    const { chainId, transaction } = found;
    if (chainId !== null && isEvmChain(chain) && chainId !== EVM_CHAIN_IDS[chain]) {
      throw new SourceError(chain, `${transaction.txHash} is a transaction of chain ${chainId}`);
    }
    return { ...found, transaction: checkTransfers(transaction) };
  };
  return {
    ...source,
    endpoints: source.endpoints.map((endpoint) => ({
      ...endpoint,
      seen: () => paces.of(endpoint.baseUrl, endpoint.perSecond).seen,
      check: (options) => timed(endpoint.check({ ...options, paces })),
    })),
    account: (address, options) => timed(source.account(address, { ...options, paces })),
    history: (address, options) => timed(source.history(address, { ...options, paces }).then(checkHistory)),
    historyAround: (address, around, options) =>
      timed(source.historyAround(address, around, { ...options, paces }).then(checkHistory)),
    transaction: (hash, options) => timed(source.transaction(hash, { ...options, paces }).then(checkTransfers)),
    evidence: (hash, options) => timed(source.evidence(hash, { ...options, paces }).then(checkEvidence)),
    findLogs: (query, options) => timed(source.findLogs(query, { ...options, paces })),
    tokenTransfers: (query, options) => timed(source.tokenTransfers(query, { ...options, paces }).then(checkTransfers)),
    ...(source.prove && { prove: (hash, options) => timed(source.prove!(hash, { ...options, paces })) }),
  };
}

/** Gives equal texts as one object: thousands of transfers name the same parties, and are compared by them. */
function sharedTexts(): <T extends string | null>(text: T) => T {
  const known = new Map<unknown, unknown>();
  return (text) => {
    if (!known.has(text)) known.set(text, text);
    return known.get(text) as typeof text;
  };
}
