import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { openBitcoin } from '../../../src/chains/bitcoin/bitcoin.ts';
import { summarizeFlow } from '../../../src/domain/transfers/flow.ts';
import { type ServedUpstream, serveUpstream } from '../../contract/upstream.ts';
import { type EsploraTx, esplora, output } from './esplora-upstream.ts';

const SUBJECT = 'bc1qrfr44n2j4czd5c9txwlnw0yj2h82x9566fglqj';
const file = new URL(
  `../../../../shared/data/rpc-blockatlas/mock/ext-api-data/bitcoin-api_v2_address_${SUBJECT}__details_txs.json`,
  import.meta.url,
);
const missing = existsSync(file) ? null : 'recorded Bitcoin replies are not beside the project';

interface Recorded {
  txid: string;
  blockHash: string;
  blockHeight: number;
  blockTime: number;
  fees: string;
  vin: { txid: string; addresses: string[]; value: string }[];
  vout: { addresses: string[]; value: string }[];
}

/** The recorded server spoke another protocol; its facts are served here in Esplora's. */
function toEsplora(tx: Recorded): EsploraTx {
  return {
    txid: tx.txid,
    version: 2,
    locktime: 0,
    vin: tx.vin.map((one, vout) => ({
      txid: one.txid,
      vout,
      prevout: output(one.addresses[0]!, Number(one.value)),
      scriptsig: '',
      scriptsig_asm: '',
      is_coinbase: false,
      sequence: 0,
    })),
    vout: tx.vout.map((one) => output(one.addresses[0]!, Number(one.value))),
    size: 0,
    weight: 0,
    fee: Number(tx.fees),
    status: { confirmed: true, block_height: tx.blockHeight, block_hash: tx.blockHash, block_time: tx.blockTime },
  };
}

let server: ServedUpstream | undefined;
afterEach(() => server?.close());

it('gives exact totals and counterparties of a recorded mainnet address', async (context) => {
  if (missing) context.skip(missing);
  const recorded: { balance: string; txs: number; transactions: Recorded[] } = JSON.parse(readFileSync(file, 'utf8'));
  server = await serveUpstream(esplora(recorded.transactions.map(toEsplora)));
  const source = openBitcoin({ esploraUrl: server.url }, { pageLimit: 50 });
  const history = await source.history(SUBJECT);

  expect(history).toMatchObject({ found: true, balance: '0.00016245', transactionCount: 13 });
  expect(history.coverage).toEqual({ complete: true, sources: ['esplora'], reasons: [] });
  // Three transactions only moved coins from the address to itself. Of the two joint ones the address bears
  // 6460/53170 of 24,214 (2,942 satoshi) and 40000/87433 of 78,649 (35,981).
  const options = { labelsOf: () => [], limit: 100, asOf: Date.now() };
  const { totals, counterparties } = summarizeFlow(SUBJECT, history.transfers, options);
  expect(totals).toEqual({
    sent: { BTC: (1_000 + 2_699 + 2_942 + 35_981) / 1e8 },
    received: { BTC: (1_000 + 375 + 1_098 + 10_315 + 10_772 + 6_460 + 30_000 + 10_000) / 1e8 },
  });
  expect(counterparties).toHaveLength(11);
  expect(counterparties.find(({ address }) => address === '34DBwkzPz6yeqU1LoZLVzdCm91oeyxq37T')).toMatchObject({
    tx_count: 1,
    sent_count: 1,
    received_count: 0,
    value_by_asset: { BTC: 0.00001 },
  });
  const joint = history.transfers.filter(({ apportioned }) => apportioned);
  expect(joint.filter(({ from }) => from === SUBJECT)).toHaveLength(2);
  // Who spent beside it, once for each of both.
  expect(new Set(joint.filter(({ from }) => from !== SUBJECT).map(({ to }) => to)).size).toBe(2);
});
