import { openSolana } from '../../../src/chains/solana/solana.ts';
import { describeChainSource } from '../../contract/chain-source.ts';
import {
  type Cluster,
  key,
  mintAccount,
  signature,
  solanaNode,
  solanaTx,
  spl,
  system,
  timeOf,
  wallet,
} from './cluster.ts';

const FIRST = 200_000_000;
/** The first payment to alice, lamports. */
const ENDOWED = 1_500_000_000;
const alice = key('alice 1');
const mint = key('mint');
const [purse, other] = [key('purse of alice'), key('other')];
const otherPurse = key('purse of other');

/** 205 payments of SOL, one of them failed; 16 token transfers that name only token accounts. */
function cluster(count = 205): Cluster {
  const payments = Array.from({ length: count }, (_, n) => {
    const [from, to] = n % 2 ? [alice, other] : [other, alice];
    const failed = n === 11;
    const amount = n === 0 ? ENDOWED : n + 1;
    // The first payment finds nothing: the history begins there.
    const held = n === 0 ? 0 : 5;
    return solanaTx({
      slot: FIRST + n,
      payer: from,
      lamports: failed
        ? { [from]: [900, 900], [to]: [5, 5] }
        : { [from]: [ENDOWED + 900, ENDOWED + 900 - amount], [to]: [held, held + amount] },
      instructions: [system('transfer', { source: from, destination: to, lamports: amount })],
      err: failed ? { InstructionError: [0, { Custom: 1 }] } : null,
    });
  });
  const tokens = Array.from({ length: 16 }, (_, n) =>
    solanaTx({
      slot: FIRST + 1_000 + n,
      payer: other,
      tokens: [
        { account: otherPurse, owner: other, mint, before: '9000000', after: String(9_000_000 - n - 1) },
        { account: purse, owner: alice, mint, before: n === 0 ? '0' : '1', after: String(n === 0 ? 1 : n + 2) },
      ],
      instructions: [
        spl('transfer', { source: otherPurse, destination: purse, authority: other, amount: String(n + 1) }),
      ],
    }),
  );
  return {
    txs: [...payments, ...tokens],
    owned: { [alice]: [{ account: purse, mint, lamports: 0, amount: '136' }] },
    accounts: { [alice]: wallet(ENDOWED - 1 + 115 - 102 * 5_000), [mint]: mintAccount(6) },
  };
}

describeChainSource({
  name: 'Solana JSON-RPC',
  chain: 'solana',
  open: (rpcUrl, pageLimit) => openSolana({ rpcUrl }, { pageLimit }),
  upstream: () => solanaNode(cluster()),
  canonical: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  txHash: /^[1-9A-HJ-NP-Za-km-z]{87,88}$/,
  requestsAround: 130,
  paged: { address: alice, transfers: 221 },
  stuck: () => solanaNode({ ...cluster(1_000), stuck: true }),
  unknown: { address: key('nobody'), txHash: signature('nothing') },
  failed: { txHash: signature(`tx ${FIRST + 11}`) },
  token: {
    token: mint,
    address: alice,
    from: timeOf(FIRST + 1_005) * 1_000,
    to: timeOf(FIRST + 1_014) * 1_000,
    held: 10,
  },
});
