import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ClosingError, OverloadError } from '../../src/errors.ts';
import { FairQueue, type QueuedCaller, type QueueLimits } from '../../src/fairness/fair-queue.ts';

const LIMITS: QueueLimits = {
  atOnce: 4,
  perAccount: 3,
  waitingMax: 200,
  waitingPerAccount: 50,
  refusal: 'Too many',
  retryAfterS: 2,
};
const account = (id: string): QueuedCaller => ({ id });
const block = (id: string): QueuedCaller => ({ id, keyless: true });

/** A queue whose work ends on request; `running` names what has a place, in the order of beginning. */
function open(limits: Partial<QueueLimits> = {}) {
  const queue = new FairQueue({ ...LIMITS, ...limits });
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string, caller: QueuedCaller, signal?: AbortSignal) =>
    queue.run(
      caller,
      () =>
        new Promise<string>((resolve) => {
          running.push(name);
          ends.set(name, () => {
            running.splice(running.indexOf(name), 1);
            resolve(name);
          });
        }),
      signal,
    );
  const end = async (...names: string[]) => {
    for (const name of names) ends.get(name)!();
    await setImmediate();
  };
  return { queue, running, add, end };
}

it('bounds the work of one account and of all, and lets the one with the least under way go first', async () => {
  const { queue, running, add, end } = open();
  const added = [
    ...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add(name, account('a'))),
    ...['b1', 'b2', 'b3'].map((name) => add(name, account('b'))),
    add('c1', account('c')),
  ];
  await setImmediate();
  expect(running).toEqual(['a1', 'a2', 'a3', 'b1']);
  expect([queue.running, queue.waiting]).toEqual([4, 5]);
  await end('a1');
  expect(running).toEqual(['a2', 'a3', 'b1', 'c1']);
  await end('a2');
  expect(running).toEqual(['a3', 'b1', 'c1', 'a4']);
  await end('c1');
  expect(running).toEqual(['a3', 'b1', 'a4', 'b2']);
  await end('a3', 'b1', 'a4', 'b2');
  expect(running).toEqual(['a5', 'b3']);
  await end('a5', 'b3');
  expect(await Promise.all(added)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'c1']);
  await queue.idle();
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

it('lets an account wait for one turn of another, however many that has waiting', async () => {
  const { queue, running, add, end } = open({ atOnce: 1, perAccount: 1 });
  const hostile = ['a1', 'a2', 'a3'].map((name) => add(name, account('a')));
  await setImmediate();
  const others = [add('b1', account('b')), add('c1', account('c')), add('b2', account('b'))];
  const order: string[] = [];
  for (let i = 0; i < 6; i++) {
    await setImmediate();
    order.push(...running);
    await end(...running);
  }
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  await Promise.all([...hostile, ...others]);
  await queue.idle();
});

it('leaves half the places to accounts, and gives two to a block of addresses', async () => {
  const { running, add, end } = open({ atOnce: 6 });
  const added = [
    ...['x1', 'x2', 'x3'].map((name) => add(name, block('x'))),
    ...['y1', 'y2'].map((name) => add(name, block('y'))),
    ...['a1', 'a2', 'a3'].map((name) => add(name, account('a'))),
  ];
  await setImmediate();
  expect(running).toEqual(['x1', 'x2', 'y1', 'a1', 'a2', 'a3']);
  await end('a1');
  expect(running).toEqual(['x1', 'x2', 'y1', 'a2', 'a3']);
  await end('x1');
  expect(running).toEqual(['x2', 'y1', 'a2', 'a3', 'x3']);
  await end('y1');
  await end('y2', 'x2', 'x3', 'a2', 'a3');
  await Promise.all(added);
});

it('holds a place until what the work keeps has ended, although its caller has the answer', async () => {
  const { queue, running, add, end } = open({ atOnce: 1 });
  let stop = () => {};
  const engine = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const answered = queue.run(account('a'), async (keep) => {
    keep(engine);
    throw new Error('too late');
  });
  await expect(answered).rejects.toThrow('too late');
  const next = add('b1', account('b'));
  await setImmediate();
  expect([queue.running, running]).toEqual([1, []]);
  stop();
  await setImmediate();
  expect([queue.running, running]).toEqual([1, ['b1']]);
  await end('b1');
  await next;
});

it('refuses with 503 and Retry-After what waits too long, and what comes when too many wait', async () => {
  const { queue, add, end } = open({ atOnce: 1, waitMs: 1, waitingMax: 3, waitingPerAccount: 2 });
  const first = add('a1', account('a'));
  const waiting = [add('a2', account('a')), add('a3', account('a'))].map((one) => one.catch((error) => error));
  await expect(add('a4', account('a'))).rejects.toThrow(OverloadError);
  const other = add('b1', account('b')).catch((error) => error);
  await expect(add('c1', account('c'))).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
  for (const refused of await Promise.all([...waiting, other])) expect(refused).toBeInstanceOf(OverloadError);
  expect([queue.running, queue.waiting]).toEqual([1, 0]);
  await end('a1');
  await first;
});

it('has a place again once, however often it is given back', async () => {
  const { queue } = open({ atOnce: 2 });
  const [leave] = [await queue.enter(account('a')), await queue.enter(account('b'))];
  leave();
  leave();
  expect(queue.running).toBe(1);
});

it('has the place again after work that failed, at once', async () => {
  const { queue } = open({ atOnce: 1, waitingMax: 0 });
  const failed = queue.run(account('a'), () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  expect(queue.running).toBe(0);
  expect(await queue.run(account('a'), async () => 'drawn')).toBe('drawn');
});

it('ends the wait with the reason of its signal, and lets those behind it in', async () => {
  const { queue, running, add, end } = open({ atOnce: 1 });
  const abort = new AbortController();
  const first = add('a1', account('a'));
  const aborted = add('b1', { id: 'b', subject: 'ethereum:0xb' }, abort.signal);
  const behind = add('c1', account('c'));
  await setImmediate();
  expect([queue.isWaiting('ethereum:0xb'), queue.isWaiting('ethereum:0xa')]).toEqual([true, false]);
  abort.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  expect(queue.isWaiting('ethereum:0xb')).toBe(false);
  await expect(add('b2', account('b'), abort.signal)).rejects.toThrow('gone');
  await end('a1');
  expect(running).toEqual(['c1']);
  await end('c1');
  await Promise.all([first, behind]);
});

it('keeps the place of work whose signal aborts while it runs, until it ends', async () => {
  const { queue, add, end } = open({ atOnce: 1 });
  const abort = new AbortController();
  const work = add('a1', account('a'), abort.signal);
  await setImmediate();
  abort.abort(new Error('gone'));
  await setImmediate();
  expect(queue.running).toBe(1);
  await end('a1');
  expect([await work, queue.running]).toEqual(['a1', 0]);
});

it('fails what waits, and would wait, once it closes; what has a place goes on', async () => {
  const { queue, add, end } = open({ atOnce: 2 });
  const first = add('a1', account('a'));
  queue.close();
  const second = add('a2', account('a'));
  await expect(add('b1', account('b'))).rejects.toThrow(ClosingError);
  await end('a1', 'a2');
  expect(await Promise.all([first, second])).toEqual(['a1', 'a2']);
});

it('never has more under way than its limits, and does all, in any order of ends', async () => {
  const seed = Date.now();
  const random = randomBy(seed);
  const limits = { ...LIMITS, waitingMax: 1_000, waitingPerAccount: 1_000 };
  const queue = new FairQueue(limits);
  const own = new Map<string, number>();
  let keyless = 0;
  let done = 0;
  const all = Array.from({ length: 400 }, (_, n) => {
    const caller = n % 3 === 0 ? block(`block ${n % 5}`) : account(`account ${n % 7}`);
    return queue.run(caller, async () => {
      own.set(caller.id, (own.get(caller.id) ?? 0) + 1);
      if (caller.keyless) keyless += 1;
      expect(queue.running, `seed ${seed}`).toBeLessThanOrEqual(limits.atOnce);
      expect(own.get(caller.id), `seed ${seed}`).toBeLessThanOrEqual(caller.keyless ? 2 : limits.perAccount);
      expect(keyless, `seed ${seed}`).toBeLessThanOrEqual(limits.atOnce / 2);
      for (let turns = Math.floor(random() * 4); turns > 0; turns--) await setImmediate();
      own.set(caller.id, own.get(caller.id)! - 1);
      if (caller.keyless) keyless -= 1;
      done += 1;
    });
  });
  await Promise.all(all);
  expect([done, queue.running, queue.waiting], `seed ${seed}`).toEqual([400, 0, 0]);
});

function randomBy(seed: number): () => number {
  let state = seed % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

it('begins one at a time between turns of the event loop where it is paced, the newcomer first', async () => {
  const { queue, running, add, end } = open({ atOnce: 8, perAccount: 8, isPaced: true });
  const burst = ['a1', 'a2', 'a3'].map((name) => add(name, account('a')));
  const other = add('b1', account('b'));
  await expect.poll(() => running).toHaveLength(4);
  expect(running).toEqual(['a1', 'b1', 'a2', 'a3']);
  await end('a1', 'a2', 'a3', 'b1');
  await Promise.all([...burst, other]);
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

it('gives a shared place to others, and to the caller itself once it has left', async () => {
  const queue = new FairQueue({ ...LIMITS, atOnce: 1, perAccount: 1 });
  const leave = await queue.enter(account('a'));
  const entered: string[] = [];
  const enter = async (id: string) => {
    const own = await queue.enter(account(id));
    entered.push(id);
    return own;
  };
  const [again, other] = [enter('a'), enter('b')];
  leave.share();
  const leaveOther = await other;
  leaveOther();
  await setImmediate();
  expect(entered).toEqual(['b']);
  leave();
  (await again)();
  expect(entered).toEqual(['b', 'a']);
  expect(queue.running).toBe(0);
});

it('leaves half of the places of an account to what its callers wait for, which goes before its jobs', async () => {
  const { running, add, end } = open({ atOnce: 8, perAccount: 4 });
  const job: QueuedCaller = { id: 'a', isJob: true };
  const jobs = ['j1', 'j2', 'j3', 'j4'].map((name) => add(name, job));
  const scans = ['s1', 's2', 's3'].map((name) => add(name, account('a')));
  await setImmediate();
  expect(running).toEqual(['j1', 'j2', 's1', 's2']);
  await end('j1');
  expect(running).toEqual(['j2', 's1', 's2', 's3']);
  await end('s1', 's2', 's3');
  expect(running).toEqual(['j2', 'j3']);
  await end('j2', 'j3');
  await end('j4');
  await Promise.all([...jobs, ...scans]);
});
