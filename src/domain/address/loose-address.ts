import { CHAINS, type ChainAddress } from '../chain.ts';
import { normalDomain } from '../text/domain-name.ts';
import { accountOf, detectAddress } from './address.ts';

/**
 * Reads an address in any of the forms in which it is passed around: a payment URI, hex without `0x`, and, as public lists
 * and search boxes have it, mixed case whose checksum does not fit.
 */
export function looseAddress(text: string): ChainAddress | null {
  const link = /^(?:bitcoin|ethereum|solana|tron|ripple|xrpl?):(?:\/\/)?/i;
  // The id of an account (CAIP-10) begins like a link.
  const bare = accountOf(text) ? text : text.replace(link, '').split(/[?@]/, 1)[0]!;
  const hex = /^(?:0x)?([0-9a-f]{40})$/i.exec(bare)?.[1];
  const found = detectAddress(hex ? `0x${hex.toLowerCase()}` : bare);
  return found && { chain: found.chain, address: found.address };
}

/** Most characters of a text that are looked at. */
const LENGTH_MAX = 300;

/** Says what to send in place of a text that cannot be read as an address. */
export function addressHint(given: string): string {
  const text = given.trim().slice(0, LENGTH_MAX);
  if (/^0x[0-9a-fA-F]{40}$/.test(text))
    return 'The checksum in its upper and lower case does not fit: look for a typing error, or send it in lower case';
  if (/^(?:0x)?41[0-9a-f]{40}$/i.test(text)) return 'Send an address of TRON in its base58 form, T…';
  const digits = /^0x([0-9a-f]+)$/i.exec(text)?.[1]?.length;
  if (digits === 64) return 'It has the length of a transaction hash, not of an address';
  if (digits !== undefined && digits !== 40)
    return `An address of an EVM chain has 40 hex digits after 0x, this has ${digits}`;
  if (/^(?:tb1|bcrt1)/i.test(text)) return 'Addresses of test networks are not read';
  // Documents and chats break lines within an address and add soft hyphens; a sentence without its blanks has no digit.
  const joined = text.replace(/[\s\p{Cc}\p{Cf}]/gu, '');
  const parts = [text, ...text.split(/[^0-9A-Za-z]+/), ...(/\d/.test(joined) ? [joined] : [])];
  const found = accountOf(text) ? null : parts.flatMap((part) => looseAddress(part) ?? [])[0];
  if (found) return `Send the address alone: ${found.address}`;
  if (normalDomain(text)) return 'Names are not looked up: send the address that the name stands for';
  return `It is an address of none of: ${CHAINS.join(', ')}`;
}
