import { COIN } from '../../src/domain/tracing/asset-id.ts';
import { withoutRounds } from '../../src/domain/transfers/round-trips.ts';
import { NAMED } from './money.ts';

// The definition of attribution itself, one receipt and one payment at a time, for comparison with the product: what an
// address pays consists of the rests of all its receipts, in proportion. Written apart from src/tracing/engine.

export interface NaiveTransfer {
  at: number;
  block: number | null;
  position: number | null;
  txHash: string;
  from: string;
  to: string;
  asset: string;
  quantity: number;
  usd: number | null;
  seq: number;
  isOrdered: boolean;
  /** The listed transfer that it is a part of. */
  of?: NaiveTransfer;
  /** The other side of what a swap paid out to another party. */
  peer?: NaiveTransfer;
  /** Of a part of a deposit at an exchange the part of a later receipt that returned it, and the other way round. */
  returned?: NaiveTransfer;
}

/** From a moment on all of an address was read; what it held then, of each asset, is not known to have come from anybody. */
export interface NaiveReading {
  from: number;
  /** Null where nobody says how much it was: what is known to have come before. */
  opening: number | null;
}

export type Readings = ReadonlyMap<string, NaiveReading>;

/** A known contract, whose own transfers are never in one transaction with others; unread, it pools the money of strangers. */
function isContract(name: string): boolean {
  return name.endsWith('vault');
}

type Share = [transfer: NaiveTransfer, part: number];

/** Less than this of the subject's dollars is not followed: money may go round for ever inside one transaction. */
const LEAST_USD = 1e-9;

/**
 * US dollars by `direction category isIndirect`. Hops count parties: an address is opened where it lies fewer than
 * `hopsMax` steps away, along transfers that carry the money, however long the money's own way was.
 */
export function attribute(
  listed: readonly NaiveTransfer[],
  subject: string,
  direction: 'received' | 'sent',
  hopsMax: number,
  readings: Readings = new Map(),
): Record<string, number> {
  const transfers = withReturned(netted(withPaidOut(withoutRoundsIn(listed), subject)), subject);
  let distances = new Map([[subject, 0]]);
  for (;;) {
    const near = distances;
    const isOpen = (address: string) => (near.get(address) ?? hopsMax) < hopsMax;
    const { out, steps } = follow(transfers, subject, direction, isOpen, readings);
    distances = distancesOver(steps, subject);
    if ([...distances].every(([address, distance]) => near.get(address) === distance)) return out;
  }
}

function distancesOver(steps: readonly [near: string, far: string][], subject: string): Map<string, number> {
  const distances = new Map([[subject, 0]]);
  for (const [address, distance] of distances) {
    for (const [near, far] of steps) if (near === address && !distances.has(far)) distances.set(far, distance + 1);
  }
  return distances;
}

function follow(
  transfers: readonly NaiveTransfer[],
  subject: string,
  direction: 'received' | 'sent',
  isOpen: (address: string) => boolean,
  readings: Readings,
): { out: Record<string, number>; steps: [near: string, far: string][] } {
  const out: Record<string, number> = {};
  const steps: [near: string, far: string][] = [];
  const received = direction === 'received';
  const endsOf = (here: NaiveTransfer) => {
    const there = here.peer ?? here;
    return received ? [here.to, there.from] : [here.from, there.to];
  };
  const arrive = (transfer: NaiveTransfer, usd: number, isDirect: boolean) => {
    const [near, far] = endsOf(transfer) as [string, string];
    if (usd < LEAST_USD) return;
    steps.push([near, far]);
    const category = categoryOf(far);
    if (category) {
      const bucket = `${direction} ${category} ${!isDirect}`;
      out[bucket] = (out[bucket] ?? 0) + usd;
    } else if (far !== subject && isOpen(far)) {
      const account = isContract(far) ? accountOf(transfers, [near, far], transfer, readings) : [];
      for (const { other, part } of near === subject ? [] : account) go(other, usd * part, near, 0);
      const lent = account.reduce((sum, { part, isLent }) => (isLent ? sum + part : sum), 0);
      if (!isContract(far) || readings.has(far)) go(transfer.peer ?? transfer, usd * (1 - lent), far, 0);
    }
  };
  const go = (transfer: NaiveTransfer, usd: number, at: string, swaps: number) => {
    if (swaps > 40) return;
    for (const [next, part] of received
      ? sourcesOf(transfers, at, transfer, readings)
      : usesOf(transfers, at, transfer, readings, subject)) {
      if (next.returned) {
        go(next.returned, usd * part, at, swaps + 1);
        continue;
      }
      const onward = swapOf(transfers, [at, subject], next, received);
      for (const [leg, share] of onward?.legs ?? []) go(leg, usd * part * share * (onward?.part ?? 0), at, swaps + 1);
      arrive(next, usd * part * (1 - (onward?.part ?? 0)), false);
    }
  };
  for (const transfer of transfers) {
    const [near, far] = endsOf(transfer) as [string, string];
    if (near !== subject || far === near || !((transfer.usd ?? 0) > 0)) continue;
    // The subject's own deposits that came back are its own money.
    const back = isExchange(far) ? accountOf(transfers, [near, far], transfer, readings) : [];
    const gone =
      back.reduce((sum, { part }) => sum + part, 0) + (categoryOf(far) ? 0 : loopedPart(transfers, near, transfer));
    arrive(transfer, (transfer.usd ?? 0) * (1 - gone), true);
  }
  return { out, steps };
}

function categoryOf(name: string): string | undefined {
  return NAMED[/[A-Z]+$/.exec(name)?.[0] ?? ''];
}

/** What part of a payment came by each receipt of the address. */
function sourcesOf(
  transfers: readonly NaiveTransfer[],
  at: string,
  payment: NaiveTransfer,
  readings: Readings,
): Share[] {
  return replay(transfers, at, payment.asset, readings)
    .moved.filter(({ to }) => to === payment)
    .map(({ from, units }): Share => [from, units / payment.quantity]);
}

/** What part of a receipt of the address went on with each payment. */
function usesOf(
  transfers: readonly NaiveTransfer[],
  at: string,
  receipt: NaiveTransfer,
  readings: Readings,
  subject: string,
): Share[] {
  return replay(transfers, at, receipt.asset, readings, subject)
    .moved.filter(({ from }) => from === receipt)
    .map(({ to, units }): Share => [to, units / receipt.quantity]);
}

/** The orders of one world, by address. */
const ORDERS = new WeakMap<readonly NaiveTransfer[], Map<string, NaiveTransfer[]>>();

/** What goes back to the subject, where one is named, is first of what it paid itself. */
function replay(
  transfers: readonly NaiveTransfer[],
  address: string,
  asset: string,
  readings: Readings,
  subject: string | null = null,
) {
  const known = ORDERS.get(transfers) ?? new Map<string, NaiveTransfer[]>();
  ORDERS.set(transfers, known);
  const own = () => transfers.filter((t) => (t.from === address) !== (t.to === address));
  const all = known.get(address) ?? inOrder(own(), address, readings.get(address));
  known.set(address, all);
  const sorted = all.filter((t) => t.asset === asset);
  const moved: { from: NaiveTransfer; to: NaiveTransfer; units: number }[] = [];
  const uncovered = new Map<NaiveTransfer, number>();
  const rests: NaiveRest[] = [];
  const sumIn = (pool: string, isOwn = false) =>
    rests.reduce((sum, one) => (one.pool === pool && (!isOwn || isOf(subject, one)) ? sum + one.rest : sum), 0);
  /** Takes units out of a pool: of all that is there in proportion, or first (or only) of what the subject had put in. */
  const take = (
    pool: string,
    units: number,
    how: 'alike' | 'own first' | 'own alone',
    give: (one: NaiveRest, part: number) => void,
  ) => {
    const own = sumIn(pool, true);
    const others = sumIn(pool) - own;
    const back = Math.min(own, units);
    for (const one of rests.filter((rest) => rest.pool === pool)) {
      const isOwn = isOf(subject, one);
      const whole = how === 'alike' ? own + others : isOwn ? own : others;
      const taken = how === 'alike' ? units : isOwn ? back : how === 'own alone' ? 0 : units - back;
      if (whole > 1e-12) give(one, Math.min(1, taken / whole));
    }
  };
  const move = (from: string, into: string, units: number, ownFirst = false) => {
    const put: NaiveRest[] = [];
    take(from, units, ownFirst ? 'own first' : 'alike', (one, part) => {
      put.push({ from: one.from, rest: one.rest * part, pool: into });
      one.rest *= 1 - part;
    });
    rests.push(...put);
  };
  const depositors = withdrawalsOf(all, address, asset);
  const keepApart = (party: string) => {
    const excess = sumIn(`of ${party}`) - (depositors.get(party) ?? 0);
    if (excess > 0) move(`of ${party}`, MAIN, excess);
  };
  const deals = dealsOf(all, address, asset, depositors);
  for (const [t, deal] of deals) if (t.from === address) depositors.set(deal, t.quantity);
  const partyOf = (t: NaiveTransfer) =>
    deals.get(t) ?? (isDeposit(t, all, address) ? (t.from === address ? t.to : t.from) : '');
  let passing: Set<string> | null = null;
  let reading = readings.get(address);
  for (const [i, transfer] of sorted.entries()) {
    if (reading && transfer.at >= reading.from) {
      const before = rests.reduce((sum, { rest }) => sum + rest, 0);
      rests.length = 0;
      rests.push({ from: null, rest: reading.opening ?? before, pool: MAIN });
      reading = undefined;
    }
    const isSame = (t: NaiveTransfer | undefined) => t?.txHash === transfer.txHash;
    if (!isSame(sorted[i - 1])) {
      const inside = sorted.filter(isSame);
      const first = inside.findIndex(({ to }) => to === address);
      const passes = first !== -1 && inside.slice(first).some(({ from }) => from === address);
      passing = passes ? new Set() : null;
    }
    const party = partyOf(transfer);
    if (transfer.to === address) {
      const pool = passing ? PASSING : depositors.has(party) ? `of ${party}` : MAIN;
      passing?.add(party);
      rests.push({ from: transfer, rest: transfer.quantity, pool });
      if (pool === `of ${party}`) keepApart(party);
    } else {
      const { quantity } = transfer;
      const isBack = (transfer.peer ?? transfer).to === subject;
      const pool = sumIn(`of ${party}`) > 1e-12 ? `of ${party}` : passing ? PASSING : MAIN;
      const missing = () => Math.max(0, quantity - sumIn(pool));
      if (pool === `of ${party}` && passing) move(PASSING, pool, Math.min(missing(), sumIn(PASSING)));
      if (missing() > (pool === MAIN ? 0 : sumIn(MAIN)) + 1e-12)
        for (const one of rests) if (one.pool !== pool && one.pool !== PASSING) one.pool = MAIN;
      const unseen = missing() - (pool === MAIN ? 0 : sumIn(MAIN));
      uncovered.set(transfer, Math.max(0, unseen));
      if (unseen > 0) rests.push({ from: null, rest: unseen, pool: MAIN });
      if (pool !== MAIN) move(MAIN, pool, missing(), isBack);
      const pay = (one: NaiveRest, part: number) => {
        if (one.from) moved.push({ from: one.from, to: transfer, units: one.rest * part });
        one.rest *= 1 - part;
      };
      const waits = isBack && pool !== MAIN && sumIn(pool, true) < 1e-12 ? Math.min(sumIn(MAIN, true), quantity) : 0;
      if (waits > 0) take(MAIN, waits, 'own alone', pay);
      take(pool, quantity - waits, isBack && sumIn(pool, true) > 0 ? 'own first' : 'alike', pay);
      depositors.set(party, Math.max(0, (depositors.get(party) ?? 0) - quantity));
    }
    if (passing && !isSame(sorted[i + 1])) {
      const [payer = ''] = passing;
      const stays = passing.size === 1 && payer !== '' && depositors.has(payer) ? `of ${payer}` : MAIN;
      for (const one of rests) if (one.pool === PASSING) one.pool = stays;
      if (stays !== MAIN) keepApart(payer);
    }
  }
  return { moved, uncovered };
}

const MAIN = 'balance';
const PASSING = 'in the transaction';

/** The rest of a receipt, or of money that came unseen, and where it is kept. */
interface NaiveRest {
  from: NaiveTransfer | null;
  rest: number;
  pool: string;
}

function isOf(subject: string | null, { from }: NaiveRest): boolean {
  return from !== null && (from.peer ?? from).from === subject;
}

/** Sums what other parties that put the asset in take out again, but for services. */
function withdrawalsOf(all: readonly NaiveTransfer[], address: string, asset: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const t of all) {
    const hasPut = all.some((o) => o.from === t.to && o.to === address && o.asset === asset);
    if (t.from !== address || t.asset !== asset || !hasPut || !isDeposit(t, all, address)) continue;
    if (isTrader(t.to) && !isExchange(t.to)) found.set(t.to, (found.get(t.to) ?? 0) + t.quantity);
  }
  return found;
}

/** Payments of a contract that are as large as one deposit alone, or else less by a fee, with those deposits: their common name. */
function dealsOf(
  all: readonly NaiveTransfer[],
  address: string,
  asset: string,
  depositors: ReadonlyMap<string, number>,
): Map<NaiveTransfer, string> {
  const deals = new Map<NaiveTransfer, string>();
  const own = all.filter((t) => t.asset === asset && isDeposit(t, all, address));
  const deposits = own.filter((t) => t.to === address && !depositors.has(t.from));
  const payments = own.filter((t) => t.from === address && !depositors.has(t.to));
  if (!isContract(address) || new Set(deposits.map(({ from }) => from)).size < 2) return deals;
  for (const fee of [0, 0.03]) {
    const pairs = deposits.flatMap((put) =>
      payments
        .filter((paid) => !deals.has(put) && !deals.has(paid))
        .filter(({ quantity }) => quantity <= put.quantity && quantity >= put.quantity * (1 - fee))
        .map((paid) => [put, paid] as const),
    );
    for (const [put, paid] of pairs) {
      if (pairs.filter((pair) => pair[0] === put || pair[1] === paid).length > 1 || put.at >= paid.at) continue;
      for (const t of [put, paid]) deals.set(t, `deal ${put.txHash} ${put.seq}`);
    }
  }
  return deals;
}

/** True where the others are worth half of it or more. */
function isPaidFor(t: NaiveTransfer, others: readonly NaiveTransfer[]): boolean {
  const usd = others.reduce((sum, o) => sum + (o.usd ?? 0), 0);
  return usd > 0 && usd >= (t.usd ?? 0) / 2;
}

/** False for sides of what was paid out to others, and of transactions in which one asset came in and another went out. */
function isDeposit(t: NaiveTransfer, all: readonly NaiveTransfer[], address: string): boolean {
  const inside = all.filter(({ txHash }) => txHash === t.txHash);
  const [came, went] = [inside.filter(({ to }) => to === address), inside.filter(({ from }) => from === address)];
  const isTrade = (out: NaiveTransfer) =>
    isPaidFor(
      out,
      came.filter((one) => one.asset !== out.asset),
    );
  return t.peer === undefined && !went.some(isTrade);
}

/**
 * What an address put into a contract goes on as what it took out later, dollar by dollar, the oldest first: of deposits what the
 * contract never paid on, of its payments what it never received.
 */
function accountOf(
  transfers: readonly NaiveTransfer[],
  [address, contract]: [string, string],
  asked: NaiveTransfer,
  readings: Readings,
): AccountShare[] {
  const open = (t: NaiveTransfer): number => {
    const reading = readings.get(contract);
    if (!reading || isExchange(contract)) return 1;
    const { moved, uncovered } = replay(transfers, contract, t.asset, readings);
    if (t.to !== contract) return (uncovered.get(t) ?? 0) / t.quantity;
    if (t.at < reading.from) return 0;
    return 1 - moved.filter(({ from }) => from === t).reduce((sum, { units }) => sum + units, 0) / t.quantity;
  };
  const isTrade = (t: NaiveTransfer, other: string) => t.peer === undefined && isTrader(other);
  const hasOtherSide = (t: NaiveTransfer) =>
    isPaidFor(
      t,
      transfers.filter(
        (o) =>
          o.txHash === t.txHash &&
          o.from !== o.to &&
          (t.from === address ? o.to === address && isTrade(o, o.from) : o.from === address && isTrade(o, o.to)),
      ),
    );
  const between = (from: string, to: string) =>
    transfers
      .filter((t) => t.from === from && t.to === to && t.usd !== null && t.peer === undefined && !hasOtherSide(t))
      .sort((a, b) => compareKnown(a, b) || a.seq - b.seq);
  const [puts, takes] = [between(address, contract), between(contract, address)];
  const pair = (part: (t: NaiveTransfer) => number) => {
    const left = new Map([...puts, ...takes].map((t) => [t, (t.usd ?? 0) * part(t)]));
    const pairs: { put: NaiveTransfer; take: NaiveTransfer; usd: number }[] = [];
    for (const take of takes) {
      for (const put of puts.filter((t) => compareKnown(t, take) < 0)) {
        const usd = Math.min(left.get(put) ?? 0, left.get(take) ?? 0);
        if (usd <= 0) continue;
        left.set(put, (left.get(put) ?? 0) - usd);
        left.set(take, (left.get(take) ?? 0) - usd);
        pairs.push({ put, take, usd });
      }
    }
    return pairs;
  };
  const returned = pair(open);
  // Of what the contract lent out of others' money half stands for a deposit that still lies there.
  const beyond = readings.has(contract) && !isExchange(contract) ? beyondBalances(puts, takes) : new Map();
  const free = (t: NaiveTransfer) => !returned.some(({ put, take }) => put === t || take === t);
  const lent = pair((t) =>
    free(t) ? 0.5 * (puts.includes(t) ? Math.min(open(t), beyond.get(t) ?? 0) : (beyond.get(t) ?? 0)) : 0,
  );
  const sharesOf = (pairs: typeof returned, isLent: boolean): AccountShare[] =>
    pairs.flatMap(({ put, take, usd }): AccountShare[] =>
      asked === put || asked === take
        ? // Of a deposit only what was never paid on stands for a loan: what was goes on whole.
          [{ other: asked === put ? take : put, part: usd / (asked.usd ?? 1), isLent: isLent && asked === take }]
        : [],
    );
  return [...sharesOf(returned, false), ...sharesOf(lent, true)];
}

/** The other side of a part of a transfer with a contract; lent where the contract paid it out of the money of others. */
interface AccountShare {
  other: NaiveTransfer;
  part: number;
  isLent: boolean;
}

/** The part of each receipt beyond what was put in of its asset, a loan, and of each deposit beyond what repays such loans. */
function beyondBalances(puts: readonly NaiveTransfer[], takes: readonly NaiveTransfer[]): Map<NaiveTransfer, number> {
  const balances = new Map<string, number>();
  const beyond = new Map<NaiveTransfer, number>();
  for (const t of [...puts, ...takes].sort(compareKnown)) {
    const [before, isPut] = [balances.get(t.asset) ?? 0, puts.includes(t)];
    beyond.set(t, Math.max(0, t.quantity - Math.max(0, isPut ? -before : before)) / t.quantity);
    balances.set(t.asset, isPut ? before + t.quantity : before - t.quantity);
  }
  return beyond;
}

/** Below zero where the first is known to come first: by time, else by block, else by position. */
function compareKnown(a: NaiveTransfer, b: NaiveTransfer): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.block === null || b.block === null) return 0;
  if (a.block !== b.block) return a.block - b.block;
  return a.position === null || b.position === null ? 0 : a.position - b.position;
}

/**
 * The transfers of an address as they came. Where the order of several transactions is not known, payments come first while what
 * was there is enough for them, and otherwise after all that came in.
 */
function inOrder(own: readonly NaiveTransfer[], address: string, reading: NaiveReading | undefined): NaiveTransfer[] {
  const hashes = [...new Set(own.map(({ txHash }) => txHash))];
  const transactions = hashes.map((hash) => {
    const legs = own.filter(({ txHash }) => txHash === hash).sort((a, b) => compareInside(a, b, own, address));
    const [paid, came] = [legs.some(({ from }) => from === address), legs.some(({ to }) => to === address)];
    return { hash, legs, kind: paid ? (came ? 1 : 0) : 2, ...placeOf(legs[0] as NaiveTransfer, own) };
  });
  transactions.sort((a, b) => a.place - b.place || a.kind - b.kind || (a.hash < b.hash ? -1 : 1));
  const held = new Map<string, number>();
  const covers = ({ legs }: (typeof transactions)[number], balance: Map<string, number>) => {
    let isEnough = true;
    for (const { asset, to, quantity } of legs) {
      const left = (balance.get(asset) ?? 0) + (to === address ? quantity : -quantity);
      if (left < -1e-9) isEnough = false;
      balance.set(asset, Math.max(0, left));
    }
    return isEnough;
  };
  const ordered: NaiveTransfer[] = [];
  let isOpen = false;
  for (const place of new Set(transactions.map((one) => one.place))) {
    const run = transactions.filter((one) => one.place === place);
    if (reading && !isOpen && (run[0]?.legs[0]?.at ?? 0) >= reading.from) {
      isOpen = true;
      if (reading.opening !== null) for (const { asset } of own) held.set(asset, reading.opening);
    }
    const trial = new Map(held);
    const isCovered = run.every((one) => covers(one, trial));
    const left = isCovered ? [...run] : run.toSorted((a, b) => Number(b.kind === 2) - Number(a.kind === 2));
    while (left.length > 0) {
      const next =
        isCovered || left[0]?.kind === 2 ? 0 : left.findIndex((one) => one.kind === 1 && covers(one, new Map(held)));
      const mixed = left.findIndex(({ kind }) => kind === 1);
      const [one] = left.splice(next >= 0 ? next : Math.max(0, mixed), 1) as [(typeof transactions)[number]];
      covers(one, held);
      ordered.push(...one.legs);
    }
  }
  return ordered;
}

/** A number that grows with what is known of a transaction's place: time, else block, else position. */
function placeOf({ at, block, position }: NaiveTransfer, own: readonly NaiveTransfer[]): { place: number } {
  const sameTime = own.filter((t) => t.at === at);
  if (sameTime.some((t) => t.block === null)) return { place: at };
  const hasPositions = sameTime.filter((t) => t.block === block).every((t) => t.position !== null);
  return { place: at + (block ?? 0) * 1e-3 + (hasPositions ? (position ?? 0) * 1e-6 : 0) };
}

function compareInside(a: NaiveTransfer, b: NaiveTransfer, own: readonly NaiveTransfer[], address: string): number {
  const legs = own.filter((t) => t.txHash === a.txHash && t.asset === a.asset);
  const receiptsFirst = Number(b.to === address) - Number(a.to === address);
  return legs.every(({ isOrdered }) => isOrdered) ? a.seq - b.seq : receiptsFirst || a.seq - b.seq;
}

/**
 * Where the transfer is a leg of a swap at the address: the part of it that converts, and the legs on the other side with
 * their shares (none: not known, for want of prices); null: no swap.
 */
function swapOf(
  transfers: readonly NaiveTransfer[],
  [address, subject]: [string, string],
  leg: NaiveTransfer,
  backward: boolean,
): { part: number; legs: Share[] } | null {
  const legs = legsOf(transfers, [address, subject], leg.txHash);
  if (!legs.includes(leg)) return null;
  const swap = tradesAmong(legs, address).find(({ given, got }) => (backward ? got : given).includes(leg));
  if (!swap) return null;
  const { given, got } = swap;
  const isPriced = [...given, ...got].every(({ usd }) => usd !== null);
  const [here, there] = backward ? [dollars(got), dollars(given)] : [dollars(given), dollars(got)];
  const part = isPriced ? Math.min(1, (1.1 * there) / here) : 1;
  const targets = backward ? given : got;
  const isOne = new Set(targets.map(({ asset }) => asset)).size === 1;
  const size = (t: NaiveTransfer) => (isOne ? t.quantity : t.usd);
  if (targets.some((t) => size(t) === null)) return { part, legs: [] };
  const whole = targets.reduce((sum, t) => sum + (size(t) ?? 0), 0);
  return { part, legs: whole > 0 ? targets.map((t): Share => [t, (size(t) ?? 0) / whole]) : [] };
}

function dollars(side: readonly NaiveTransfer[]): number {
  return side.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}

/** Transfers of an address in one transaction that may be sides of its swaps. */
function legsOf(
  transfers: readonly NaiveTransfer[],
  [address, subject]: [string, string],
  txHash: string,
): NaiveTransfer[] {
  const otherOf = (t: NaiveTransfer) => (t.from === address ? t.to : t.from);
  return transfers.filter(
    (t) =>
      t.txHash === txHash &&
      (t.from === address) !== (t.to === address) &&
      t.peer === undefined &&
      otherOf(t) !== subject &&
      isTrader(otherOf(t)),
  );
}

/** The swaps of an address in one transaction: where an asset went both ways one by one, else all together. */
function tradesAmong(
  legs: readonly NaiveTransfer[],
  address: string,
): { given: NaiveTransfer[]; got: NaiveTransfer[] }[] {
  const trades: { given: NaiveTransfer[]; got: NaiveTransfer[] }[] = [];
  const otherOf = (t: NaiveTransfer) => (t.from === address ? t.to : t.from);
  const given = (some: readonly NaiveTransfer[]) => some.filter(({ from }) => from === address);
  const got = (some: readonly NaiveTransfer[]) => some.filter(({ to }) => to === address);
  let open = [...legs];
  const tryAll = (some: readonly NaiveTransfer[]): boolean => {
    const [paid, came] = [dollars(given(some)), dollars(got(some))];
    const agree = some.every(({ usd }) => usd !== null) && Math.min(paid, came) > 0;
    if (!agree || Math.max(paid, came) > 1.1 * Math.min(paid, came)) return false;
    trades.push({ given: given(some), got: got(some) });
    open = open.filter((t) => !some.includes(t));
    return true;
  };
  const assets = [...new Set(legs.map(({ asset }) => asset))];
  const ofAsset = (some: readonly NaiveTransfer[], asset: string) => some.filter((t) => t.asset === asset);
  if (assets.some((asset) => given(ofAsset(legs, asset)).length > 0 && got(ofAsset(legs, asset)).length > 0)) {
    for (const other of new Set(legs.map(otherOf))) tryAll(legs.filter((t) => otherOf(t) === other));
    const runs: NaiveTransfer[][] = [];
    for (const t of [...open].sort((a, b) => a.seq - b.seq)) {
      const [last] = runs.at(-1) ?? [];
      if (last && last.asset === t.asset && (last.from === address) === (t.from === address)) runs.at(-1)?.push(t);
      else runs.push([t]);
    }
    const waiting: NaiveTransfer[][] = [];
    for (const run of runs) {
      const fits = ([first]: NaiveTransfer[]) =>
        first?.asset !== run[0]?.asset && (first?.from === address) !== (run[0]?.from === address);
      const mate = waiting.find((other) => fits(other) && tryAll([...other, ...run]));
      if (mate) waiting.splice(waiting.indexOf(mate), 1);
      else waiting.push(run);
    }
  }
  const net = (asset: string) =>
    ofAsset(open, asset).reduce((sum, t) => sum + (t.to === address ? t.quantity : -t.quantity), 0);
  const paid = given(open).filter((t) => net(t.asset) < 0);
  const came = got(open).filter((t) => net(t.asset) > 0);
  const isPriced = [...paid, ...came].every(({ usd }) => usd !== null);
  const sold = isPriced ? paid : paid.filter((t) => isExchange(otherOf(t)));
  return sold.length > 0 && came.length > 0 ? [...trades, { given: sold, got: came }] : trades;
}

/** The part of an own transfer that only went round in swaps of its transaction. */
function loopedPart(transfers: readonly NaiveTransfer[], subject: string, own: NaiveTransfer): number {
  const all = tradesAmong(legsOf(transfers, [subject, ''], own.txHash), subject);
  const trades = all.filter(({ given, got }) => [...given, ...got].every(({ usd }) => usd !== null));
  const converted = (t: NaiveTransfer): number => {
    const { given = [], got = [] } = trades.find((one) => [...one.given, ...one.got].includes(t)) ?? {};
    const [here, there] = given.includes(t) ? [dollars(given), dollars(got)] : [dollars(got), dollars(given)];
    return here > 0 ? Math.min(1, (1.1 * there) / here) : 0;
  };
  const worthOf = (side: 'given' | 'got') =>
    trades
      .flatMap((trade) => trade[side])
      .filter(({ asset }) => asset === own.asset)
      .reduce((sum, t) => sum + (t.usd ?? 0) * converted(t), 0);
  const [here, there] = own.from === subject ? [worthOf('given'), worthOf('got')] : [worthOf('got'), worthOf('given')];
  return here > 0 ? converted(own) * Math.min(1, (1.1 * there) / here) : 0;
}

/** False for labelled parties whose payments are never a side of a swap. */
function isTrader(name: string): boolean {
  const category = categoryOf(name);
  const isTaker = ['sanctioned', 'scam', 'darknet', 'theft', 'drainer'].includes(category ?? '');
  return category === undefined || isTaker || isExchange(name);
}

function isExchange(name: string): boolean {
  return ['dex', 'dex_router'].includes(categoryOf(name) ?? '');
}

/** Takes out what went round in a transaction over others; which of several rounds is taken is the product's choice. */
function withoutRoundsIn(listed: readonly NaiveTransfer[]): NaiveTransfer[] {
  const named = listed.map((t, i) => ({ ...t, id: String(i), amount: String(t.quantity) }));
  const left = withoutRounds(named, ({ asset }) => asset);
  return listed.flatMap((t, i) => {
    const part = left.get(named[i]!);
    return part === null ? [] : [part ? { ...t, quantity: Number(part.amount), usd: part.usd } : t];
  });
}

/** What goes to a party and comes back from it in one transaction and asset moved nothing: of both ways the difference is left. */
function netted(transfers: readonly NaiveTransfer[]): NaiveTransfer[] {
  const isAlike = (t: NaiveTransfer, o: NaiveTransfer) =>
    o.peer === undefined && o.txHash === t.txHash && o.asset === t.asset && o.from !== o.to;
  return transfers.flatMap((t) => {
    if (t.peer !== undefined || t.from === t.to) return [t];
    const sumOf = (from: string, to: string) =>
      transfers
        .filter((o) => isAlike(t, o) && o.from === from && o.to === to)
        .reduce((sum, { quantity }) => sum + quantity, 0);
    const [there, back] = [sumOf(t.from, t.to), sumOf(t.to, t.from)];
    const left = 1 - Math.min(there, back) / there;
    return left > 1e-12 ? [{ ...t, quantity: t.quantity * left, usd: t.usd === null ? null : t.usd * left }] : [];
  });
}

/** A part of a payment to an exchange for which nothing came, and which was not paid out to others. */
type NaiveDeposit = { payment: NaiveTransfer; left: number };
type NaiveSides = Record<'given' | 'got', Map<NaiveTransfer, number>>;

/**
 * Where in one transaction a party gave an exchange more than it got, and another got more than it gave: two sides of a
 * payment from one to the other in place of those parts of their transfers, and the rests. What the other one had itself put
 * in there before is not paid by anybody else.
 */
function withPaidOut(transfers: readonly NaiveTransfer[], subject: string): NaiveTransfer[] {
  const deposits: NaiveDeposit[] = [];
  const inTime = [...transfers].sort((a, b) => compareKnown(a, b) || (a.txHash < b.txHash ? -1 : 1));
  return [...new Set(inTime.map(({ txHash }) => txHash))].flatMap((hash) => {
    const listed = transfers.filter(({ txHash }) => txHash === hash);
    const parties = [...sidesIn(listed, subject).values()];
    const own = new Map<NaiveTransfer, number>();
    for (const { given, got } of parties) {
      const more = given.size === 0 ? 1 : worth(got) > 0 ? Math.max(0, 1 - (1.1 * worth(given)) / worth(got)) : 0;
      for (const [t, part] of got) if (isExchange(t.from)) own.set(t, broughtBack(deposits, t, part * more));
    }
    const piece = (t: NaiveTransfer, part: number) => {
      return { ...t, of: t, quantity: t.quantity * part, usd: t.usd === null ? null : t.usd * part };
    };
    const others = listed.map((t) => piece(t, 1 - (own.get(t) ?? 0))).filter(({ quantity }) => quantity > 1e-12);
    const paid = paidOutIn(others, subject);
    for (const { given, got } of parties) {
      if ([...got.keys()].some(({ from }) => isExchange(from))) continue;
      for (const [payment, part] of given) {
        if (!isExchange(payment.to)) continue;
        const out = paid.filter(({ of, peer }) => of === payment && peer !== undefined);
        const left = part - out.reduce((sum, { quantity }) => sum + quantity, 0) / payment.quantity;
        if (left > 1e-9) deposits.push({ payment, left });
      }
    }
    return listed.flatMap((t) => {
      const parts = paid.filter(({ of }) => of === t);
      const back = own.get(t) ?? 0;
      if (back <= 0) return parts;
      const rest = parts.find(({ peer }) => peer === undefined)?.quantity ?? 0;
      return [...parts.filter(({ peer }) => peer !== undefined), piece(t, back + rest / t.quantity)];
    });
  });
}

/** The part of a receipt that brings back deposits, oldest first: in its own asset by quantity, then by dollars, and a tenth more. */
function broughtBack(deposits: readonly NaiveDeposit[], t: NaiveTransfer, part: number): number {
  let missing = part;
  const mine = deposits.filter(
    ({ payment }) => payment.from === t.to && payment.to === t.from && compareKnown(payment, t) < 0,
  );
  for (const by of ['quantity', 'usd'] as const) {
    for (const deposit of mine) {
      if (by === 'quantity' && deposit.payment.asset !== t.asset) continue;
      const [has, wanted] = [(deposit.payment[by] ?? 0) * deposit.left, (t[by] ?? 0) * missing];
      const taken = Math.min(has, wanted);
      if (taken <= 0) continue;
      deposit.left -= taken / (deposit.payment[by] ?? 1);
      missing -= taken / (t[by] ?? 1);
    }
  }
  return Math.min(part, 1.1 * (part - missing));
}

function worth(side: ReadonlyMap<NaiveTransfer, number>): number {
  return [...side].reduce((sum, [t, part]) => sum + (t.usd ?? 0) * part, 0);
}

/** What each party but the exchanges gave and got in a transaction, by asset. */
function sidesIn(transfers: readonly NaiveTransfer[], subject: string): Map<string, NaiveSides> {
  const dealings = transfers.filter(({ from, to }) => isExchange(from) !== isExchange(to));
  const isNamed = (name: string) => !isTrader(name);
  const found = new Map<string, NaiveSides>();
  const parties = new Set(dealings.flatMap(({ from, to }) => [from, to]).filter((name) => !isExchange(name)));
  for (const party of parties) {
    const own = transfers.filter((t) => (t.from === party) !== (t.to === party));
    const sides: NaiveSides = { given: new Map(), got: new Map() };
    for (const asset of new Set(own.map((t) => t.asset))) {
      const market = own.filter((t) => t.asset === asset && dealings.includes(t));
      const equals = own.filter(
        (t) =>
          t.asset === asset &&
          !isNamed(t.from === party ? t.to : t.from) &&
          subject !== (t.from === party ? t.to : t.from),
      );
      const moved = market.length > 0 ? market : equals;
      const [out, came] = [moved.filter((t) => t.from === party), moved.filter((t) => t.to === party)];
      const [paid, received] = [out, came].map((some) => some.reduce((sum, t) => sum + t.quantity, 0)) as [
        number,
        number,
      ];
      for (const t of paid > received ? out : []) sides.given.set(t, 1 - received / paid);
      for (const t of received > paid ? came : []) sides.got.set(t, 1 - paid / received);
    }
    found.set(party, sides);
  }
  return found;
}

function paidOutIn(transfers: readonly NaiveTransfer[], subject: string): NaiveTransfer[] {
  const surplus: NaiveSides = { given: new Map(), got: new Map() };
  const pure: NaiveSides = { given: new Map(), got: new Map() };
  for (const [, sides] of sidesIn(transfers, subject)) {
    const [gave, got] = [worth(sides.given), worth(sides.got)];
    const atMarket = (t: NaiveTransfer) => isExchange(t.from) !== isExchange(t.to);
    for (const [t, part] of sides.given)
      if (gave > 1.1 * got && t.usd && atMarket(t)) surplus.given.set(t, part * (1 - (1.1 * got) / gave));
    for (const [t, part] of sides.got)
      if (got > 1.1 * gave && t.usd && atMarket(t)) surplus.got.set(t, part * (1 - (1.1 * gave) / got));
    if (sides.got.size === 0) for (const [t, part] of sides.given) if (atMarket(t)) pure.given.set(t, part);
    if (sides.given.size === 0) for (const [t, part] of sides.got) if (atMarket(t)) pure.got.set(t, part);
  }
  const isOne = (side: Map<NaiveTransfer, number>) => new Set([...side.keys()].map(({ asset }) => asset)).size === 1;
  const isPriced = surplus.given.size > 0 && surplus.got.size > 0;
  if (!isPriced && !(isOne(pure.given) && isOne(pure.got))) return [...transfers];
  const { given, got } = isPriced ? surplus : pure;
  const sizeOf = ([t, part]: [NaiveTransfer, number]) => (isPriced ? (t.usd ?? 0) : t.quantity) * part;
  const total = (side: Map<NaiveTransfer, number>) => [...side].reduce((sum, entry) => sum + sizeOf(entry), 0);
  const [gave, came] = [total(given), total(got)];
  const [givenPart, gotPart] = isPriced ? [Math.min(1, (1.1 * came) / gave), Math.min(1, (1.1 * gave) / came)] : [1, 1];
  const rests = new Map(transfers.map((t) => [t, 1]));
  const sides: NaiveTransfer[] = [];
  const take = (t: NaiveTransfer, part: number, end: Partial<NaiveTransfer>): NaiveTransfer => {
    rests.set(t, (rests.get(t) ?? 0) - part);
    const usd = t.usd === null ? null : t.usd * part;
    // What is left of a payment leaves first.
    const taken = { ...t, ...end, quantity: t.quantity * part, usd, seq: t.seq + 1e-6 * (sides.length + 1) };
    sides.push(taken);
    return taken;
  };
  for (const paid of given) {
    for (const received of got) {
      const here = take(paid[0], (paid[1] * givenPart * sizeOf(received)) / came, { to: '(paid out)' });
      const there = take(received[0], (received[1] * gotPart * sizeOf(paid)) / gave, { from: '(paid out)' });
      here.peer = there;
      there.peer = here;
    }
  }
  for (const [t, part] of rests) {
    if (part === 1) sides.push(t);
    else if (part > 1e-12) sides.push({ ...t, quantity: t.quantity * part, usd: t.usd === null ? null : t.usd * part });
  }
  return sides;
}

/**
 * What was put into an exchange in one transaction and taken out in a later one, dollar by dollar, the oldest first. Neither
 * transaction has another side.
 */
function withReturned(transfers: readonly NaiveTransfer[], subject: string): NaiveTransfer[] {
  const isTrade = (t: NaiveTransfer, other: string) => t.peer === undefined && other !== subject && isTrader(other);
  const left = new Map(transfers.map((t) => [t, t.usd ?? 0]));
  const parts = new Map<NaiveTransfer, NaiveTransfer[]>();
  const oldestFirst = (some: NaiveTransfer[]) => some.sort((a, b) => compareKnown(a, b) || a.seq - b.seq);
  const partOf = (t: NaiveTransfer, usd: number): NaiveTransfer => {
    const known = parts.get(t) ?? [];
    const part = { ...t, usd, quantity: (t.quantity * usd) / (t.usd ?? 1), seq: t.seq + 1e-3 * (known.length + 1) };
    parts.set(t, [...known, part]);
    left.set(t, (left.get(t) ?? 0) - usd);
    return part;
  };
  const listed = transfers.filter((t) => t.peer === undefined && t.from !== t.to);
  for (const address of new Set(listed.flatMap(({ from, to }) => [from, to]))) {
    const hasOtherSide = (t: NaiveTransfer) =>
      isPaidFor(
        t,
        listed.filter(
          (o) =>
            o.txHash === t.txHash &&
            (t.from === address ? o.to === address && isTrade(o, o.from) : o.from === address && isTrade(o, o.to)),
        ),
      );
    for (const exchange of new Set(listed.flatMap(({ from, to }) => [from, to]).filter(isExchange))) {
      if (exchange === address || exchange === subject) continue;
      const puts = oldestFirst(listed.filter((t) => t.from === address && t.to === exchange && !hasOtherSide(t)));
      const takes = oldestFirst(listed.filter((t) => t.to === address && t.from === exchange && !hasOtherSide(t)));
      for (const take of takes) {
        for (const put of puts.filter((t) => compareKnown(t, take) < 0)) {
          const usd = Math.min(left.get(put) ?? 0, left.get(take) ?? 0);
          if (usd < 1e-9) continue;
          const [deposit, receipt] = [partOf(put, usd), partOf(take, usd)];
          deposit.returned = receipt;
          receipt.returned = deposit;
        }
      }
    }
  }
  return transfers.flatMap((t) => {
    const divided = parts.get(t);
    if (!divided) return [t];
    const rest = (left.get(t) ?? 0) / (t.usd ?? 1);
    return rest < 1e-12 ? divided : [...divided, { ...t, quantity: t.quantity * rest, usd: left.get(t) ?? 0 }];
  });
}

export const ASSETS = ['USDC', 'ETH', 'WETH', 'TOKEN'] as const;

/** A coin and its wrapped form are one. */
export function sameAsset(symbol: string): string {
  return symbol === 'WETH' || symbol === 'ETH' ? COIN : symbol;
}
