import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBridges } from '../../../src/chains/bridges/bridges.ts';
import { knownContracts, registryOf } from '../../../src/chains/bridges/registry.ts';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import { guardSource } from '../../../src/chains/guarded-source.ts';
import type { BridgeMessage } from '../../../src/domain/bridges/message.ts';
import type { Crossing } from '../../contract/bridge-protocol.ts';
import { anvilMissing } from '../../setup/anvil.ts';
import { sourceGuards } from '../source-guards.ts';
import {
  across,
  arbitrumExit,
  arbitrumTokenExit,
  cctpV1,
  cctpV2,
  oftReceived,
  oftSent,
  STARGATE_ARBITRUM,
  TOKEN_MESSAGING,
  thorchain,
  USDC,
  USDC_ARBITRUM,
  word,
} from './scripts.ts';
import { logs, moves, openStage, type Stage } from './stage.ts';

const CHAINS = ['ethereum', 'arbitrum'] as const;
const person = (n: number) => `0x${n.toString(16).padStart(2, '0').repeat(20)}`;
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const NO_GUID = `0x${'0'.repeat(64)}`;

describe.skipIf(anvilMissing)(`bridges on two real nodes (${anvilMissing ?? 'anvil'})`, () => {
  let stage: Stage;
  let count = 0x30;
  const crossing = (given: Partial<Crossing> = {}): Crossing => {
    count += 1;
    return { sender: stage.sender, recipient: person(count), amount: 500_000_000n, nonce: BigInt(count), ...given };
  };
  const first = async (hash: string, chain: (typeof CHAINS)[number] = 'ethereum'): Promise<BridgeMessage> => {
    const [message] = await stage.bridges(CHAINS).recognise(chain, hash);
    return message!;
  };
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.stop());

  it('find each of three passengers of a Stargate bus, also of different recipients and equal amounts', async () => {
    const riders = [person(0xa1), person(0xa2), person(0xa3)];
    const guid = `0x${'ab'.repeat(32)}`;
    const ride = (ticket: number, recipient: string) => [
      logs(TOKEN_MESSAGING, 'BusRode(uint32 dstEid, uint72 ticketId, uint80 fare, bytes passenger)', [
        30110,
        ticket,
        1,
        `0x0001${word(recipient).slice(2)}${'0'.repeat(16)}00`,
      ]),
      ...oftSent(NO_GUID, stage.sender, 40_000_000n),
    ];
    const sent = [];
    for (const [i, rider] of riders.entries()) sent.push(await stage.run('ethereum', ride(7 + i, rider)));
    const waiting = await first(sent[1]!.hash);
    expect(waiting).toMatchObject({ id: null, recipient: riders[1], amount: '40' });
    const usual = stage.now;
    stage.now = waiting.at + 3_600_000;
    expect(await stage.bridges(CHAINS).findOtherSide(waiting)).toEqual({
      status: 'pending',
      reason: 'bridge_pending',
      likely: null,
    });
    stage.now = usual;
    const driven = (start: number, bus: string) =>
      logs(TOKEN_MESSAGING, 'BusDriven(uint32 dstEid, uint72 startTicketId, uint8 numPassengers, bytes32 guid)', [
        30110,
        start,
        3,
        bus,
      ]);
    await stage.run('ethereum', [driven(1, `0x${'cd'.repeat(32)}`)]);
    await stage.run('ethereum', [driven(7, guid)]);
    const arrived = await stage.run(
      'arbitrum',
      riders.flatMap((rider) => oftReceived(guid, rider, 40_000_000n)),
    );
    for (const [i, rider] of riders.entries()) {
      const found = await stage.bridges(CHAINS).findOtherSide(await first(sent[i]!.hash));
      expect(found).toMatchObject({ status: 'matched', message: { tx: arrived.hash, recipient: rider } });
    }
  });

  it('pair ten twins of CCTP v2 in the order of time, call them ambiguous, and find all by one search', async () => {
    const one = crossing();
    const sent: Awaited<ReturnType<Stage['run']>>[] = [];
    for (let i = 0; i < 10; i++) sent.push(await stage.run('ethereum', cctpV2.source(one).steps));
    const arrived: typeof sent = [];
    for (const each of sent) arrived.push(await stage.run('arbitrum', cctpV2.destination(one, each).steps));
    const all = [...sent, ...arrived].map(({ hash }) => hash);
    for (const i of [0, 5, 9]) {
      const found = await stage.bridges(CHAINS).findOtherSide(await first(sent[i]!.hash));
      expect(found).toMatchObject({ status: 'matched', ambiguous: true, message: { tx: arrived[i]!.hash } });
      const others = found.status === 'matched' ? found.others.map(({ tx }) => tx) : [];
      expect(others.toSorted()).toEqual(all.filter((tx) => ![sent[i]!.hash, arrived[i]!.hash].includes(tx)).toSorted());
    }
  });

  it('leave the later of two twins without the only delivery', async () => {
    const one = crossing();
    const sent = [
      await stage.run('ethereum', cctpV2.source(one).steps),
      await stage.run('ethereum', cctpV2.source(one).steps),
    ];
    await stage.run('arbitrum', cctpV2.destination(one, sent[0]!).steps);
    const later = await stage.bridges(CHAINS).findOtherSide(await first(sent[1]!.hash));
    expect(later.status).not.toBe('matched');
  });

  it('do not take the nonce of another domain', async () => {
    const one = crossing();
    const sent = await stage.run('ethereum', cctpV1.source(one).steps);
    const { steps } = cctpV1.destination(one, sent);
    // The same message from Avalanche (domain 1): its messenger is another contract.
    const other = steps.map((step) => ({
      ...step,
      data: step.data.replace(
        `${'0'.repeat(64)}${word('0xbd3fa81b58ba92a82136038b25adec7066af3155').slice(2)}`,
        (found) => `${'0'.repeat(63)}1${found.slice(64)}`,
      ),
    }));
    expect(other).not.toEqual(steps);
    const arrived = await stage.run('arbitrum', other);
    expect(await stage.bridges(CHAINS).recognise('arbitrum', arrived.hash)).toEqual([]);
    expect((await stage.bridges(CHAINS).findOtherSide(await first(sent.hash))).status).not.toBe('matched');
  });

  it('say that a recipient in the wrong form cannot be linked', async () => {
    const one = crossing();
    const wrong = `0x${'11'.repeat(32)}`;
    const { steps } = cctpV1.source(one);
    const sent = await stage.run(
      'ethereum',
      steps.map((step) => ({ ...step, data: step.data.replace(word(one.recipient).slice(2), wrong.slice(2)) })),
    );
    const message = await first(sent.hash);
    expect(message.recipient).toBeNull();
    expect(await stage.bridges(CHAINS).findOtherSide(message)).toEqual({
      status: 'not_found',
      reason: 'bridge_no_link',
      likely: null,
    });
  });

  it('name a chain that is not among the twelve', async () => {
    const sent = await stage.run('ethereum', [
      moves(USDC, stage.sender, person(0x99), 5_000_000n),
      logs(
        '0xbd3fa81b58ba92a82136038b25adec7066af3155',
        'DepositForBurn(uint64 indexed nonce, address indexed burnToken, uint256 amount, address indexed depositor, bytes32 mintRecipient, uint32 destinationDomain, bytes32 destinationTokenMessenger, bytes32 destinationCaller)',
        [1, USDC, 5_000_000n, stage.sender, word(person(0x98)), 4, word(person(0x97)), NO_GUID],
      ),
    ]);
    const message = await first(sent.hash);
    expect(message.route.to).toEqual({ chain: null, raw: '4' });
    expect(await stage.bridges(CHAINS).findOtherSide(message)).toEqual({
      status: 'not_found',
      reason: 'bridge_chain_unsupported',
      likely: null,
    });
  });

  it('refuse a source that answers with another chain', async () => {
    const one = crossing();
    const sent = await stage.run('ethereum', cctpV1.source(one).steps);
    const wrong = guardSource(openEvm('base', { rpcUrl: stage.url }, { pageLimit: 5 }), sourceGuards());
    const bridges = openBridges({
      chainSource: async () => wrong,
      registry: async () => registryOf(knownContracts()),
      now: () => stage.now,
    });
    await expect(bridges.recognise('base', sent.hash)).rejects.toThrow(/base data source unavailable/);
  });

  it('follow the money to a recipient that is a contract, and no further', async () => {
    const one = crossing({ recipient: STARGATE_ARBITRUM });
    const sent = await stage.run('ethereum', across.source(one).steps);
    const { steps } = across.destination(one, sent);
    await stage.run('arbitrum', [...steps, moves(USDC_ARBITRUM, STARGATE_ARBITRUM, person(0xc1), 1_000n)]);
    const found = await stage.bridges(CHAINS).findOtherSide(await first(sent.hash));
    expect(found).toMatchObject({ status: 'matched', message: { recipient: STARGATE_ARBITRUM, amount: '499.999' } });
  });

  it('do not take a fill after the deadline, or one that pays somebody else', async () => {
    const one = crossing();
    const sent = await stage.run('ethereum', across.source(one).steps);
    const message = await first(sent.hash);
    const late = { ...message, expiresAt: message.at - 3_600_000 };
    const elsewhere = across.destination(one, sent).steps;
    const updated = elsewhere.map((step) => {
      const place = step.data.lastIndexOf(word(one.recipient).slice(2));
      return step.to === '0xe35e9842fceaca96570b734083f4a58e8f7c5f2a'
        ? {
            ...step,
            data: `${step.data.slice(0, place)}${word(person(0xd1)).slice(2)}${step.data.slice(place + 64)}`,
          }
        : { ...step, data: step.data.replace(word(one.recipient).slice(2), word(person(0xd1)).slice(2)) };
    });
    await stage.run('arbitrum', updated);
    expect((await stage.bridges(CHAINS).findOtherSide(message)).status).not.toBe('matched');
    await stage.run('arbitrum', elsewhere);
    expect((await stage.bridges(CHAINS).findOtherSide(message)).status).toBe('matched');
    expect((await stage.bridges(CHAINS).findOtherSide(late)).status).not.toBe('matched');
  });

  it('do not take a refund or a memo of another form for a delivery', async () => {
    const one = crossing();
    const source = await stage.run('ethereum', thorchain.source(one).steps);
    const hash = source.hash.slice(2).toUpperCase();
    for (const memo of [`REFUND:${hash}`, `OUT:${hash}00`, `OUT:${hash.slice(2)}`, `OUT: ${hash}`]) {
      const refund = await stage.run('ethereum', [
        moves(USDC, person(0x99), stage.sender, one.amount),
        logs(
          '0xd37bbe5744d730a1d98d8dc97c42f0ca46ad7146',
          'TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)',
          [person(0x99), stage.sender, USDC, one.amount, memo],
        ),
      ]);
      expect(await stage.bridges(CHAINS).recognise('ethereum', refund.hash)).toEqual([]);
    }
  });

  it('name who paid an aggregator that takes a fee, and not who only calls a contract', async () => {
    const aggregator = person(0xf1);
    const one = crossing({ sender: aggregator });
    const { steps } = across.source(one);
    const paid = 510_000_000n;
    const sent = await stage.run('ethereum', [
      moves(USDC, stage.sender, aggregator, paid),
      ...steps,
      moves(USDC, aggregator, stage.sender, 4_000_000n),
    ]);
    const arrived = await stage.run('arbitrum', across.destination(one, sent).steps);
    const message = await first(sent.hash);
    expect(message).toMatchObject({ sender: stage.sender, amount: '506', recipient: one.recipient });
    expect(message.explains).toHaveLength(3);
    const found = await stage.bridges(CHAINS).findOtherSide(message);
    expect(found).toMatchObject({ status: 'matched', message: { tx: arrived.hash, amount: '499.999' } });
    for (const given of [499_999_999n, 525_000_001n]) {
      const other = crossing({ sender: aggregator });
      const pooled = await stage.run('ethereum', [
        moves(USDC, stage.sender, aggregator, given),
        ...across.source(other).steps,
      ]);
      expect(await first(pooled.hash)).toMatchObject({ sender: aggregator, amount: '500' });
    }
  });

  it('do not take the depositor that a payer names for the sender, unless it signed the transaction', async () => {
    const senderOf = async (named: string) => {
      const one = crossing({ sender: named });
      // The coin of a contract: no transfer shows who paid.
      const steps = across.source(one).steps.slice(1);
      const inCoin = steps.map((step) => ({
        ...step,
        data: step.data.replaceAll(word(USDC).slice(2), word(WETH).slice(2)),
      }));
      return (await first((await stage.run('ethereum', inCoin)).hash)).sender;
    };
    expect(await senderOf(person(0xf7))).toBeNull();
    expect(await senderOf(stage.sender)).toBe(stage.sender);
  });

  it('explain each transfer once, also where two messages of one transaction move the same amount of the coin', async () => {
    const two = [crossing(), crossing()];
    const sent = await stage.run(
      'arbitrum',
      two.flatMap((one) => arbitrumExit.source(one).steps),
    );
    const messages = await stage.bridges(CHAINS).recognise('arbitrum', sent.hash);
    expect(messages.map(({ recipient }) => recipient)).toEqual(two.map(({ recipient }) => recipient));
    const explained = messages.flatMap(({ explains }) => explains);
    expect([explained.length, new Set(explained).size]).toEqual([2, 2]);
  });

  it('move no tokens out of Arbitrum but by a pair of its gateways', async () => {
    const fake = arbitrumTokenExit({ arbitrum: person(0xe1), ethereum: person(0xe2) });
    const sent = await stage.run('arbitrum', fake.source(crossing()).steps);
    const messages = await stage.bridges(CHAINS).recognise('arbitrum', sent.hash);
    expect(messages.filter(({ asset }) => asset !== 'ETH')).toEqual([]);
    const arrived = await stage.run('ethereum', fake.destination(crossing(), sent).steps);
    expect(await stage.bridges(CHAINS).recognise('ethereum', arrived.hash)).toEqual([]);
  });

  it('read a batch of many messages in one transaction, each once', async () => {
    const batch = Array.from({ length: 15 }, () => crossing({ amount: 7_000_000n }));
    const sent = await stage.run(
      'ethereum',
      batch.flatMap((one) => cctpV1.source(one).steps),
    );
    const messages = await stage.bridges(CHAINS).recognise('ethereum', sent.hash);
    expect(messages.map(({ id }) => id)).toEqual(batch.map(({ nonce }) => String(nonce)));
    const explained = messages.flatMap(({ explains }) => explains);
    expect([explained.length, new Set(explained).size]).toEqual([30, 30]);
  });
});
