import { canonicalAddress } from '../../src/domain/address/address.ts';
import { parseAddressKey } from '../../src/domain/address/address-key.ts';
import { plainDecimal, rawAmount } from '../../src/domain/amount.ts';
import { type Chain, NATIVE_COIN } from '../../src/domain/chain.ts';
import { KNOWN_TOKENS } from '../../src/domain/tokens/known-tokens.ts';
import { assetName, cleanSymbol, verifiedToken } from '../../src/domain/tokens/token.ts';
import { amountPlausibility } from '../../src/domain/transfers/plausible-amount.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';

/** One transfer as a file states it, checked field by field. */
export interface GivenTransfer {
  chain: Chain;
  txHash: string;
  /** Null where the file does not give the place. */
  index: string | null;
  block: number | null;
  at: number;
  from: string;
  to: string;
  asset: string;
  /** Contract where the file names one; default: found by the symbol. */
  token?: string | null;
  amount: string;
  usd: number | null;
  /** Fields that only some files have. */
  more?: Partial<
    Pick<
      Transfer,
      | 'position'
      | 'blockHash'
      | 'txSender'
      | 'method'
      | 'fee'
      | 'feePayer'
      | 'failed'
      | 'seq'
      | 'kind'
      | 'amountRaw'
      | 'decimals'
      | 'destinationTag'
      | 'sourceTag'
      | 'tokenId'
      | 'assetType'
      | 'feeShare'
      | 'apportioned'
    >
  >;
}

const TOKEN_BY_SYMBOL = new Map(
  [...KNOWN_TOKENS].map(([key, token]) => {
    const { chain, address } = parseAddressKey(key);
    return [`${chain}:${token.symbol.toUpperCase()}`, address];
  }),
);

/** A transfer as the graph takes it. Its id is made as the chain adapters make theirs. */
export function transferOf(given: GivenTransfer): Transfer {
  const { chain, txHash, index, amount } = given;
  const { asset, token } =
    given.token === undefined ? assetOf(chain, given.asset) : (given as { asset: string; token: string | null });
  const decimals = token === null ? NATIVE_COIN[chain].decimals : (verifiedToken(chain, token)?.decimals ?? null);
  return createTransfer({
    chain,
    txHash,
    index,
    seq: index === null ? null : Number(/\d{1,9}$/.exec(index)?.[0] ?? 0),
    block: given.block,
    at: given.at,
    from: given.from,
    to: given.to,
    asset,
    token,
    amount,
    amountRaw: rawAmount(amount, given.more?.decimals ?? decimals),
    decimals,
    usd: given.usd,
    kind: token === null ? 'native' : 'token',
    ...given.more,
  });
}

/**
 * The asset of a symbol, of `SYMBOL:contract` or of a bare contract. A well-known symbol stands for the verified
 * contract of the chain; any other symbol is a token known by its name alone, and is never priced.
 */
function assetOf(chain: Chain, text: string): { asset: string; token: string | null } {
  if (text.toUpperCase() === NATIVE_COIN[chain].symbol) return { asset: NATIVE_COIN[chain].symbol, token: null };
  const colon = text.indexOf(':');
  const symbol = colon === -1 ? text : text.slice(0, colon);
  const contract = canonicalAddress(chain, colon === -1 ? text : text.slice(colon + 1))?.address;
  if (contract) return { asset: assetName(chain, contract, colon === -1 ? '' : symbol), token: contract };
  const token = TOKEN_BY_SYMBOL.get(`${chain}:${symbol.toUpperCase()}`);
  if (token) return { asset: assetName(chain, token, symbol), token };
  const name = cleanSymbol(text);
  return { asset: name, token: name };
}

/** Longer amounts are of no asset: 2^255 with 30 decimals is shorter. */
const AMOUNT_LENGTH_MAX = 120;

/** An amount of 0 or more as a plain decimal; null for other text. */
export function amountOf(text: string): string | null {
  if (text.length > AMOUNT_LENGTH_MAX) return null;
  const amount = plainDecimal(text);
  return amount === null || amount.startsWith('-') || amount.length > AMOUNT_LENGTH_MAX ? null : amount;
}

/** Why such a transfer cannot be, as for what chain sources give; null where it can. */
export function impossibility(transfer: Transfer): string | null {
  return amountPlausibility(transfer) === 'plausible' ? null : `no ${transfer.asset} exist in that amount`;
}
