import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBridges } from '../../../src/chains/bridges/bridges.ts';
import { knownContracts, registryOf } from '../../../src/chains/bridges/registry.ts';
import type { ChainSource } from '../../../src/chains/port.ts';
import type { OtherSide } from '../../../src/domain/bridges/message.ts';
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts';
import { SourceError } from '../../../src/errors.ts';
import type { Crossing } from '../../contract/bridge-protocol.ts';
import { anvilMissing } from '../../setup/anvil.ts';
import { cctpV1, USDC_ARBITRUM } from './scripts.ts';
import { moves, openStage, type Stage } from './stage.ts';

const CHAINS = ['ethereum', 'arbitrum'] as const;
const person = (n: number) => `0x${n.toString(16).padStart(2, '0').repeat(20)}`;
const SOLVER = person(0x71);

describe.skipIf(anvilMissing)(`likely other sides on two real nodes (${anvilMissing ?? 'anvil'})`, () => {
  let stage: Stage;
  let count = 0x80;
  const crossing = (): Crossing => {
    count += 1;
    return { sender: stage.sender, recipient: person(count), amount: 500_000_000n, nonce: BigInt(count) };
  };
  const send = (one: Crossing) => stage.run('ethereum', cctpV1.source(one).steps);
  const pay = ({ recipient }: Crossing, amount = 499_500_000n) =>
    stage.run('arbitrum', [moves(USDC_ARBITRUM, SOLVER, recipient, amount)]);
  /** Searches with the destination's source as `changed` makes it. */
  const search = async (
    hash: string,
    { changed = (source) => source, now }: { changed?: (source: ChainSource) => ChainSource; now?: number } = {},
  ): Promise<OtherSide> => {
    const registry = registryOf(knownContracts());
    const bridges = openBridges({
      chainSource: async (chain) => {
        const source = stage.source(chain as 'arbitrum');
        return chain === 'arbitrum' ? changed(source) : source;
      },
      registry: async () => registry,
      now: () => now ?? stage.now,
    });
    const [message] = await stage.bridges(CHAINS).recognise('ethereum', hash);
    return bridges.findOtherSide(message!);
  };
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.stop());

  it('are the one receipt that fits in recipient, asset, amount and time', async () => {
    const one = crossing();
    const sent = await send(one);
    const arrived = await pay(one);
    const found = await search(sent.hash);
    expect(found).toMatchObject({
      status: 'not_found',
      reason: 'bridge_not_found',
      likely: {
        side: 'destination',
        protocol: 'cctp_v1',
        chain: 'arbitrum',
        tx: arrived.hash,
        id: null,
        recipient: one.recipient,
        asset: 'USDC',
        amount: '499.5',
        explains: [expect.stringMatching(/^[\w-]{22}$/)],
      },
    });
  });

  it('are ambiguous where two receipts fit', async () => {
    const one = crossing();
    const sent = await send(one);
    await pay(one);
    await pay(one, 499_000_000n);
    expect(await search(sent.hash)).toMatchObject({ reason: 'bridge_not_found', likely: 'ambiguous' });
  });

  it('leave out a receipt whose own transaction states another message', async () => {
    const one = crossing();
    const sent = await send(one);
    const other = { ...one, nonce: one.nonce + 1_000n };
    await stage.run('arbitrum', cctpV1.destination(other, sent).steps);
    expect(await search(sent.hash)).toMatchObject({ reason: 'bridge_not_found', likely: null });
  });

  it('are not looked for while the message may still arrive', async () => {
    const one = crossing();
    const sent = await send(one);
    await pay(one);
    const now = Date.UTC(2024, 0, 1, 1) + 12 * HOUR_MS;
    expect(await search(sent.hash, { now })).toEqual({ status: 'pending', reason: 'bridge_pending', likely: null });
  });

  it('need a history that covers all of the time: a second receipt may be in what was not read', async () => {
    const one = crossing();
    const sent = await send(one);
    await pay(one);
    const spans = [
      [],
      [{ list: 'coin' as const, from: 0, to: null }],
      [{ list: 'tokens' as const, from: stage.now - DAY_MS, to: null }],
      [{ list: 'tokens' as const, from: 0, to: stage.now - 2 * DAY_MS }],
    ];
    for (const read of spans) {
      const partly = (source: ChainSource): ChainSource => ({
        ...source,
        historyAround: async (...asked) => ({ ...(await source.historyAround(...asked)), read }),
      });
      expect(await search(sent.hash, { changed: partly })).toMatchObject({ likely: null });
    }
    expect(await search(sent.hash)).toMatchObject({ likely: { recipient: one.recipient } });
  });

  it('are none where the history cannot be read, and the search by id keeps its answer', async () => {
    const one = crossing();
    const sent = await send(one);
    await pay(one);
    const broken = (source: ChainSource): ChainSource => ({
      ...source,
      historyAround: async () => {
        throw new SourceError('arbitrum', 'down');
      },
    });
    expect(await search(sent.hash, { changed: broken })).toEqual({
      status: 'not_found',
      reason: 'bridge_not_found',
      likely: null,
    });
  });
});
