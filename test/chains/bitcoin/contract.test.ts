import { openBitcoin } from '../../../src/chains/bitcoin/bitcoin.ts';
import { describeChainSource } from '../../contract/chain-source.ts';
import { type EsploraTx, esplora, hashOf, transaction, wallet } from './esplora-upstream.ts';

const SUBJECT = wallet(1);
const COUNT = 60;

/** 60 payments to and from one address, one a block. */
function world(): EsploraTx[] {
  return Array.from({ length: COUNT }, (_, i) => {
    const other = wallet(100 + i);
    return i % 3 === 0
      ? transaction(1_000 + i, { [SUBJECT]: 9_000 }, { [other]: 5_000, [SUBJECT]: 3_500 }, 700_000 + i)
      : transaction(1_000 + i, { [other]: 20_000 }, { [SUBJECT]: 10_000 + i, [other]: 500 }, 700_000 + i);
  });
}

const at = (height: number) => (1_232_000_000 + height * 600) * 1_000;

describeChainSource({
  name: 'Bitcoin over Esplora',
  chain: 'bitcoin',
  open: (esploraUrl, pageLimit) => openBitcoin({ esploraUrl }, { pageLimit }),
  upstream: () => esplora(world()),
  stuck: () => esplora(world(), { ignoreCursor: true }),
  // An output whose address a source leaves out is its script's.
  canonical: /^(?:bc1q[02-9ac-hj-np-z]{38}|script:[0-9a-f]{64})$/,
  txHash: /^[0-9a-f]{64}$/,
  paged: { address: SUBJECT, transfers: COUNT },
  unknown: { address: wallet(9_999), txHash: hashOf(9_999) },
  shortIsWhole: true,
  onlySpendings: true,
  token: { token: 'native', address: SUBJECT, from: at(700_010), to: at(700_029), held: 20 },
});
