import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { NOW } from '../app/test-app.ts';
import { type Anvil, anvilMissing, type Deployed, startAnvil } from '../setup/anvil.ts';
import { startFaultyNode } from './faulty-node.ts';
import { namesOf, openLiveDesk, PATIENT } from './live-desk.ts';

const ETHER = 10n ** 18n;

describe.skipIf(anvilMissing)('live watch of an EVM chain', () => {
  let anvil: Anvil;
  let coin: Deployed;
  let [boss, me, you]: string[] = [];
  /** The clock of all tests: a chain goes only forward. */
  let clock = NOW;
  const transfer = (from: string, to: string, amount: bigint) =>
    anvil.send({ from, to: coin.address, data: coin.abi.encodeFunctionData('transfer', [to, amount]) });
  /** The next block is stamped with the clock of the test. */
  const stamp = (at: number) => anvil.rpc('evm_setNextBlockTimestamp', [Math.floor(at / 1_000)]);

  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 1 });
    [boss, me, you] = anvil.accounts;
    await anvil.rpc('anvil_removeBlockTimestampInterval');
    await stamp(NOW - 60 * MINUTE_MS);
    coin = await anvil.deploy('Coin', ['USDT']);
    await anvil.send({ from: boss!, to: coin.address, data: coin.abi.encodeFunctionData('mint', [me, 100_000_000n]) });
  });
  afterAll(() => anvil?.stop());

  /** A desk that watches the payer through a node that may be faulty. */
  const begin = async () => {
    const node = await startFaultyNode(anvil.url);
    clock += 10 * MINUTE_MS;
    const urls = { ETHEREUM_RPC_URL: anvil.url, ETHEREUM_LIVE_URL: node.url };
    const desk = await openLiveDesk(urls, { chain: 'ethereum', address: me!, at: clock });
    const pass = (minutes: number) => {
      desk.pass(minutes);
      clock = desk.time.at;
      return stamp(clock);
    };
    const heardAll = async () => desk.heardUpTo(Number(await anvil.rpc('eth_blockNumber')));
    return { ...desk, node, pass, heardAll };
  };

  it('alerts a payment of tokens and one of coin, each once, by signed webhooks', async () => {
    const desk = await begin();
    expect(desk.item.live).toMatchObject({ state: 'unavailable', reason: 'not_started' });
    // Two processes listen and scan.
    desk.work(['listen', 'scan'], 2);
    await desk.settled();
    await desk.pass(2);
    const tokens = await transfer(me!, you!, 25_000_000n);
    const money = await anvil.send({ from: me!, to: you!, value: 3n * ETHER });
    await anvil.send({ from: you!, to: me!, value: ETHER });
    await desk.pass(2);
    await expect.poll(() => desk.received.length, PATIENT).toBe(2);
    expect(namesOf(desk.alerts())).toEqual([`movement ${tokens.hash}`, `movement ${money.hash}`].sort());
    expect(desk.alerts().find(({ movement }) => movement!.tx_hash === money.hash)).toMatchObject({
      item_id: desk.item.id,
      address: me,
      chain: 'ethereum',
      cause: 'transfers',
      movement: {
        direction: 'sent',
        asset: 'ETH',
        token: null,
        amount: '3',
        counterparty: { address: you, label: null, category: null },
        block: money.block,
        confirmed: true,
        watched_as: 'Board: Heist',
      },
    });
    await desk.pass(2);
    await anvil.rpc('anvil_mine', ['0x1']);
    await desk.heardAll();
    expect(desk.received).toHaveLength(2);
    expect((await desk.watched()).live).toMatchObject({ state: 'listening', reason: null });
    // Both directions from here on.
    await desk.ask('PATCH', `/watchlist/${desk.item.id}`, { movements: 'all' });
    await desk.pass(2);
    const back = await transfer(you!, me!, 5_000_000n);
    await desk.pass(2);
    await expect.poll(() => desk.received.length, PATIENT).toBe(3);
    expect(desk.alerts()[2]).toMatchObject({ movement: { direction: 'received', tx_hash: back.hash } });
    // A worthless token that another sent makes the address no busier.
    const moved = await desk.ctx.records.selectFrom('movements').select(['tx_hash', 'counts']).execute();
    const counted = new Map(moved.map(({ tx_hash, counts }) => [tx_hash, counts]));
    expect([tokens, money, back].map(({ hash }) => counted.get(hash))).toEqual([1, 1, 0]);
  });

  it.each([
    ['the connection is cut', 'cut'],
    ['its node answers pages', 'page'],
  ] as const)('misses nothing while %s, and alerts it once', async (_, fault) => {
    const desk = await begin();
    desk.work(['listen', 'scan']);
    await desk.settled();
    desk.node.fault = fault;
    await expect.poll(async () => (await desk.watched()).live.state, PATIENT).toBe('unavailable');
    await desk.pass(5);
    const first = await transfer(me!, you!, 1_000_000n);
    await desk.pass(5);
    const second = await anvil.send({ from: me!, to: you!, value: ETHER });
    desk.node.fault = null;
    await desk.heardAll();
    await desk.pass(2);
    await expect.poll(() => desk.received.length, PATIENT).toBe(2);
    expect(namesOf(desk.alerts())).toEqual([`movement ${first.hash}`, `movement ${second.hash}`].sort());
  });

  it('takes a movement back whose block was reorganised, and alerts what came in its place', async () => {
    const desk = await begin();
    desk.work(['listen', 'scan']);
    await desk.settled();
    await desk.pass(2);
    const gone = await transfer(me!, you!, 2_000_000n);
    for (let n = 0; n < 11; n++) await anvil.rpc('anvil_mine', ['0x1']);
    await desk.heardAll();
    await desk.pass(2);
    await expect.poll(() => desk.received.length, PATIENT).toBe(1);
    await anvil.rpc('anvil_rollback', [12]);
    await desk.pass(2);
    const other = await transfer(me!, boss!, 3_000_000n);
    await anvil.rpc('anvil_mine', ['0xd']);
    await desk.heardAll();
    await desk.pass(2);
    await expect.poll(() => desk.received.length, PATIENT).toBe(3);
    expect(namesOf(desk.alerts().slice(1))).toEqual([`movement ${other.hash}`, `reorganised ${gone.hash}`].sort());
    expect(desk.alerts().find(({ reason }) => reason === 'reorganised')!.movement).toMatchObject({ confirmed: false });
  });

  it('refuses a node of another chain, and answers without bounds, and goes on where they ended', async () => {
    const desk = await begin();
    desk.node.fault = 'other_chain';
    desk.work(['listen', 'scan']);
    const reason = async () => (await desk.watched()).live.reason;
    await expect.poll(reason, PATIENT).toBe('other_network');
    desk.node.fault = 'huge';
    await expect.poll(reason, PATIENT).toBe('unusable_answer');
    expect(desk.node.sentBytes / desk.node.requests).toBeLessThan(32 * 1024 * 1024);
    desk.node.fault = null;
    await desk.settled();
    desk.node.fault = 'deep';
    await expect.poll(reason, PATIENT).toBe('unusable_answer');
    await desk.pass(2);
    const paid = await transfer(me!, you!, 4_000_000n);
    desk.node.fault = null;
    await desk.heardAll();
    await desk.pass(2);
    await expect.poll(() => desk.received.length, PATIENT).toBe(1);
    expect(namesOf(desk.alerts())).toEqual([`movement ${paid.hash}`]);
  });

  it('keeps what was heard where the process ends before the scan', async () => {
    const desk = await begin();
    const end = desk.work(['listen', 'scan']);
    await desk.settled();
    await end();
    const endListening = desk.work(['listen']);
    await desk.pass(2);
    const paid = await transfer(me!, you!, 6_000_000n);
    await desk.heardAll();
    await endListening();
    expect(desk.received).toEqual([]);
    desk.work(['scan']);
    await desk.pass(2);
    await expect.poll(() => desk.received.length, PATIENT).toBe(1);
    expect(namesOf(desk.alerts())).toEqual([`movement ${paid.hash}`]);
  });
});
