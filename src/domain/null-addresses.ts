/** The sender of coin that no address paid: mined, earned, minted behind a bridge, or held since the first block. */
export const COINBASE = 'coinbase';

const ZERO_EVM = '0x0000000000000000000000000000000000000000';
/** A burn address of little use, from which studies number their invented parties. */
export const FIRST_NUMBER = '0x0000000000000000000000000000000000000001';
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
