import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageKey } from '../../src/domain/bridges/message.ts';
import type { EvmChain } from '../../src/domain/chain.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { openStage, REVERTS, type Stage, type Step } from '../chains/bridges/stage.ts';
import { anvilMissing, type MinedTransaction } from '../setup/anvil.ts';

export interface Crossing {
  sender: string;
  recipient: string;
  /** Smallest units that leave. */
  amount: bigint;
  /** Distinguishes crossings. */
  nonce: bigint;
}

interface Script {
  steps: Step[];
  /** Where the protocol needs its own call around the logs. */
  head?: string;
  at?: string;
}

/** How a protocol's two sides look on the chain, written from its contracts. */
export interface ProtocolScript {
  name: string;
  chains: readonly [EvmChain, EvmChain];
  source(crossing: Crossing): Script;
  destination(crossing: Crossing, source: MinedTransaction): Script;
  /** Symbol and decimal amount on each side. */
  sent(crossing: Crossing): [string, string];
  received(crossing: Crossing): [string, string];
  /** Contracts whose logs count, for the forged ones. */
  emitters: string[];
  /** False where the source cannot be found from the destination. */
  backward: boolean;
}

const FORGED = `0x${'66'.repeat(20)}`;
const person = (n: number) => `0x${n.toString(16).padStart(2, '0').repeat(20)}`;

/** What every protocol must hold on real nodes. */
export function bridgeProtocolSuite(protocol: ProtocolScript): void {
  const [from, to] = protocol.chains;
  describe.skipIf(anvilMissing)(`${protocol.name} (${anvilMissing ?? 'two anvils'})`, () => {
    let stage: Stage;
    let count = 0;
    const crossing = (given: Partial<Crossing> = {}): Crossing => {
      count += 1;
      const recipient = person(0x20 + count);
      return { sender: stage.sender, recipient, amount: 250_000_000n, nonce: 700n + BigInt(count), ...given };
    };
    const send = (one: Crossing) => {
      const { steps, ...rest } = protocol.source(one);
      return stage.run(from, steps, rest);
    };
    const deliver = (one: Crossing, source: MinedTransaction) => {
      const { steps, ...rest } = protocol.destination(one, source);
      return stage.run(to, steps, rest);
    };
    beforeAll(async () => {
      stage = await openStage(protocol.chains.find((chain) => chain !== 'ethereum'));
    });
    afterAll(() => stage?.stop());

    it('is recognised on both sides, with route, recipient, amounts and the transfers it explains', async () => {
      const one = crossing();
      const bridges = stage.bridges(protocol.chains);
      const sent = await send(one);
      const arrived = await deliver(one, sent);
      const [source, ...more] = await bridges.recognise(from, sent.hash);
      const [destination, ...others] = await bridges.recognise(to, arrived.hash);
      expect([more, others]).toEqual([[], []]);
      expect(source).toMatchObject({ side: 'source', recipient: one.recipient, sender: one.sender });
      expect(source!.route.from?.chain).toBe(from);
      expect(source!.route.to.chain).toBe(to);
      expect([source!.asset, source!.amount]).toEqual(protocol.sent(one));
      expect(destination).toMatchObject({ side: 'destination', recipient: one.recipient });
      expect([destination!.asset, destination!.amount]).toEqual(protocol.received(one));
      expect(source!.explains.length).toBeGreaterThan(0);
      expect(destination!.explains.length).toBeGreaterThan(0);
    });

    it('is found from the source, and from the destination where the protocol allows it', async () => {
      const one = crossing();
      const bridges = stage.bridges(protocol.chains);
      const sent = await send(one);
      const arrived = await deliver(one, sent);
      const [source] = await bridges.recognise(from, sent.hash);
      const [destination] = await bridges.recognise(to, arrived.hash);
      const forward = await bridges.findOtherSide(source!);
      expect(forward).toMatchObject({ status: 'matched', message: destination, ambiguous: false, others: [] });
      const backward = await bridges.findOtherSide(destination!);
      if (protocol.backward) expect(backward).toMatchObject({ status: 'matched' });
      else expect(backward.status).toBe('not_found');
    });

    it('does not count from a contract that is not registered', async () => {
      const one = crossing();
      const { steps, ...rest } = protocol.source(one);
      const forged = steps.map((step) => (protocol.emitters.includes(step.to) ? { ...step, to: FORGED } : step));
      const sent = await stage.run(from, forged, rest);
      expect(await stage.bridges(protocol.chains).recognise(from, sent.hash)).toEqual([]);
    });

    it('does not count without the transfers that back it', async () => {
      const one = crossing();
      const { steps, ...rest } = protocol.source(one);
      const bare = steps.filter(({ to: contract }) => protocol.emitters.includes(contract));
      const sent = await stage.run(from, bare, rest);
      const messages = await stage.bridges(protocol.chains).recognise(from, sent.hash);
      // The coin can move without being listed, so a claim on it stands.
      for (const { assetId } of messages) expect(assetId).toBe('coin');
    });

    it('does not count where the transaction failed', async () => {
      const one = crossing();
      const { steps, ...rest } = protocol.source(one);
      const sent = await stage.run(from, [...steps, REVERTS], rest);
      expect(sent.status).toBe(0);
      expect(await stage.bridges(protocol.chains).recognise(from, sent.hash)).toEqual([]);
    });

    it('is pending while it can still arrive, and not found later', async () => {
      const sent = await send(crossing());
      const bridges = stage.bridges(protocol.chains);
      const [source] = await bridges.recognise(from, sent.hash);
      const usual = stage.now;
      stage.now = source!.at + 3_600_000;
      expect(await bridges.findOtherSide(source!)).toEqual({
        status: 'pending',
        reason: 'bridge_pending',
        likely: null,
      });
      stage.now = source!.at + 30 * DAY_MS;
      expect(await bridges.findOtherSide(source!)).toEqual({
        status: 'not_found',
        reason: 'bridge_not_found',
        likely: null,
      });
      stage.now = usual;
    });

    it('says when the other chain has no source', async () => {
      const sent = await send(crossing());
      const [source] = await stage.bridges(protocol.chains).recognise(from, sent.hash);
      const alone = stage.bridges(protocol.chains, { without: to });
      expect(await alone.findOtherSide(source!)).toEqual({
        status: 'not_found',
        reason: 'bridge_source_missing',
        likely: null,
      });
    });

    it('counts the first of two deliveries and names the other', async () => {
      const one = crossing();
      const bridges = stage.bridges(protocol.chains);
      const sent = await send(one);
      const first = await deliver(one, sent);
      const second = await deliver(one, sent);
      const [source] = await bridges.recognise(from, sent.hash);
      const found = await bridges.findOtherSide(source!);
      expect(found).toMatchObject({ status: 'matched', message: { tx: first.hash } });
      expect(found.status === 'matched' && found.others.map(({ tx }) => tx)).toEqual([second.hash]);
    });

    it('keeps two messages of one transaction apart', async () => {
      const one = crossing();
      const two = crossing({ amount: 90_000_000n });
      const bridges = stage.bridges(protocol.chains);
      const [a, b] = [protocol.source(one), protocol.source(two)];
      const sent = await stage.run(from, [...a.steps, ...b.steps], { head: a.head, at: a.at });
      const messages = await bridges.recognise(from, sent.hash);
      expect(messages.map(({ amount }) => amount)).toEqual([protocol.sent(one)[1], protocol.sent(two)[1]]);
      expect(messages.map(({ recipient }) => recipient)).toEqual([one.recipient, two.recipient]);
      expect(new Set(messages.map(messageKey)).size).toBe(2);
      const explained = messages.flatMap(({ explains }) => explains);
      expect(new Set(explained).size).toBe(explained.length);
    });

    it('refuses a delivery to another recipient', async () => {
      const one = crossing();
      const sent = await send(one);
      await deliver({ ...one, recipient: person(0xee) }, sent);
      const bridges = stage.bridges(protocol.chains);
      const [source] = await bridges.recognise(from, sent.hash);
      expect((await bridges.findOtherSide(source!)).status).not.toBe('matched');
    });

    it('refuses a delivery of more than was sent, or of another content', async () => {
      const one = crossing();
      const sent = await send(one);
      await deliver({ ...one, amount: one.amount * 3n }, sent);
      const bridges = stage.bridges(protocol.chains);
      const [source] = await bridges.recognise(from, sent.hash);
      const found = await bridges.findOtherSide(source!);
      // Orders and swaps pay another asset, whose amount the source may leave open.
      if (protocol.name === 'thorchain') expect(found.status).toBe('matched');
      else expect(found.status).not.toBe('matched');
    });
  });
}
