import { describe, expect, it, onTestFinished } from 'vitest';
import { startMovingBitcoin } from '../../fixtures/moving-chains/bitcoin.ts';
import type { MovingChain } from '../../fixtures/moving-chains/moving-chain.ts';
import { startMovingSolana } from '../../fixtures/moving-chains/solana.ts';
import { startMovingTron } from '../../fixtures/moving-chains/tron.ts';
import { startMovingXrp } from '../../fixtures/moving-chains/xrp.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { NOW } from '../app/test-app.ts';
import { namesOf, openLiveDesk, PATIENT } from './live-desk.ts';

const FAMILIES = {
  bitcoin: startMovingBitcoin,
  solana: startMovingSolana,
  tron: startMovingTron,
  xrp: startMovingXrp,
};

type Family = keyof typeof FAMILIES;
type Fault = (chain: MovingChain) => void;
const PAGE = '<!doctype html><title>Slow down</title><p>Slow down, please.</p>';
const served = ({ listening, reading, env }: MovingChain) => listening ?? ('XRP_LIVE_URL' in env ? null : reading);
const page =
  (status: number): Fault =>
  (chain) => {
    served(chain)?.inject({ status, body: PAGE, contentType: 'text/html', retryAfter: 0 });
    chain.socket?.refuse(status);
    chain.socket?.cut();
  };
const FAULTS: Record<string, Fault> = {
  'cuts every connection': (chain) => {
    served(chain)?.inject({ cut: true });
    chain.socket?.refuse(503);
    chain.socket?.cut();
  },
  'answers a page with 429': page(429),
  'answers a page with 503': page(503),
  'answers a page with 200': page(200),
  'answers with 200 MB': (chain) => {
    served(chain)?.inject({ bytes: 200 * 1024 * 1024 });
    chain.socket?.broadcast('x'.repeat(50 * 1024 * 1024));
    chain.socket?.refuse(503);
  },
  'answers with nesting 10,000 deep': (chain) => {
    served(chain)?.inject({ body: '['.repeat(10_000) });
    chain.socket?.broadcastText('{"id":1,"result":'.repeat(10_000));
    chain.socket?.refuse(503);
  },
};

/** A desk that watches the first address of a chain, which pays the second. */
async function begin(name: Family) {
  // Who watches comes an hour after the coin.
  const time = { at: NOW - HOUR_MS };
  const chain = await FAMILIES[name]({ addresses: 3, now: () => time.at });
  onTestFinished(() => chain.close());
  const [me, you, other] = chain.addresses as [string, string, string];
  const desk = await openLiveDesk(chain.env, { chain: name, address: me, at: NOW });
  const pay = (from: string, to: string) => {
    time.at = desk.time.at;
    const hash = chain.pay(from, to);
    chain.mine();
    return hash;
  };
  const heardAll = () => desk.heardUpTo(chain.tip());
  return { chain, desk, me, you, other, pay, heardAll };
}

describe.each(Object.keys(FAMILIES) as Family[])('live watch of %s', (name) => {
  it('alerts each payment once, by two processes that listen and scan', async () => {
    const { chain, desk, me, you, pay, heardAll } = await begin(name);
    desk.work(['listen', 'scan'], 2);
    await desk.settled();
    desk.pass(2);
    const paid = pay(me, you);
    await expect.poll(() => desk.received.length, PATIENT).toBe(1);
    expect(desk.alerts()[0]).toMatchObject({
      reason: 'movement',
      movement: { tx_hash: paid, direction: 'sent', confirmed: true, counterparty: { address: you } },
    });
    desk.pass(2);
    chain.mine();
    await heardAll();
    desk.pass(2);
    const second = pay(me, you);
    await expect.poll(() => desk.received.length, PATIENT).toBe(2);
    expect(namesOf(desk.alerts())).toEqual([`movement ${paid}`, `movement ${second}`].sort());
  });

  it.each(Object.keys(FAULTS))('alerts once what moved while its source %s', async (fault) => {
    const { chain, desk, me, you, pay, heardAll } = await begin(name);
    desk.work(['listen', 'scan']);
    await desk.settled();
    FAULTS[fault]!(chain);
    await expect.poll(async () => (await desk.watched()).live.state, PATIENT).toBe('unavailable');
    const paid: string[] = [];
    for (let n = 0; n < 3; n++) {
      desk.pass(5);
      paid.push(pay(me, you));
    }
    chain.reading.clearFaults();
    chain.listening?.clearFaults();
    chain.socket?.refuse(null);
    await expect.poll(async () => (await desk.watched()).live.state, PATIENT).toBe('listening');
    await heardAll();
    desk.pass(2);
    await expect.poll(() => desk.received.length, PATIENT).toBe(3);
    desk.pass(2);
    paid.push(pay(me, you));
    await expect.poll(() => desk.received.length, PATIENT).toBe(4);
    expect(namesOf(desk.alerts())).toEqual(paid.map((hash) => `movement ${hash}`).sort());
  });

  it('keeps what was heard where the process ends before the scan', async () => {
    const { desk, me, you, pay, heardAll } = await begin(name);
    const end = desk.work(['listen', 'scan']);
    await desk.settled();
    await end();
    const endListening = desk.work(['listen']);
    await desk.settled();
    desk.pass(2);
    const paid = pay(me, you);
    await heardAll();
    const touched = async () => (await desk.watched()).live.last_touch_at;
    await expect.poll(touched, PATIENT).not.toBeNull();
    await endListening();
    expect(desk.received).toEqual([]);
    desk.work(['scan']);
    desk.pass(2);
    await expect.poll(() => desk.received.length, PATIENT).toBe(1);
    expect(namesOf(desk.alerts())).toEqual([`movement ${paid}`]);
  });
});

it.each(['bitcoin', 'tron'] as const)(
  'live watch of %s takes a movement back whose block was reorganised',
  async (name) => {
    const { chain, desk, me, you, other, pay, heardAll } = await begin(name);
    await desk.ask('PATCH', `/watchlist/${desk.item.id}`, { movements: 'all' });
    desk.work(['listen', 'scan']);
    await desk.settled();
    desk.pass(2);
    const gone = pay(me, you);
    for (let n = 0; n < 11; n++) chain.mine();
    await heardAll();
    await expect.poll(() => desk.received.length, PATIENT).toBe(1);
    chain.rollBack!(12);
    desk.pass(2);
    const instead = pay(other, me);
    for (let n = 0; n < 12; n++) chain.mine();
    await heardAll();
    desk.pass(2);
    await expect.poll(() => desk.received.length, PATIENT).toBe(3);
    expect(namesOf(desk.alerts().slice(1))).toEqual([`movement ${instead}`, `reorganised ${gone}`]);
  },
);
