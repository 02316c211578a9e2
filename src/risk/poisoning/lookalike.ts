import { type Chain, isEvmChain } from '../../domain/chain.ts';

/** The part of an address that differs from one to the next: without what all addresses of the chain begin with. */
export function variablePart(chain: Chain, address: string): string {
  if (isEvmChain(chain)) return address.slice(2).toLowerCase();
  if (chain === 'bitcoin') return address.replace(/^(bc1[a-z0-9]|[13])/, '');
  if (chain === 'tron' || chain === 'xrp') return address.slice(1);
  return address;
}

/** How many characters two addresses share at either end. */
export function sharedEnds(chain: Chain, a: string, b: string): { prefix: number; suffix: number } {
  const left = variablePart(chain, a);
  const right = variablePart(chain, b);
  const length = Math.min(left.length, right.length);
  let prefix = 0;
  while (prefix < length && left[prefix] === right[prefix]) prefix++;
  let suffix = 0;
  while (suffix < length - prefix && left.at(-1 - suffix) === right.at(-1 - suffix)) suffix++;
  return { prefix, suffix };
}
