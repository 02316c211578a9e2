import { afterEach, describe, expect, it } from 'vitest';
import { openBitcoin } from '../../../src/chains/bitcoin/bitcoin.ts';
import { scriptAddress } from '../../../src/domain/address/script-address.ts';
import { InvalidInputError, PipelineError } from '../../../src/errors.ts';
import { type ServedUpstream, serveUpstream, type Upstream } from '../../contract/upstream.ts';
import { type EsploraTx, esplora, hashOf, transaction, wallet } from './esplora-upstream.ts';

const SUBJECT = wallet(1);
const FRIEND = wallet(2);
const SHOP = wallet(3);

const served: ServedUpstream[] = [];
afterEach(async () => {
  for (const server of served.splice(0)) await server.close();
});

async function open(upstream: Upstream | EsploraTx[], pageLimit = 50) {
  const server = await serveUpstream(Array.isArray(upstream) ? esplora(upstream) : upstream);
  served.push(server);
  return { source: openBitcoin({ esploraUrl: `${server.url}/` }, { pageLimit }), server };
}

/** Mined coins, so that what an address spends was its own. */
function funding(address: string, value: number): EsploraTx {
  return transaction(0xf00d, {}, { [address]: value }, 600_000);
}

function payments(count: number): EsploraTx[] {
  return Array.from({ length: count }, (_, i) =>
    transaction(i + 1, { [wallet(100 + i)]: 2_000 }, { [SUBJECT]: 1_000 }, 700_000 + i),
  );
}

describe('money to and from scripts without an address', () => {
  /** A bare public key, and a bare multisig that this key shares. */
  const scripts = [`21${'02'.repeat(33)}ac`, `5121${'02'.repeat(33)}21${'03'.repeat(33)}52ae`];
  const [key, shared] = scripts.map(scriptAddress) as [string, string];
  const world = () => {
    const paid = transaction(1, { [SUBJECT]: 90_000 }, { none: 50_000, [FRIEND]: 30_000 }, 700_000);
    const back = transaction(2, { none: 50_000 }, { [SUBJECT]: 49_000 }, 700_001);
    paid.vout[0]!.scriptpubkey = scripts[1]!;
    back.vin[0]!.prevout!.scriptpubkey = scripts[0]!;
    return [funding(SUBJECT, 90_000), paid, back];
  };

  it('is a movement, and such a history is whole', async () => {
    const { source } = await open(world());
    const { transfers, coverage, balance } = await source.history(SUBJECT);
    const shown = transfers.map(({ from, to, amountRaw }) => ({ from, to, amountRaw }));
    expect(shown).toContainEqual({ from: SUBJECT, to: shared, amountRaw: '50000' });
    expect(shown).toContainEqual({ from: key, to: SUBJECT, amountRaw: '49000' });
    expect([coverage.complete, coverage.reasons, balance]).toEqual([true, [], '0.00049']);
  });

  it('is missed by a balance that the transactions do not explain', async () => {
    const { source } = await open((request) => {
      const reply = esplora(world())(request) as { json?: unknown };
      return JSON.parse(JSON.stringify(reply).replace('"funded_txo_sum":139000', '"funded_txo_sum":639000'));
    });
    expect((await source.history(SUBJECT)).coverage).toMatchObject({
      complete: false,
      reasons: ['balance_unexplained'],
      unexplained: [{ asset: 'BTC', token: null, amount: '0.005' }],
    });
  });
});

describe('history', () => {
  it('asks for positions in a block where the address received and paid in it, and for no others', async () => {
    const world = [
      transaction(7, { [FRIEND]: 500 }, { [SUBJECT]: 400 }, 700_000),
      transaction(2, { [SUBJECT]: 400 }, { [SHOP]: 300 }, 700_000),
      transaction(3, { [FRIEND]: 500 }, { [SUBJECT]: 400 }, 700_001),
      transaction(4, { [FRIEND]: 500 }, { [SUBJECT]: 300 }, 700_001),
    ];
    const positions = async (upstream: Upstream) => {
      const { source, server } = await open(upstream);
      const { transfers } = await source.history(SUBJECT);
      const asked = server.requests.filter(({ url }) => url.pathname.endsWith('/merkle-proof')).length;
      return { asked, found: Object.fromEntries(transfers.map(({ txHash, position }) => [txHash, position])) };
    };
    expect(await positions(esplora(world))).toEqual({
      asked: 2,
      found: { [hashOf(7)]: 1, [hashOf(2)]: 2, [hashOf(3)]: null, [hashOf(4)]: null },
    });
    const unknown = await positions(esplora(world, { noProofs: true }));
    expect(Object.values(unknown.found)).toEqual([null, null, null, null]);
  });

  it('has exact amounts, fee, block and time, and a balance of confirmed coins', async () => {
    const { source } = await open([
      transaction(1, { [FRIEND]: 500_000_000 }, { [SUBJECT]: 499_990_000 }, 700_000),
      transaction(2, { [SUBJECT]: 499_990_000 }, { [SHOP]: 100_000_000, [SUBJECT]: 399_980_000 }, 700_001),
    ]);
    const history = await source.history(SUBJECT);
    expect(history).toMatchObject({
      found: true,
      addressType: 'wallet',
      balance: '3.9998',
      transactionCount: 2,
      tags: [],
      coverage: { complete: true, sources: ['esplora'], reasons: [] },
    });
    expect(history.transfers).toHaveLength(2);
    expect(history.transfers.find(({ from }) => from === SUBJECT)).toMatchObject({
      index: 'out:0',
      txHash: hashOf(2),
      block: 700_001,
      blockHash: hashOf(700_001 + 0xb10c0000),
      at: (1_232_000_000 + 700_001 * 600) * 1_000,
      to: SHOP,
      amount: '1',
      amountRaw: '100000000',
      fee: '0.0001',
      apportioned: false,
      txSender: SUBJECT,
    });
  });

  it('holds what touches the address, each a share where several paid together, and who paid beside it', async () => {
    const { source } = await open([
      funding(SUBJECT, 3_000),
      transaction(1, { [SUBJECT]: 3_000, [FRIEND]: 1_000 }, { [SHOP]: 2_000, [wallet(4)]: 1_600 }, 700_000),
    ]);
    const transfers = (await source.history(SUBJECT)).transfers.filter(({ txHash }) => txHash === hashOf(1));
    expect(transfers.map(({ from, to, amountRaw, apportioned }) => ({ from, to, amountRaw, apportioned }))).toEqual([
      { from: FRIEND, to: SHOP, amountRaw: '500', apportioned: true },
      { from: SUBJECT, to: SHOP, amountRaw: '1500', apportioned: true },
      { from: SUBJECT, to: wallet(4), amountRaw: '1200', apportioned: true },
    ]);
  });

  it('ends without a needless limit when the last page is exactly full', async () => {
    const { source, server } = await open(payments(50), 2);
    const history = await source.history(SUBJECT);
    expect(history.transfers).toHaveLength(50);
    expect(history.coverage).toEqual({ complete: true, sources: ['esplora'], reasons: [] });
    expect(server.requests).toHaveLength(3);
  });

  it('leaves unconfirmed transactions out and says so', async () => {
    const { source } = await open([...payments(1), transaction(99, { [SUBJECT]: 1_000 }, { [SHOP]: 900 }, null)]);
    const history = await source.history(SUBJECT);
    expect(history.transfers).toHaveLength(1);
    expect(history.transactionCount).toBe(1);
    expect(history.coverage.reasons).toEqual(['unconfirmed_left_out']);
  });

  it('knows an address by its unconfirmed coins alone', async () => {
    const { source } = await open([transaction(99, { [FRIEND]: 1_000 }, { [SUBJECT]: 900 }, null)]);
    expect(await source.history(SUBJECT)).toMatchObject({ found: true, transfers: [], balance: '0' });
  });

  it('calls an address multisig once a spent script has shown it, and not before', async () => {
    const spend = transaction(2, { [SUBJECT]: 1_000 }, { [SHOP]: 900 }, 700_001);
    spend.vin[0]!.inner_witnessscript_asm =
      'OP_PUSHNUM_2 OP_PUSHBYTES_33 02aa OP_PUSHBYTES_33 02bb OP_PUSHNUM_2 OP_CHECKMULTISIG';
    const before = await open(payments(1));
    expect((await before.source.history(SUBJECT)).addressType).toBe('wallet');
    const after = await open([...payments(1), spend]);
    expect((await after.source.history(SUBJECT)).addressType).toBe('multisig');
    expect((await after.source.history(SHOP)).addressType).toBe('wallet');
  });

  it('shows a transaction of very many parties as a meeting, with its reason', async () => {
    const size = Math.ceil(Math.sqrt(20_000)) + 1;
    const side = (first: number) =>
      Object.fromEntries(Array.from({ length: size }, (_, i) => [wallet(first + i), 1_000 + i]));
    const { source } = await open([funding(wallet(1_000), 1_000), transaction(1, side(1_000), side(5_000), 700_000)]);
    const history = await source.history(wallet(1_000));
    expect(history.transfers).toContainEqual(
      expect.objectContaining({ from: wallet(1_000), to: `tx:${hashOf(1)}`, amountRaw: '1000', apportioned: false }),
    );
    expect(history.transfers).toHaveLength(2);
    expect(history.coverage.reasons).toEqual(['many_party_transaction']);
  });

  it('counts mined coins from the pseudo address coinbase', async () => {
    const { source } = await open([transaction(1, {}, { [SUBJECT]: 625_000_000, none: 0 }, 700_000)]);
    expect((await source.history(SUBJECT)).transfers).toMatchObject([{ from: 'coinbase', amount: '6.25', fee: '0' }]);
  });

  it('stops before a payout service fills the memory, and says so', async () => {
    const payees = (first: number) =>
      Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [wallet(first + i), 10]));
    const payouts = Array.from({ length: 60 }, (_, i) =>
      transaction(i + 1, { [SUBJECT]: 20_000 }, payees(10_000 + i * 1_000), 700_000 + i),
    );
    const { source } = await open([funding(SUBJECT, 2_000_000), ...payouts]);
    const history = await source.history(SUBJECT);
    expect(history.transfers).toHaveLength(50_000);
    expect(history.coverage).toEqual({ complete: false, sources: ['esplora'], reasons: ['transfer_limit'] });
  });

  it('reads sums that no JSON number holds exactly', async () => {
    const upstream: Upstream = ({ url }) =>
      url.pathname.endsWith('/chain')
        ? { json: payments(1) }
        : {
            text: `{"address":"${SUBJECT}","chain_stats":{"tx_count":1,"funded_txo_sum":90071992547409931,
              "spent_txo_sum":90071992547409930},"mempool_stats":{"tx_count":0,"funded_txo_sum":0,"spent_txo_sum":0}}`,
          };
    const { source } = await open(upstream);
    expect((await source.history(SUBJECT)).balance).toBe('0.00000001');
  });

  it('says so when the list ends before the count that the source gave', async () => {
    const honest = esplora(payments(3));
    const { source } = await open(async (request) => {
      const reply = await honest(request);
      if (!request.url.pathname.includes('/chain')) return reply;
      return { json: request.url.pathname.endsWith('/chain') ? (reply.json as EsploraTx[]).slice(0, 2) : [] };
    });
    const history = await source.history(SUBJECT);
    expect(history.transfers).toHaveLength(2);
    expect(history.coverage).toMatchObject({ complete: false, reasons: ['history_shorter_than_count'] });
  });
});

describe('transaction', () => {
  it('has all transfers, the largest first, and names who took part without one', async () => {
    const { source } = await open([
      transaction(7, { [FRIEND]: 5_000 }, { [SUBJECT]: 100, [SHOP]: 4_000, [FRIEND]: 800 }, 700_000),
      transaction(8, { [FRIEND]: 5_000 }, { [FRIEND]: 4_900 }, 700_001),
    ]);
    const found = await source.transaction(hashOf(7));
    expect(found).toMatchObject({ txHash: hashOf(7), block: 700_000, status: 'success', accounts: [], type: null });
    expect(found!.transfers.map(({ to }) => to)).toEqual([SHOP, SUBJECT]);
    expect(await source.transaction(hashOf(8))).toMatchObject({ transfers: [], accounts: [FRIEND] });
  });

  it('is pending without block, time and transfers while unconfirmed', async () => {
    const { source } = await open([transaction(7, { [FRIEND]: 5_000 }, { [SHOP]: 4_000 }, null)]);
    expect(await source.transaction(hashOf(7))).toEqual({
      txHash: hashOf(7),
      block: null,
      at: null,
      status: 'pending',
      transfers: [],
      accounts: [FRIEND, SHOP],
      type: null,
    });
  });

  it('says that coins were mined', async () => {
    const { source } = await open([transaction(7, {}, { [SUBJECT]: 5_000_000_000 }, 1)]);
    expect(await source.transaction(hashOf(7))).toMatchObject({ type: 'coinbase', transfers: [{ amount: '50' }] });
  });
});

describe('token queries', () => {
  it('exist for the chain’s own coin of an address alone', async () => {
    const { source } = await open(payments(1));
    const range = { from: 0, to: Date.UTC(2100, 0, 1), limit: 10 };
    await expect(source.tokenTransfers({ token: 'USDT', address: SUBJECT, ...range })).rejects.toThrow(
      new InvalidInputError('Token queries are not available on bitcoin'),
    );
    await expect(source.tokenTransfers({ token: 'native', ...range })).rejects.toThrow(InvalidInputError);
  });

  it('stop paging once blocks are safely older than the range, and survive dates out of order', async () => {
    const world = payments(200);
    const early = world[150]!.status.block_time!;
    world[151]!.status.block_time = early - 3_600;
    const { source, server } = await open(world);
    const answer = await source.tokenTransfers({
      token: 'native',
      address: SUBJECT,
      from: early * 1_000,
      to: world[160]!.status.block_time! * 1_000,
      limit: 100,
    });
    expect(answer.reasons).toEqual([]);
    expect(answer.transfers).toHaveLength(10);
    expect(answer.transfers.at(-1)!.txHash).toBe(world[150]!.txid);
    expect(server.requests.length).toBeLessThan(6);
  });
});

it('without a configured URL there is no source', () => {
  expect(() => openBitcoin({}, { pageLimit: 1 })).toThrow(new PipelineError('No data source configured for bitcoin'));
});
