import { groupBy } from '../../domain/group-by.ts';
import { isPaidFor, usdByTransaction } from '../../domain/tracing/contract-account.ts';
import { spanAt } from '../../domain/tracing/reading.ts';
import { comparePlaces, type TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import { usdOf } from '../../risk/ledger/movements.ts';
import { ROBBER } from '../../risk/rules.ts';
import { isOfSeveral, type Opened } from './payers.ts';

/** Contracts of a robber that loot passes, one after the other. */
const HANDS_MAX = 3;

/**
 * Names by id what an address took out of pools, each with its pool: also what a contract without a name took that mostly holds such
 * loot, and handed on to it for its greater part.
 */
export function lootOf(key: string, traces: Opened, hands: number = HANDS_MAX): ReadonlyMap<string, string> {
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
}

/**
 * Lists what an address took out of a pool whose history is known up to then, where it took more than half of what all others had there: by
 * quantity of the asset, and in US dollars of all assets mostly not what it had put in. What the pool got for it in the transaction, and
 * what has no price, it did not take.
 */
function takenFrom(
  key: string,
  { pool, part }: { pool: string; part: readonly TracedTransfer[] },
  traces: Opened,
): TracedTransfer[] {
  const history = traces.opened.get(pool);
  if (!history || history.unlisted.received + history.unlisted.sent > 0) return [];
  const given = usdByTransaction(history.received);
  const taken = part.filter((one) => !isPaidFor(one, given));
  if (usdOf(taken) < ROBBER.robbed_from_usd || hasPutIn(key, pool, taken, traces)) return [];
  const isKnown = ({ assetId, at }: TracedTransfer) =>
    history.isScanComplete || spanAt(history.reading(assetId), at)?.from === Number.NEGATIVE_INFINITY;
  if (!taken.every(isKnown)) return [];
  const assets = new Set(taken.map(({ assetId }) => assetId));
  const moves = [
    ...history.received.map((one) => ({ ...one, sign: 1, party: one.from })),
    ...history.sent.map((one) => ({ ...one, sign: -1, party: one.to })),
  ].filter(({ assetId }) => assets.has(assetId));
  const robbed = new Set<string>();
  const sums = new Map([...assets].map((asset) => [asset, { others: 0, own: 0 }]));
  for (const { assetId, sign, party, amount } of moves.sort((a, b) => comparePlaces(a, b) || a.seq - b.seq)) {
    const sum = sums.get(assetId)!;
    sum[party === key ? 'own' : 'others'] += sign * Number(amount);
    // Without anything of others there it took what the contract had earned, or what no history shows.
    if (sum.others > 0 && -sum.own > ROBBER.robbed_share * sum.others) robbed.add(assetId);
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

function hasPutIn(key: string, pool: string, taken: readonly TracedTransfer[], { opened }: Opened): boolean {
  const put = opened.get(pool)?.received.filter(({ from }) => from === key) ?? [];
  return usdOf(put) > ROBBER.robbed_share * usdOf(taken);
}

function handedOn(
  key: string,
  { payer, part }: { payer: string; part: readonly TracedTransfer[] },
  traces: Opened,
  hands: number,
): [id: string, pool: string][] {
  const { category = null, isContract } = traces.labels.get(payer) ?? {};
  const history = traces.opened.get(payer);
  if (hands === 0 || !history || (category !== null && category !== 'unknown')) return [];
  const loot = lootOf(payer, traces, hands - 1);
  const taken = history.received.filter(({ id }) => loot.has(id));
  const [first] = taken;
  const transactions = new Set(taken.map(({ txHash }) => txHash));
  const handed = part.filter((one) => isContract || transactions.has(one.txHash));
  const least = ROBBER.robbed_share * usdOf(taken);
  if (!first || usdOf(taken) <= ROBBER.robbed_share * usdOf(history.received) || usdOf(handed) <= least) return [];
  const pool = loot.get(first.id) as string;
  return hasPutIn(key, pool, handed, traces) ? [] : handed.map(({ id }) => [id, pool]);
}
