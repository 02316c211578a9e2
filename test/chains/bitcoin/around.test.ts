import { afterEach, describe, expect, it } from 'vitest';
import { openBitcoin } from '../../../src/chains/bitcoin/bitcoin.ts';
import { SourceError } from '../../../src/errors.ts';
import { type ServedUpstream, serveUpstream, type Upstream } from '../../contract/upstream.ts';
import { type EsploraTx, esplora, hashOf, transaction, wallet } from './esplora-upstream.ts';

const SUBJECT = wallet(1);
const FIRST_BLOCK = 700_000;

/** 120 payments to the subject, one a block; the 31st is spent by the 91st transaction. */
function world(): EsploraTx[] {
  const txs = Array.from({ length: 120 }, (_, i) =>
    transaction(1_000 + i, { [wallet(100 + i)]: 20_000 }, { [SUBJECT]: 10_000 + i }, FIRST_BLOCK + i),
  );
  const spending = transaction(1_090, { [SUBJECT]: 10_030 }, { [wallet(9)]: 9_000 }, FIRST_BLOCK + 90);
  spending.vin[0]!.txid = hashOf(1_030);
  spending.vin[0]!.vout = 0;
  txs[90] = spending;
  return txs;
}

const served: ServedUpstream[] = [];
afterEach(async () => {
  for (const server of served.splice(0)) await server.close();
});

async function open(upstream: Upstream = esplora(world())) {
  const server = await serveUpstream(upstream);
  served.push(server);
  return openBitcoin({ esploraUrl: server.url }, { pageLimit: 50 });
}

const at = (block: number) => (1_232_000_000 + block * 600) * 1_000;
const around = (direction: 'backward' | 'forward', number: number, pages = 1) => {
  const block = FIRST_BLOCK + number;
  return { direction, txHash: hashOf(1_000 + number), block, at: at(block), pages };
};

describe('a busy Bitcoin address read around one transaction', () => {
  it('backward: the transaction and the page behind it, read whole but for what the clock of blocks allows', async () => {
    const history = await (await open()).historyAround(SUBJECT, around('backward', 80));
    expect(history.transfers.map(({ txHash }) => txHash)).toEqual(
      Array.from({ length: 26 }, (_, i) => hashOf(1_080 - i)),
    );
    expect(history.read).toEqual([
      { list: 'coin', from: at(FIRST_BLOCK + 55) + 3 * 3_600_000, to: at(FIRST_BLOCK + 80) },
    ]);
    expect(history.coverage).toMatchObject({ complete: false, reasons: ['page_limit'] });
  });

  it('backward to the first transaction where the pages suffice', async () => {
    const history = await (await open()).historyAround(SUBJECT, around('backward', 30, 2));
    expect(history.transfers).toHaveLength(31);
    expect(history.read).toEqual([{ list: 'coin', from: 0, to: at(FIRST_BLOCK + 30) }]);
  });

  it('forward: what spends the receipt, and no claim to have read more', async () => {
    const history = await (await open()).historyAround(SUBJECT, around('forward', 30));
    expect(history.transfers.map(({ txHash, to }) => [txHash, to])).toEqual([
      [hashOf(1_030), SUBJECT],
      [hashOf(1_090), wallet(9)],
    ]);
    expect(history.read).toEqual([]);
  });

  it('refuses a page that begins at the newest transaction: the server did not know the cursor', async () => {
    const source = await open(esplora(world(), { ignoreCursor: true }));
    await expect(source.historyAround(SUBJECT, around('backward', 80))).rejects.toBeInstanceOf(SourceError);
  });

  it('refuses a transaction that the source does not know, or that is not of the address', async () => {
    const source = await open();
    const unknown = { ...around('backward', 80), txHash: hashOf(5) };
    await expect(source.historyAround(SUBJECT, unknown)).rejects.toBeInstanceOf(SourceError);
    const honest = esplora(world());
    const foreign = await open((request) =>
      request.url.pathname === `/tx/${hashOf(1_080)}`
        ? { json: transaction(1_080, { [wallet(7)]: 5 }, { [wallet(8)]: 4 }, FIRST_BLOCK + 80) }
        : honest(request),
    );
    await expect(foreign.historyAround(SUBJECT, around('backward', 80))).rejects.toBeInstanceOf(SourceError);
  });
});
