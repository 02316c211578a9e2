import { openXrp } from '../../../src/chains/xrp/xrp.ts';
import { describeChainSource } from '../../contract/chain-source.ts';
import { atOf, rippled, type XrpRow, xrpAccount, xrpHash, xrpRow } from './ledger.ts';

const alice = xrpAccount('alice');
const issuer = xrpAccount('issuer');
const usd = (value: string) => ({ currency: 'USD', issuer, value });

/** 450 payments in and out of alice, every tenth in dollars of the issuer, one that failed. */
function rows(): XrpRow[] {
  return Array.from({ length: 450 }, (_, n) => {
    const other = xrpAccount(`other ${n % 7}`);
    const [from, to] = n % 2 === 0 ? [alice, other] : [other, alice];
    const amount = n % 10 === 0 ? usd(`${n + 1}.5e-3`) : String(1_000_000 + n);
    const failed = n === 33;
    return xrpRow(100_000 + n, { Account: from, Destination: to, TransactionType: 'Payment', DeliverMax: amount }, [], {
      result: failed ? 'tecUNFUNDED_PAYMENT' : 'tesSUCCESS',
      ...(failed ? {} : { delivered: amount }),
    });
  });
}

/** What is left of all these payments and of the fees of those that alice made. */
function balanceLeft(): number {
  return rows().reduce((sum, { tx_json: { Account, Fee }, meta: { delivered_amount: delivered } }) => {
    const drops = typeof delivered === 'string' ? Number(delivered) : 0;
    return Account === alice ? sum - drops - Number(Fee) : sum + drops;
  }, 0);
}

const accounts = { [alice]: { Balance: String(balanceLeft()) } };
for (const v1 of [false, true]) {
  describeChainSource({
    name: `XRP Ledger, API v${v1 ? 1 : 2}`,
    chain: 'xrp',
    open: (rpcUrl, pageLimit) => openXrp({ rpcUrl }, { pageLimit }),
    upstream: () => rippled({ rows: rows(), accounts, v1 }),
    canonical: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/,
    txHash: /^[0-9A-F]{64}$/,
    paged: { address: alice, transfers: 450 },
    stuck: () => rippled({ rows: rows(), accounts, v1, stuck: true }),
    unknown: { address: xrpAccount('nobody'), txHash: xrpHash('nothing') },
    failed: { txHash: xrpHash('tx 100033') },
    token: { token: `USD.${issuer}`, address: alice, from: atOf(100_100), to: atOf(100_300), held: 21 },
  });
}
