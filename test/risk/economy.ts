import { Dice } from '../../fixtures/anomaly/dice.ts';
import type { Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { AS_OF, DAY, HOUR, label, transfer } from './world.ts';

const MINUTE = 60_000;
const DAYS = 180;
const START = AS_OF - 200 * DAY;
const KINDS = ['person', 'freelancer', 'merchant', 'company', 'trader', 'deposit'] as const;

/** Somebody with an address of their own; `deposit` is what an exchange gives to a customer and empties itself. */
export interface Actor {
  address: string;
  kind: (typeof KINDS)[number];
}

interface Owner extends Actor {
  /** The size of an ordinary payment in dollars. */
  scale: number;
  sessionsPerDay: number;
  friends: Owner[];
  exchange: string;
  deposit: string | null;
  balance: number;
  paidWith: string;
  staff: Owner[];
}

export interface Economy {
  actors: Actor[];
  transfers: Transfer[];
  /** Services alone are labelled; merchants, companies and deposit addresses are not. */
  labels: Label[];
}

/**
 * Half a year of lawful dealings among many: heavy-tailed activity and popularity, amounts from cents to millions and
 * often round, several assets, some without a price, people who withdraw from an exchange just before they pay.
 */
export function economy(seed: number, owners: number): Economy {
  const dice = new Dice(seed);
  const exchanges = Array.from({ length: 5 }, () => dice.address());
  const pools = Array.from({ length: 3 }, () => dice.address());
  const all = Array.from({ length: owners }, () => owner(dice, exchanges));
  const merchants = all.filter(({ kind }) => kind === 'merchant');
  const companies = all.filter(({ kind }) => kind === 'company');
  const deposits: Actor[] = [];
  const transfers: Transfer[] = [];
  for (const one of all) {
    one.friends = Array.from({ length: dice.int(1, 8) }, () => dice.pick(all)).filter((friend) => friend !== one);
    if (one.kind === 'company') one.staff = Array.from({ length: dice.int(3, 40) }, () => dice.pick(all));
  }

  const move = (at: number, from: string, to: string, usd: number, more: Partial<Transfer> = {}) => {
    const day = Math.floor((at - START) / DAY);
    const price = 2_000 + 500 * Math.sin(day / 20);
    const asset = more.asset ?? 'ETH';
    const amount = (asset === 'ETH' ? usd / price : usd).toFixed(6);
    const value = { usd: Math.round(usd * 100) / 100, amount, ...(asset === 'ETH' ? {} : TOKEN(asset)) };
    transfers.push(transfer({ at: Math.floor(at), from, to, ...value, ...more, txSender: from }));
  };
  const pay = (at: number, from: Owner, to: Owner, usd: number) => {
    withdraw(at, from, usd);
    from.balance -= usd;
    to.balance += usd;
    move(at, from.address, to.address, usd, { asset: from.paidWith });
  };
  /** Who has too little takes it from the exchange, some just before and a little more than needed. */
  const withdraw = (at: number, to: Owner, usd: number) => {
    if (to.balance >= usd) return;
    const missing = usd - to.balance;
    const taken = dice.chance(0.5) ? missing * 1.01 : roundUp(missing * (1 + 3 * dice.share()));
    to.balance += taken;
    const before = dice.chance(0.3) ? dice.int(2, 55) * MINUTE : dice.int(2, 200) * HOUR;
    move(at - before, to.exchange, to.address, taken, { asset: to.paidWith });
  };
  const cashIn = (at: number, from: Owner, usd: number) => {
    if (usd < 1) return;
    if (from.deposit === null) {
      from.deposit = dice.address();
      deposits.push({ address: from.deposit, kind: 'deposit' });
    }
    from.balance -= usd;
    move(at, from.address, from.deposit, usd, { asset: from.paidWith });
    move(at + dice.int(2, 90) * MINUTE, from.deposit, from.exchange, usd, { asset: from.paidWith });
  };
  const trade = (at: number, who: Owner, usd: number) => {
    withdraw(at, who, usd);
    const [pool, txHash] = [dice.pick(pools), `0x${dice.hex(64)}`];
    const [sold, bought] = dice.chance(0.5) ? [who.paidWith, 'UNI'] : ['UNI', who.paidWith];
    move(at, who.address, pool, usd, { asset: sold, txHash, index: 'log:1' });
    move(at, pool, who.address, usd * 0.997, { asset: bought, txHash, index: 'log:2', seq: 1 });
  };
  const spam = (at: number, to: Owner) =>
    move(at, dice.address(), to.address, dice.int(1, 9_999), { ...TOKEN('FREE'), asset: 'FREE', usd: null });

  for (let day = 0; day < DAYS; day++) {
    for (const one of all) {
      const at = () => START + day * DAY + dice.wakingMs();
      if (dice.chance(0.02)) spam(at(), one);
      if (one.kind === 'merchant' && day % 7 === 6) cashIn(at(), one, one.balance * (0.8 + 0.2 * dice.share()));
      if (one.kind === 'freelancer' && day % 30 === 29) cashIn(at(), one, one.balance * (0.5 + 0.5 * dice.share()));
      if (one.kind === 'company' && day % 30 === 27) {
        const [payday, wages] = [at(), one.staff.map(() => roundUp(one.scale * dice.around(4)))];
        withdraw(
          payday,
          one,
          wages.reduce((sum, wage) => sum + wage, 0),
        );
        for (const [i, wage] of wages.entries()) pay(payday + i * dice.int(10, 90) * 1_000, one, one.staff[i]!, wage);
      }
      let begun = dice.chance(Math.min(1, one.sessionsPerDay)) ? Math.max(1, Math.round(one.sessionsPerDay)) : 0;
      for (; begun > 0; begun--) {
        let now = at();
        for (let n = 1 + Math.floor(-1.2 * Math.log(1 - dice.share())); n > 0; n--) {
          const usd = amount(dice, one.scale);
          if (one.kind === 'trader' && dice.chance(0.5)) trade(now, one, usd);
          else if (dice.chance(0.12)) cashIn(now, one, Math.min(usd, one.balance));
          else if (dice.chance(0.03)) pay(now, one, one, usd);
          else pay(now, one, receiver(dice, one, { all, merchants, companies }), usd);
          now += dice.int(1, 25) * MINUTE;
        }
      }
    }
  }
  const labels = [...exchanges.map((one) => label(one, 'exchange')), ...pools.map((one) => label(one, 'dex'))];
  return { actors: [...all, ...deposits], transfers, labels };
}

function owner(dice: Dice, exchanges: string[]): Owner {
  const luck = dice.share();
  return {
    address: dice.address(),
    kind: luck < 0.74 ? 'person' : KINDS[1 + Math.min(3, Math.floor((luck - 0.74) * 16))]!,
    scale: dice.logNormal(4.6, 1.3),
    sessionsPerDay: Math.min(6, 0.03 * (1 - dice.share()) ** (-1 / 1.3)),
    friends: [],
    exchange: dice.pick(exchanges),
    deposit: null,
    balance: 0,
    paidWith: dice.pick(['ETH', 'ETH', 'USDT', 'USDT', 'USDC', 'DAI']),
    staff: [],
  };
}

interface Others {
  all: Owner[];
  merchants: Owner[];
  companies: Owner[];
}

function receiver(dice: Dice, one: Owner, { all, merchants, companies }: Others): Owner {
  const luck = dice.share();
  if (luck < 0.4 && one.friends.length > 0) return dice.pick(one.friends);
  if (luck < 0.75 && merchants.length > 0) return merchants[Math.floor(merchants.length ** dice.share()) - 1]!;
  if (luck < 0.8 && companies.length > 0) return dice.pick(companies);
  return dice.pick(all);
}

/** Three in ten are round, as people type them; a few are a hundred times what is usual. */
function amount(dice: Dice, scale: number): number {
  const usd = scale * dice.logNormal(0, 1) * (dice.chance(0.01) ? 100 : 1);
  return dice.chance(0.3) ? roundUp(usd) : usd;
}

function roundUp(usd: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(usd)));
  return Math.ceil(usd / step) * step;
}

const TOKEN = (asset: string): Partial<Transfer> => ({
  kind: 'token',
  token: `0x${Buffer.from(asset).toString('hex').padEnd(40, '0')}`,
  index: 'log:0',
});
