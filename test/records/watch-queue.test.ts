import { expect, it } from 'vitest';
import type { Chain } from '../../src/domain/chain.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import type { Records } from '../../src/records/database/database.ts';
import type { WatchlistRow } from '../../src/records/database/tables/monitoring.ts';
import {
  claimItem,
  countWatchedItems,
  holdItem,
  setItemsAside,
  takeItem,
} from '../../src/records/monitoring/watch-queue.ts';
import { onBothStores } from './on-both-stores.ts';
import { watchItem } from './watched-item.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const EVM: Chain[] = ['ethereum', 'base'];

async function start(open: () => Promise<Records>) {
  const records = await open();
  const newAccount = async () => (await createAccount(records, { name: 'Desk', planId: 'enterprise' }, NOW)).id;
  const watch = (accountId: string, dueAt: number, more: Partial<WatchlistRow> = {}) =>
    watchItem(records, accountId, { next_scan_at: dueAt, created_at: NOW, ...more });
  const claim = (now: number, chains: readonly Chain[] = EVM) => claimItem(records, chains, now, now + MINUTE_MS);
  /** Ends a scan as one that failed: the item is due again later, its account was not scanned. */
  const end = async (item: WatchlistRow, nextScanAt: number) => {
    await records.updateTable('watchlist_items').set({ next_scan_at: nextScanAt }).where('id', '=', item.id).execute();
    await holdItem(records, item.id, item.busy_until, 0);
  };
  return { records, newAccount, watch, claim, end };
}

onBothStores('watched addresses that are due', (open) => {
  it('are taken by the account with the fewest under way, however many of another wait longer', async () => {
    const { newAccount, watch, claim, end } = await start(open);
    const [many, one] = [await newAccount(), await newAccount()];
    for (let n = 0; n < 60; n++) await watch(many, NOW - 1_000 - n, { chain: n % 2 ? 'ethereum' : 'base' });
    const running = [(await claim(NOW))!, (await claim(NOW))!, (await claim(NOW))!];
    expect(running.map((item) => item.account_id)).toEqual([many, many, many]);
    expect(running[0]!.next_scan_at).toBe(NOW - 1_059);
    const id = await watch(one, NOW + 1);
    expect((await claim(NOW))!.account_id).toBe(many);
    await end(running[0]!, NOW + MINUTE_MS);
    expect((await claim(NOW + 1))!.id).toBe(id);
    expect((await claim(NOW + 1))!.account_id).toBe(many);
  });

  it('are taken from the account that was served longest ago, also where its scans fail', async () => {
    const { newAccount, watch, claim, end } = await start(open);
    const accounts = [await newAccount(), await newAccount(), await newAccount()];
    for (const [n, account] of accounts.entries()) for (let i = 0; i < 3; i++) await watch(account, NOW - 100 + n);
    const order = [];
    for (let n = 0; n < 9; n++) {
      const item = (await claim(NOW + n))!;
      order.push(accounts.indexOf(item.account_id));
      await end(item, NOW + MINUTE_MS);
    }
    expect(order).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  it('are taken once, however many processes ask at once, and again where the hold has ended', async () => {
    const { newAccount, watch, claim } = await start(open);
    const account = await newAccount();
    for (let n = 0; n < 4; n++) await watch(account, NOW);
    const ask = (now: number) => Promise.all(Array.from({ length: 8 }, () => claim(now)));
    for (const now of [NOW, NOW + MINUTE_MS]) {
      const ids = (await ask(now)).flatMap((item) => item?.id ?? []);
      expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
    }
  });

  it('are set aside where the process ended twice while it worked on one, but for a rescan by hand', async () => {
    const { records, newAccount, watch, claim, end } = await start(open);
    const account = await newAccount();
    const id = await watch(account, NOW);
    const at = (minutes: number) => NOW + minutes * MINUTE_MS;
    expect(await claim(at(0))).toMatchObject({ id, lost: 0 });
    const second = (await claim(at(1)))!;
    expect(second).toMatchObject({ id, lost: 1 });
    await end(second, at(2));
    // What was done between them begins the count again.
    expect(await claim(at(2))).toMatchObject({ id, lost: 0 });
    expect(await claim(at(3))).toMatchObject({ id, lost: 1 });
    expect(await setItemsAside(records, at(4) - 1)).toEqual([]);
    expect(await claim(at(4))).toBeUndefined();
    expect(await setItemsAside(records, at(4))).toEqual([{ id }]);
    expect(await setItemsAside(records, at(5))).toEqual([]);
    const counted = await countWatchedItems(records, at(5));
    expect(counted).toEqual({ all: 1, due: 0, failing: 1 });
    const byHand = (await takeItem(records, id, at(5), at(6)))!;
    expect(byHand).toMatchObject({ id, failing_since: at(4) });
    await end(byHand, at(6));
    expect(await claim(at(6))).toMatchObject({ id, lost: 0 });
  });

  it('are those of the chains that have room, due or to be followed', async () => {
    const { newAccount, watch, claim } = await start(open);
    const account = await newAccount();
    await watch(account, NOW + 1);
    const walk = await watch(account, NOW + MINUTE_MS, { walk_due: 1 });
    const tron = await watch(account, NOW, { chain: 'tron' });
    expect((await claim(NOW))!.id).toBe(walk);
    expect(await claim(NOW)).toBeUndefined();
    expect((await claim(NOW, ['tron', 'base']))!.id).toBe(tron);
  });
});
