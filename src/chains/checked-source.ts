import { amountPlausibility } from '../domain/transfers/plausible-amount.ts';
import type { Transfer } from '../domain/transfers/transfer.ts';
import { SourceError } from '../errors.ts';
import type { AddressHistory, ChainSource } from './port.ts';

/** Why a history lacks transfers of tokens whose contract claims more than any token can have. */
const OVERFLOW = 'impossible_token_amounts';

/**
 * The same source with its answers checked. More of a coin or a well-known token than exists is a SourceError; such a
 * transfer of any other token is left out, since its contract can report anything. Each transfer names the source and
 * the moment of reading.
 */
export function checkedSource(source: ChainSource, now: () => number): ChainSource {
  const possible = (transfers: Transfer[]): Transfer[] =>
    transfers.filter((transfer) => {
      const found = amountPlausibility(transfer);
      if (found !== 'impossible') return found === 'plausible';
      const { id, amount, asset } = transfer;
      throw new SourceError(source.chain, `${id} moves ${amount.slice(0, 80)} ${asset}, which do not exist`);
    });
  const checked = (history: AddressHistory): AddressHistory => {
    const transfers = possible(history.transfers);
    const name = history.coverage.sources.join('+');
    const readAt = now();
    const once = sharedTexts();
    for (const transfer of transfers) {
      const { from, to, asset, token, txSender } = transfer;
      Object.assign(transfer, { source: name, readAt });
      Object.assign(transfer, {
        from: once(from),
        to: once(to),
        asset: once(asset),
        token: once(token),
        txSender: once(txSender),
      });
    }
    if (transfers.length === history.transfers.length) return history;
    const { coverage } = history;
    return { ...history, transfers, coverage: { ...coverage, reasons: [...coverage.reasons, OVERFLOW] } };
  };
  return {
    ...source,
    history: async (address, options) => checked(await source.history(address, options)),
    historyAround: async (address, around, options) => checked(await source.historyAround(address, around, options)),
    async transaction(hash, options) {
      const found = await source.transaction(hash, options);
      return found && { ...found, transfers: possible(found.transfers) };
    },
    async tokenTransfers(query, options) {
      const found = await source.tokenTransfers(query, options);
      return { ...found, transfers: possible(found.transfers) };
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
