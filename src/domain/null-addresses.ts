/** The sender of coin that no address paid: mined, earned, minted behind a bridge, or held since the first block. */
export const COINBASE = 'coinbase';

const ZERO_EVM = '0x0000000000000000000000000000000000000000';
/** A burn address of little use, from which studies number their invented parties. */
const FIRST_NUMBER = '0x0000000000000000000000000000000000000001';
/** Addresses that nobody holds: new units come from them, destroyed ones go there. */
export const NULL_ADDRESSES: ReadonlySet<string> = new Set([
  COINBASE,
  ZERO_EVM,
  FIRST_NUMBER,
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000042069420694206942069',
  '1nc1nerator11111111111111111111111111111111',
  '11111111111111111111111111111111',
  '1BitcoinEaterAddressDontSendf59kuE',
  '1CounterpartyXXXXXXXXXXXXXXXUWLpVr',
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy',
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  'rrrrrrrrrrrrrrrrrrrrBZbvji',
]);

/**
 * Addresses from which anybody may pay: pay to anchor, and the script that is always true, by its hashes and bare. Money goes on
 * through them as through any other address.
 */
const ANYBODY: ReadonlySet<string> = new Set([
  'bc1pfeessrawgf',
  'bc1qft5p2uhsdcdc3l2ua4ap5qqfg4pjaqlp250x7us7a8qqhrxrxfsq2gp3gp',
  '3MaB7QVq3k4pQx3BhsvEADgzQonLSBwMdj',
  'script:4ae81572f06e1b88fd5ced7a1a000945432e83e1551e6f721ee9c00b8cc33260',
]);

/** True for an address without a holder: an accusation of it is an error. */
export function isBlameless(address: string): boolean {
  return hasNoHolder(address) && address !== FIRST_NUMBER;
}

/** True for an address that belongs to no holder: none can pay from it, or all can. */
export function hasNoHolder(address: string): boolean {
  return NULL_ADDRESSES.has(address) || ANYBODY.has(address);
}
