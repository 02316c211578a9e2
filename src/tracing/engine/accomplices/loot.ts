import { groupBy } from '../../../domain/group-by.ts';
import { spanAt } from '../../../domain/tracing/reading.ts';
import { comparePlaces, type TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { usdOf } from '../../../risk/ledger/movements.ts';
import { ROBBER, VICTIM } from '../../../risk/rules.ts';
import { isPaidFor, usdByTransaction } from '../contract-account.ts';
import { isOfSeveral, type Opened, perAddress } from './payers.ts';

/** Contracts of a robber that loot passes, one after the other. */
const HANDS_MAX = 3;

type Loot = ReadonlyMap<string, string>;

/** Finds the loot of an address, by the number of contracts that it may have passed. */
const lootOver = Array.from({ length: HANDS_MAX + 1 }, (_, hands) =>
  perAddress((key, traces): Loot => {
    const { received = [] } = traces.opened.get(key) ?? {};
    const byPayer = groupBy(
      received.filter(({ usd }) => usd > 0),
      ({ from }) => from,
    );
    return new Map(
      [...byPayer].flatMap(([payer, part]): [string, string][] => {
        const own = takenFrom(key, { pool: payer, part }, traces);
        return own.length > 0 ? own.map(({ id }) => [id, payer]) : handedOn(key, { payer, part }, traces, hands);
      }),
    );
  }),
);

/**
 * Names by id what an address took out of pools, each with its pool: also what a contract without a name took and handed on to it, a part of
 * it in the same transaction, or most of it where the contract mostly holds such loot.
 */
export function lootOf(key: string, traces: Opened): Loot {
  return (lootOver[HANDS_MAX] as (typeof lootOver)[number])(key, traces);
}

/** Lists the movements of a pool in order, who paid it, and what it got in each transaction. */
const accountOf = perAddress((pool, { opened }) => {
  const { received = [], sent = [] } = opened.get(pool) ?? {};
  const moves = [
    ...received.map((one) => ({ ...one, sign: 1, party: one.from })),
    ...sent.map((one) => ({ ...one, sign: -1, party: one.to })),
  ].sort((a, b) => comparePlaces(a, b) || a.seq - b.seq);
  return { moves, payers: new Set(received.map(({ from }) => from)), given: usdByTransaction(received) };
});

/**
 * Lists what an address took out of a pool whose history is known up to then, where it took more than half of what all others had there: by
 * quantity of the asset, and in US dollars of all assets more than it had put in. Whom the pool paid in the same transactions, and who never
 * paid the pool, is one with it. What the pool got for it in the transaction, and what has no price, it did not take.
 */
function takenFrom(
  key: string,
  { pool, part }: { pool: string; part: readonly TracedTransfer[] },
  traces: Opened,
): TracedTransfer[] {
  const history = traces.opened.get(pool);
  if (!history || history.unlisted.received + history.unlisted.sent > 0) return [];
  const { moves, payers, given } = accountOf(pool, traces);
  const taken = part.filter((one) => !isPaidFor(one, given));
  if (usdOf(taken) < ROBBER.robbed_from_usd || hasPutIn([key], [pool], taken, traces)) return [];
  const isKnown = ({ assetId, at }: TracedTransfer) =>
    history.isScanComplete || spanAt(history.reading(assetId), at)?.from === Number.NEGATIVE_INFINITY;
  if (!taken.every(isKnown)) return [];
  const calls = new Set(taken.map(({ txHash }) => txHash));
  const group = new Set([
    key,
    ...history.sent.flatMap(({ to, txHash }) => (calls.has(txHash) && !payers.has(to) ? [to] : [])),
  ]);
  const robbed = new Set<string>();
  const sums = new Map(taken.map(({ assetId }) => [assetId, { others: 0, own: 0 }]));
  for (const { assetId, sign, party, amount } of moves) {
    const sum = sums.get(assetId);
    if (!sum) continue;
    const isOwn = group.has(party);
    sum[isOwn ? 'own' : 'others'] += sign * Number(amount);
    // Without anything of others there it took what the contract had earned, or what no history shows; what others take later is theirs.
    if (isOwn && sum.others > 0 && -sum.own > ROBBER.robbed_share * sum.others) robbed.add(assetId);
  }
  const loot = taken.filter(({ assetId }) => robbed.has(assetId));
  return loot.length > 0 && isPool(key, pool, loot, traces) ? loot : [];
}

/** Accepts any address of several payers where its money went on in the same transaction: then a contract moved it. */
function isPool(key: string, pool: string, loot: readonly TracedTransfer[], traces: Opened): boolean {
  const isContract = traces.labels.get(pool)?.isContract;
  const passed = new Set(traces.opened.get(key)?.sent.map(({ txHash }) => txHash));
  const isKnown = isContract ?? loot.every(({ txHash }) => passed.has(txHash));
  return isKnown && isOfSeveral(pool, traces);
}

/** Sums what an address paid in each transaction. */
const paidIn = perAddress((key, { opened }) => usdByTransaction(opened.get(key)?.sent ?? []));

/**
 * True where parties took no more than they had put into pools, with a gain: themselves, or over others in transactions in which they paid
 * as much before they took anything.
 */
export function hasPutIn(
  parties: Iterable<string>,
  pools: Iterable<string>,
  taken: readonly TracedTransfer[],
  traces: Opened,
): boolean {
  const known = new Set(parties);
  const calls = new Set(taken.map(({ txHash }) => txHash));
  const put = [...new Set(pools)].flatMap((pool) => traces.opened.get(pool)?.received ?? []);
  const own = put.filter(({ from }) => known.has(from));
  const ownIn = usdByTransaction(own);
  const putOver = usdByTransaction(put.filter(({ from, txHash }) => !known.has(from) && !calls.has(txHash)));
  let usd = usdOf(own);
  for (const [txHash, over] of putOver) {
    const paid = [...known].reduce((sum, party) => sum + (paidIn(party, traces).get(txHash) ?? 0), 0);
    usd += Math.max(0, Math.min(over, paid - (ownIn.get(txHash) ?? 0)));
  }
  return usdOf(taken) <= VICTIM.loan_repaid_most * usd;
}

function handedOn(
  key: string,
  { payer, part }: { payer: string; part: readonly TracedTransfer[] },
  traces: Opened,
  hands: number,
): [id: string, pool: string][] {
  const { category = null, isContract } = traces.labels.get(payer) ?? {};
  const history = traces.opened.get(payer);
  const known = lootOver[hands - 1];
  if (!known || !history || (category !== null && category !== 'unknown')) return [];
  const loot = known(payer, traces);
  const taken = history.received.filter(({ id }) => loot.has(id));
  const [first] = taken;
  if (!first) return [];
  const calls = new Set(taken.map(({ txHash }) => txHash));
  const inCall = part.filter(({ txHash }) => calls.has(txHash));
  const isPart = usdOf(inCall) >= Math.max(ROBBER.robbed_from_usd, ROBBER.robbed_part * usdOf(taken));
  const isMost = (some: readonly TracedTransfer[], all: readonly TracedTransfer[]) =>
    usdOf(some) > ROBBER.robbed_share * usdOf(all);
  const isOwn = isContract && isMost(taken, history.received) && isMost(part, taken);
  const handed = isOwn ? part : isPart ? inCall : [];
  const pool = loot.get(first.id) as string;
  return hasPutIn([key], [pool], handed, traces) ? [] : handed.map(({ id }) => [id, pool]);
}
