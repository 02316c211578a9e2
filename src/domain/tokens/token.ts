import { type Chain, isEvmChain, NATIVE_COIN } from '../chain.ts';
import { skeleton } from '../text/confusables.ts';
import { KNOWN_TOKENS, type VerifiedToken } from './known-tokens.ts';

const SYMBOL_LENGTH_MAX = 32;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Known symbols and the chains' coins by their skeleton: what a counterfeit would call itself. */
const TAKEN = new Map(
  [...[...KNOWN_TOKENS.values()].flatMap((token) => [token.symbol, token.priceAs]), ...coinSymbols()].map((symbol) => [
    skeleton(symbol),
    symbol,
  ]),
);

function coinSymbols(): string[] {
  return Object.values(NATIVE_COIN).map((coin) => coin.symbol);
}

/** A symbol as shown: without control, bidirectional and invisible characters, at most 32 long; `UNKNOWN` for none. */
export function cleanSymbol(raw: unknown): string {
  if (typeof raw !== 'string') return 'UNKNOWN';
  let shown = '';
  for (const char of raw.slice(0, 1_000).replace(INVISIBLE, '').trim()) {
    if (shown.length + char.length > SYMBOL_LENGTH_MAX) break;
    shown += char;
  }
  return shown.trim() || 'UNKNOWN';
}

/**
 * The name under which answers sum an asset. A token that looks like a known one, or like a coin, without
 * being it is `SYMBOL:contract`, so that counterfeits never enter the sums of what they imitate.
 */
export function assetName(chain: Chain, token: string | null, rawSymbol: string): string {
  if (token === null) return NATIVE_COIN[chain].symbol;
  const verified = verifiedToken(chain, token);
  if (verified) return verified.symbol;
  const symbol = cleanSymbol(rawSymbol);
  const imitated = TAKEN.get(skeleton(symbol)) ?? TAKEN.get(skeleton(symbol.replaceAll('$', 's')));
  return imitated ? `${imitated}:${token}` : symbol;
}

/** True for the name of an asset that looks like a known one without being it. */
export function isCounterfeit(name: string): boolean {
  const end = name.indexOf(':');
  return end > 0 && TAKEN.has(skeleton(name.slice(0, end)));
}

/** The facts of a well-known token by its contract; null for every other one, which must never be priced. */
export function verifiedToken(chain: Chain, token: string | null): VerifiedToken | null {
  if (token === null) return null;
  return KNOWN_TOKENS.get(`${chain}:${isEvmChain(chain) ? token.toLowerCase() : token}`) ?? null;
}
