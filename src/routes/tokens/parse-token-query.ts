import { canonicalAddress, detectChain } from '../../domain/address/address.ts';
import type { Chain } from '../../domain/chain.ts';
import { DAY_MS } from '../../domain/time.ts';
import { InvalidInputError } from '../../errors.ts';
import { parseAddress, parseChain } from '../../questions/parse-address.ts';

const RANGE_DAYS_MAX = 90;

export interface TokenQueryInput {
  token_contract: string;
  chain?: string | null;
  /** Epoch ms. */
  start_date: number;
  end_date: number;
}

/** Parses a question about the transfers of one address. Throws InvalidInputError. */
export function parseTransferQuery(input: TokenQueryInput & { address: string }) {
  const { chain, address } = parseAddress(input.address, input.chain);
  const token = isNative(input.token_contract) ? 'native' : parseToken(chain, input.token_contract);
  return { chain, address, token, ...parseRange(input) };
}

/** Parses a question about all transfers of one token. Throws InvalidInputError. */
export function parseTokenScreening(input: TokenQueryInput) {
  const { token_contract: text } = input;
  if (isNative(text)) throw new InvalidInputError('token_contract must be a token; native is for /tx-query');
  const chain = chainOfToken(text, input.chain);
  return { chain, token: parseToken(chain, text), ...parseRange(input) };
}

function parseRange({ start_date: from, end_date: to }: TokenQueryInput): { from: number; to: number } {
  if (to <= from) throw new InvalidInputError('end_date must be later than start_date');
  if (to - from > RANGE_DAYS_MAX * DAY_MS) {
    throw new InvalidInputError(`Date range must not exceed ${RANGE_DAYS_MAX} days`);
  }
  return { from, to };
}

/**
 * The token as its chain writes it: contract, mint, TRC-10 number, `CURRENCY.issuer` or XRP issuance id.
 * Throws InvalidInputError for anything that cannot be a token of the chain.
 */
function parseToken(chain: Chain, token: string): string {
  const text = token.trim();
  if (text === '') throw new InvalidInputError('token_contract is required');
  if (chain === 'bitcoin') throw new InvalidInputError('Token queries are not available on bitcoin');
  const canonical = chain === 'xrp' ? xrpToken(text) : (canonicalAddress(chain, text)?.address ?? trc10(chain, text));
  if (canonical === null) {
    const form = chain === 'xrp' ? '; expected CURRENCY.issuer' : '';
    throw new InvalidInputError(`Invalid token contract for ${chain}${form}`);
  }
  return canonical;
}

/** The chain that the client names, or else the one whose form the token has. */
function chainOfToken(token: string, chain: string | null | undefined): Chain {
  if (chain?.trim()) return parseChain(chain.trim());
  const text = token.trim();
  if (text === '') throw new InvalidInputError('token_contract is required');
  const found = xrpToken(text) ? 'xrp' : detectChain(text);
  if (!found) throw new InvalidInputError('Unrecognized token contract format');
  return found;
}

/** True for the chain's own coin, which a query of an address may ask for. */
function isNative(token: string): boolean {
  return token.trim().toLowerCase() === 'native';
}

function xrpToken(text: string): string | null {
  const [, currency, issuer] = /^([^.\s]{1,40})\.(\w{25,64})$/.exec(text) ?? [];
  const account = issuer && canonicalAddress('xrp', issuer)?.address;
  if (account) return `${currency}.${account}`;
  return /^[0-9A-F]{48}$/i.test(text) ? text.toUpperCase() : null;
}

function trc10(chain: Chain, text: string): string | null {
  return chain === 'tron' && /^\d{7,9}$/.test(text) ? text : null;
}
