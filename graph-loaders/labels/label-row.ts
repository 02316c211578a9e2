import { accountOf, canonicalAddress, detectChain } from '../../src/domain/address/address.ts';
import { addressOf } from '../../src/domain/address/address-key.ts';
import { type Chain, chainOfForm, isChain, isEvmChain } from '../../src/domain/chain.ts';
import { type Category, isAdverseCategory, type Label } from '../../src/domain/label.ts';
import { isBlameless } from '../../src/domain/null-addresses.ts';
import { KNOWN_TOKENS } from '../../src/domain/tokens/known-tokens.ts';
import { cleanText } from '../reading/clean-text.ts';
import type { Tally } from '../reading/tally.ts';

const PROGRAMME_MAX = 200;
/** Texts that name no owner, without their punctuation: they would join strangers. */
const NO_OWNER = new Set([
  ...['', 'unknown', 'unnamed', 'unidentified', 'anonymous', 'undefined', 'none', 'null', 'nil', 'nan', 'na'],
  ...['other', 'others', 'various', 'misc', 'tbd'],
]);

type Given = Pick<Label, 'chain' | 'address' | 'category' | 'label' | 'source' | 'confidence'> & Partial<Label>;

/** A checked label of a file's row: canonical address, clean names. Reports and returns null where there is no address. */
export function labelOf(given: Given, line: number, tally: Tally): Label | null {
  const address = canonicalAddress(chainOfForm(given.chain), given.address)?.address;
  if (!address) {
    tally.skip(line, `${shown(given.address)} is not a valid ${given.chain} address`);
    return null;
  }
  if (isAdverseCategory(given.category) && isNoParty(address, given.category)) {
    tally.skip(line, `nobody holds ${address}: it is not ${given.category}`);
    return null;
  }
  const { confidence, validFrom = null, validTo = null } = given;
  if (!(confidence >= 0 && confidence <= 100)) {
    tally.skip(line, `confidence is not 0-100: ${shown(String(confidence))}`);
    return null;
  }
  if (validTo !== null && validTo <= (validFrom ?? 0)) {
    tally.skip(line, 'valid_to is not after valid_from');
    return null;
  }
  const label = cleanText(given.label);
  const source = cleanText(given.source);
  const entity = given.entity ? cleanText(given.entity) : null;
  const programme = given.programme && cleanText(given.programme).text.slice(0, PROGRAMME_MAX);
  const removed = label.removed ?? source.removed ?? entity?.removed;
  if (removed) tally.note(line, `${removed} taken out`);
  return {
    chain: given.chain,
    address,
    category: given.category,
    label: label.text || given.category,
    source: source.text,
    confidence: Math.round(confidence),
    entity: entity && !namesNoOwner(entity.text) ? entity.text : null,
    validFrom,
    validTo,
    maliciousContract: given.maliciousContract ?? false,
    ...(programme && { programme }),
  };
}

/** Contracts of verified tokens, on whatever chain. */
const TOKEN_CONTRACTS = new Set([...KNOWN_TOKENS.keys()].map(addressOf));

/**
 * True for addresses without a party behind them: burn addresses, and the contracts of verified tokens unless sanctioned.
 * Issuers block these too, lest tokens be lost there.
 */
function isNoParty(address: string, category: Category): boolean {
  return isBlameless(address) || (category !== 'sanctioned' && TOKEN_CONTRACTS.has(address));
}

/** As wallets write an address into a link or a code to scan: its target, the function of it that is called, its parameters. */
const PAYMENT_LINK =
  /^(?:bitcoin|ethereum|tron|solana|xrpl|ripple):(?:\/\/)?(?:pay-)?([0-9a-z]+)(?:@[^/?]*)?(?:\/([^?]*))?(?:\?(.*))?$/i;
/** Parameters of older links that call a contract. */
const CALLS = ['function', 'data', 'bytecode'];

/** An address without the invisible characters that were copied with it, which are reported: shown, both would look the same. */
export function visibleAddress(raw: string, line: number, tally: Tally): string {
  const seen = raw.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  if (seen !== raw.trim()) tally.note(line, `${shown(seen)}: invisible characters taken out`);
  return seen;
}

/**
 * An address as a public list wrote it; of a payment link whom it pays, or the link where it does not say. Lists carry a few EVM
 * addresses in mixed case whose checksum does not fit; the scam they name is real, so they are taken as lower case, and reported.
 */
export function listedAddress(raw: string, line: number, tally: Tally): string {
  const seen = visibleAddress(raw, line, tally);
  const address = paidBy(seen) ?? seen;
  if (!/^0x[0-9a-fA-F]{40}$/.test(address) || canonicalAddress('ethereum', address)) return address;
  tally.note(line, `${address}: the checksum does not fit; taken as lower case`);
  return address.toLowerCase();
}

/** Returns whom a payment link pays; null for other texts, and for links that call a contract for something else. */
function paidBy(text: string): string | null {
  const [, target, called, query] = PAYMENT_LINK.exec(text) ?? [];
  if (target === undefined) return null;
  const parameters = new URLSearchParams(query);
  // A transfer of a token names the token's contract first.
  if (called === 'transfer') return parameters.get('address');
  return called || CALLS.some((name) => parameters.has(name)) ? null : target;
}

/** The chain of a label by the form of its address: `evm` for all EVM chains, one where a CAIP-10 id names it; null for another. */
export function labelChainOf(address: string): Chain | 'evm' | null {
  const account = accountOf(address);
  if (account) return account.chain;
  const chain = detectChain(address);
  return chain !== null && isEvmChain(chain) ? 'evm' : chain;
}

export function isLabelChain(text: string): text is Chain | 'evm' {
  return text === 'evm' || isChain(text);
}

/** A value of a file as reports may show it. */
export function shown(value: string): string {
  const { text } = cleanText(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text || '(empty)';
}

function namesNoOwner(text: string): boolean {
  return NO_OWNER.has(text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase());
}
