import { EVM_CHAIN_IDS, isEvmChain } from '../domain/chain.ts';
import { amountPlausibility } from '../domain/transfers/plausible-amount.ts';
import { compareTransfers, type Transfer } from '../domain/transfers/transfer.ts';
import { SourceError } from '../errors.ts';
import { eachInSlices } from '../fairness/time-slices.ts';
import type { AddressHistory, ChainSource } from './port.ts';

/** Why a history lacks transfers of tokens whose contract claims more than any token can have. */
const OVERFLOW = 'impossible_token_amounts';

/** A balance that some asset can have; of the XRP Ledger's, up to 80 digits on each side of the point. */
const BALANCE = /^\d{1,100}(?:\.\d{1,100})?$/;

/**
 * The same source with its answers checked. More of a coin or a well-known token than exists is a SourceError; such a
 * transfer of any other token is left out, since its contract can report anything, and so are balances that no asset
 * can have. Transfers name the source and the moment of reading; those of a history come oldest first.
 */
export function checkedSource(source: ChainSource, now: () => number): ChainSource {
  const isPossible = (transfer: Transfer): boolean => {
    const found = amountPlausibility(transfer);
    if (found !== 'impossible') return found === 'plausible';
    const { id, amount, asset } = transfer;
    throw new SourceError(source.chain, `${id} moves ${amount.slice(0, 80)} ${asset}, which do not exist`);
  };
  const checked = async (history: AddressHistory): Promise<AddressHistory> => {
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
  return {
    ...source,
    history: async (address, options) => checked(await source.history(address, options)),
    historyAround: async (address, around, options) => checked(await source.historyAround(address, around, options)),
    async transaction(hash, options) {
      const found = await source.transaction(hash, options);
      return found && { ...found, transfers: found.transfers.filter(isPossible) };
    },
    async evidence(hash, options) {
      const found = await source.evidence(hash, options);
      if (!found) return null;
      const { chain } = source;
      if (found.chainId !== null && isEvmChain(chain) && found.chainId !== EVM_CHAIN_IDS[chain]) {
        throw new SourceError(chain, `${hash} is a transaction of chain ${found.chainId}`);
      }
      return {
        ...found,
        transaction: { ...found.transaction, transfers: found.transaction.transfers.filter(isPossible) },
      };
    },
    async tokenTransfers(query, options) {
      const found = await source.tokenTransfers(query, options);
      return { ...found, transfers: found.transfers.filter(isPossible) };
    },
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
