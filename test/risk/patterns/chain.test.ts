import { expect, it } from 'vitest';
import { Dice } from '../../../fixtures/anomaly/dice.ts';
import { groupBy } from '../../../src/domain/group-by.ts';
import { peelChain } from '../../../src/risk/typologies/peel-chain.ts';
import { longestChain, nextInChain, ownFlows } from '../../../src/risk/views/chain.ts';
import { inTimeOrder, type Neighbourhood, type PatternTransfer } from '../../../src/risk/views/neighbourhood.ts';
import { seed } from '../../setup/seed.ts';

const GAP = 10;
const FROM_USD = 20;
const KEPT_SHARE = 0.4;

/** Some 30 transfers among 14 addresses. */
function world(dice: Dice): { around: Neighbourhood; onward: (flow: PatternTransfer) => PatternTransfer[] } {
  const names = ['S', ...Array.from({ length: 13 }, (_, i) => `a${i}`)];
  const flows = Array.from({ length: 30 }, (_, id): PatternTransfer => {
    const [from, to] = [dice.pick(names), dice.pick(names)];
    const place = { txHash: `0x${id}`, index: 'native', block: null, position: null, seq: 0 };
    return { id: `${id}`, from, to, at: dice.int(0, 60), usd: dice.int(10, 40), asset: 'ETH', amount: '1', ...place };
  }).filter(({ from, to }) => from !== to);
  const sentBy = (address: string) => inTimeOrder(flows.filter(({ from }) => from === address));
  const receivedBy = (address: string) => inTimeOrder(flows.filter(({ to }) => to === address));
  const isPart = (usd: number, before: number) => usd >= KEPT_SHARE * before && usd <= before;
  const onward = (flow: PatternTransfer) =>
    sentBy(flow.to).filter(({ at, usd }) => at > flow.at && at <= flow.at + GAP && isPart(usd, flow.usd));
  return {
    around: { subject: 'S', sentBy, receivedBy, knownFrom: sentBy, isService: () => false, isExchange: () => false },
    onward,
  };
}

const ofSubject = (around: Neighbourhood) => ({ ...around, own: ownFlows(around) });

/** Every chain there is, tried out. */
function longestByDefinition({ around, onward }: ReturnType<typeof world>): number {
  let longest = 0;
  const visit = (chain: PatternTransfer[], passed: string[]) => {
    if (passed.includes(around.subject)) longest = Math.max(longest, chain.length);
    for (const next of onward(chain.at(-1)!))
      if (!passed.includes(next.to)) visit([...chain, next], [...passed, next.to]);
  };
  for (const name of ['S', ...Array.from({ length: 13 }, (_, i) => `a${i}`)]) {
    for (const flow of around.sentBy(name)) if (flow.usd >= FROM_USD) visit([flow], [flow.from, flow.to]);
  }
  return longest;
}

it('is a true chain through the subject, and as long as the longest there is in nearly all random worlds', () => {
  const dice = new Dice(seed);
  let shorter = 0;
  for (let n = 0; n < 2_000; n++) {
    const { around, onward } = world(dice);
    const { chain, cut } = longestChain(
      { ...around, own: ownFlows(around) },
      {
        fromUsd: FROM_USD,
        gapMs: GAP,
        keptShare: KEPT_SHARE,
        handsOn: () => true,
      },
    );
    for (const [i, flow] of chain.slice(1).entries()) expect(onward(chain[i]!)).toContainEqual(flow);
    const passed = chain.length > 0 ? [chain[0]!.from, ...chain.map(({ to }) => to)] : [];
    expect(new Set(passed).size).toBe(passed.length);
    if (chain.length > 0) expect(passed).toContain('S');
    if (chain.length > 0) expect(chain[0]!.usd).toBeGreaterThanOrEqual(FROM_USD);
    expect(cut).toBe(false);
    const longest = longestByDefinition({ around, onward });
    expect(chain.length).toBeLessThanOrEqual(longest);
    if (chain.length < longest) shorter++;
  }
  console.log(`shorter than the longest in ${shorter} of 2000`);
  // The way back is chosen before the way on, and may pass an address that the way on would have needed.
  expect(shorter).toBeLessThan(20);
});

/** `n` times in one day the same sum goes from `n` payers over the subject and one more address to `n` others. */
function equalSums(n: number): Neighbourhood {
  const flow = (id: string, from: string, to: string, at: number): PatternTransfer => {
    const place = { txHash: id, index: 'native', block: null, position: null, seq: 0 };
    return { id, from, to, at, usd: 1_000, asset: 'ETH', amount: '1', ...place };
  };
  const flows = Array.from({ length: n }, (_, i) => {
    return [flow(`in${i}`, `p${i}`, 'S', i), flow(`on${i}`, 'S', 'm', n + i), flow(`out${i}`, 'm', `q${i}`, 2 * n + i)];
  }).flat();
  const [from, to] = [groupBy(flows, (one) => one.from), groupBy(flows, (one) => one.to)];
  const sentBy = (address: string) => from.get(address) ?? [];
  const receivedBy = (address: string) => to.get(address) ?? [];
  return { subject: 'S', sentBy, receivedBy, knownFrom: sentBy, isService: () => false, isExchange: () => false };
}

it('costs no more than in proportion where thousands of equal sums pass in a day, and says that it left some out', () => {
  const rule = { fromUsd: 1_000, gapMs: 1_000_000, keptShare: 0.8, handsOn: () => true };
  const [few, many] = [500, 5_000].map((n) => longestChain(ofSubject(equalSums(n)), rule));
  expect(few).toMatchObject({ cut: true });
  expect(many).toMatchObject({ cut: true });
  expect([few!.chain.length, many!.chain.length]).toEqual([3, 3]);
  expect(many!.steps / few!.steps).toBeLessThan(11);
});

it('looks at no more transfers of a hub than it compares', () => {
  const n = 4_000;
  const around = equalSums(n);
  let looks = 0;
  const counted = (flows: readonly PatternTransfer[]) =>
    new Proxy(flows, {
      get: (target, name) => {
        if (/^\d+$/.test(String(name))) looks++;
        return Reflect.get(target, name);
      },
    });
  const own = ownFlows(around);
  const [received, sent] = [counted(around.receivedBy('S')), counted(around.sentBy('S'))];
  const { steps } = longestChain(
    {
      own,
      receivedBy: (address) => (address === 'S' ? received : around.receivedBy(address)),
      sentBy: (address) => (address === 'S' ? sent : around.sentBy(address)),
    },
    { fromUsd: 1_000, gapMs: 1_000_000, keptShare: 0.8, handsOn: () => true },
  );
  // Beside those compared only what two binary searches of each transfer touch.
  expect(looks).toBeLessThan(steps + 2 * own.length * 2 * Math.ceil(Math.log2(n)));
});

it('ends where amounts differ too much to decide soon, and says so', () => {
  const around = equalSums(3_000);
  // Each is compared with thousands and fits none.
  const { steps, cut } = longestChain(
    { ...around, own: ownFlows(around) },
    {
      fromUsd: 1_000,
      gapMs: 1_000_000,
      keptShare: 0.8,
      handsOn: () => false,
    },
  );
  expect(cut).toBe(true);
  expect(steps).toBeLessThanOrEqual(2_000_000);
});

it('looks for who may come next with bounded work, where two wallets pay each other all day long', () => {
  const flows = Array.from({ length: 100_000 }, (_, i): PatternTransfer => {
    const [from, to] = i % 2 === 0 ? ['S', 'b'] : ['b', 'S'];
    const place = { txHash: `0x${i}`, index: 'native', block: null, position: null, seq: 0 };
    return { ...place, id: `${i}`, from, to, at: i, usd: 2_000, asset: 'ETH', amount: '1' };
  });
  const sent = groupBy(flows, ({ from }) => from);
  const received = groupBy(flows, ({ to }) => to);
  const sentBy = (address: string) => sent.get(address) ?? [];
  const receivedBy = (address: string) => received.get(address) ?? [];
  const none = () => false;
  const around = { subject: 'S', sentBy, receivedBy, knownFrom: sentBy, isService: none, isExchange: none };
  expect(nextInChain(around)).toContain('b');
});

it('looks for peels once among what an address paid, however many of its payments may go on', () => {
  const n = 1_000;
  const flow = (i: number, from: string, to: string): PatternTransfer => {
    const place = { txHash: `${i}`, index: 'native', block: null, position: null, seq: 0 };
    return { ...place, id: `${i}`, from, to, at: i, usd: 2_000 - (i % 300), asset: 'ETH', amount: '1' };
  };
  const flows = Array.from({ length: n }, (_, i) => (i % 2 === 0 ? flow(i, 'S', 'b') : flow(i, 'b', 'S')));
  const [sent, received] = [groupBy(flows, ({ from }) => from), groupBy(flows, ({ to }) => to)];
  let asked = 0;
  const sentBy = (address: string) => {
    asked++;
    return sent.get(address) ?? [];
  };
  const receivedBy = (address: string) => received.get(address) ?? [];
  const none = () => false;
  const around = { subject: 'S', sentBy, receivedBy, knownFrom: sentBy, isService: none, isExchange: none };
  expect(peelChain.around.find(around, { cut: false })).toEqual([]);
  // Once for each transfer that may go on, and once for each that is the first of its recipient.
  expect(asked).toBeLessThan(n + 10);
});
