import { tronHex } from '../../../src/chains/tron/address.ts';
import { openTron } from '../../../src/chains/tron/tron.ts';
import { describeChainSource } from '../../contract/chain-source.ts';
import { atOf, type Grid, send, TRANSFER, tronAccount, tronGrid, tronHash, tronTx, word } from './grid.ts';

const alice = tronAccount('alice');
const token = tronAccount('token');
const other = (n: number) => tronAccount(`other ${n % 5}`);
const FIRST = 60_000_000;
/** The first payment to alice, sun. */
const ENDOWED = 300_000_000;
const LARGE = (2n ** 70n + 1n).toString();

/** 430 payments of TRX (one failed), 230 of a token, 3 through a contract. */
function grid(): Grid {
  const payments = Array.from({ length: 430 }, (_, n) => {
    const amount = n === 0 ? ENDOWED : n + 1;
    return tronTx(
      FIRST + n,
      'TransferContract',
      n % 2 ? send(alice, other(n), amount) : send(other(n), alice, amount),
      {
        result: n === 7 ? 'OUT_OF_ENERGY' : 'SUCCESS',
      },
    );
  });
  const call = { owner_address: tronHex(alice), contract_address: tronHex(token), data: `a9059cbb${'0'.repeat(128)}` };
  const large = tronTx(FIRST + 900, 'TriggerSmartContract', call, { name: 'large' });
  const topics = [TRANSFER, word(alice), word(other(1))];
  return {
    txs: [...payments, large],
    trc20: Array.from({ length: 230 }, (_, n) => ({
      block: FIRST + 500 + n,
      token,
      symbol: 'TOK',
      decimals: 6,
      from: n % 3 ? alice : other(n),
      to: n % 3 ? other(n) : alice,
      value: String(10 ** 6 + n),
    })),
    internal: [1, 2, 3].map((n) => ({
      block: FIRST + n,
      id: `call ${n}`,
      from: token,
      to: alice,
      value: { _: 1_000 + n },
    })),
    accounts: { [alice]: { address: tronHex(alice), balance: ENDOWED - 1 - 207 + 3_006 - 216 * 1_100_000 } },
    infos: {
      [large.txID]: {
        id: large.txID,
        blockNumber: FIRST + 900,
        blockTimeStamp: atOf(FIRST + 900),
        receipt: { result: 'SUCCESS' },
        log: [{ address: tronHex(token).slice(2), topics, data: BigInt(LARGE).toString(16).padStart(64, '0') }],
      },
    },
    constants: { [`${token} decimals()`]: '6'.padStart(64, '0') },
  };
}

describeChainSource({
  name: 'TRON, TronGrid and full node',
  chain: 'tron',
  open: (apiUrl, pageLimit) => openTron({ apiUrl }, { pageLimit }),
  upstream: () => tronGrid(grid()),
  canonical: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  txHash: /^[0-9a-f]{64}$/,
  // The call of the contract itself counts: a transfer of no TRX.
  paged: { address: alice, transfers: 430 + 1 + 230 + 3 },
  stuck: () => tronGrid({ ...grid(), stuck: true }),
  unknown: { address: tronAccount('nobody'), txHash: tronHash('nothing') },
  failed: { txHash: tronHash(`tx ${FIRST + 7}`) },
  large: { txHash: tronHash('large'), amountRaw: LARGE },
  token: { token, address: alice, from: atOf(FIRST + 520), to: atOf(FIRST + 540), held: 21 },
  blocksMissing: true,
});
